import { type FormEvent, useState } from 'react';
import { sessionStore } from '#web/store.ts';
import { formValues } from './read-form.ts';

type Typed = Record<string, string>;

const keyOf = (form: string) => `guichet_typed_${form}`;

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

/** The stored values of a form, for `defaultValue`, and an `onInput` handler that stores them. */
export function useKept(form: string) {
  const [typed] = useState(() => readTyped(form));
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const values = Object.entries(formValues(event.currentTarget));
    keepTyped(form, Object.fromEntries(values.filter(([name]) => !/password/i.test(name))));
  };
  return { typed, onInput };
}

/** Removes the stored values of these forms after success. */
export function forgetTyped(...forms: string[]): void {
  for (const form of forms) sessionStore.forget(keyOf(form));
}
