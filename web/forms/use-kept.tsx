import { createContext, type FormEvent, type ReactNode, use, useState } from 'react';
import { makeKey } from '#web/api/client.ts';
import { formValues } from './read-form.ts';

/** What was typed, by the names of the fields. */
type Typed = Record<string, string>;

const keyOf = (form: string) => `guichet_typed_${form}`;
const isSecret = ([name]: [string, string]) => /password/i.test(name);

/** What was typed into a form in this tab, but for passwords. */
export function readTyped(form: string): Typed {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}') as Typed;
  } catch {
    return {};
  }
}

export function keepTyped(form: string, typed: Typed): void {
  sessionStorage.setItem(keyOf(form), JSON.stringify(typed));
}

/**
 * The key under which a form is sent, kept beside what was typed until that changes: a form whose answer was lost is the same
 * call when it is sent again.
 */
export function keepFormKey(form: string): string {
  const { key = makeKey(), ...typed } = readTyped(form);
  keepTyped(form, { ...typed, key });
  return key;
}

/** The passwords typed so far, by form. They are in the page's memory alone: a reload forgets them. */
const SecretsContext = createContext<Map<string, Typed> | undefined>(undefined);

/** Stands above the screens, so that what was typed outlasts them. */
export function KeptProvider({ children }: { children: ReactNode }) {
  const [secrets] = useState(() => new Map<string, Typed>());
  return <SecretsContext value={secrets}>{children}</SecretsContext>;
}

/** What was typed into a form when its screen was left, for `defaultValue`, and what its `onInput` keeps. */
export function useKept(form: string) {
  const secrets = use(SecretsContext);
  const [typed] = useState<Typed>(() => ({ ...readTyped(form), ...secrets?.get(form) }));
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const values = Object.entries(formValues(event.currentTarget));
    keepTyped(form, Object.fromEntries(values.filter((each) => !isSecret(each))));
    secrets?.set(form, Object.fromEntries(values.filter(isSecret)));
  };
  return { typed, onInput };
}

/** Forgets what was typed into these forms, once it has led somewhere. */
export function useForgetTyped() {
  const secrets = use(SecretsContext);
  return (...forms: string[]) => {
    for (const form of forms) {
      sessionStorage.removeItem(keyOf(form));
      secrets?.delete(form);
    }
  };
}
