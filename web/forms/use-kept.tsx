import { createContext, type FormEvent, type ReactNode, use, useState } from 'react';
import { sessionStore } from '#web/store.ts';
import { formValues } from './read-form.ts';

type Typed = Record<string, string>;

const keyOf = (form: string) => `guichet_typed_${form}`;
const isSecret = ([name]: [string, string]) => /password/i.test(name);

/** The values typed into a form in this tab, without passwords. */
export function readTyped(form: string): Typed {
  try {
    return JSON.parse(sessionStore.read(keyOf(form)) ?? '{}') as Typed;
  } catch {
    return {};
  }
}

export function keepTyped(form: string, typed: Typed): void {
  sessionStore.keep(keyOf(form), JSON.stringify(typed));
}

/** Typed passwords by form, in memory only: a reload clears them. */
const SecretsContext = createContext<Map<string, Typed> | undefined>(undefined);

/** Stands above the screens, so that typed passwords survive navigation. */
export function KeptProvider({ children }: { children: ReactNode }) {
  const [secrets] = useState(() => new Map<string, Typed>());
  return <SecretsContext value={secrets}>{children}</SecretsContext>;
}

/** The stored values of a form, for `defaultValue`, and an `onInput` handler that stores them. */
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

/** Removes the stored values of these forms after success. */
export function useForgetTyped() {
  const secrets = use(SecretsContext);
  return (...forms: string[]) => {
    for (const form of forms) {
      sessionStore.forget(keyOf(form));
      secrets?.delete(form);
    }
  };
}
