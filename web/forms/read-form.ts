import type * as z from 'zod/mini';
import { safeParse } from 'zod/mini';
import { ApiError } from '#web/api/client.ts';
import { frenchMessage } from '#web/text/failures.ts';

/** The first error of each field, by its name, in French. */
export type FieldErrors = Record<string, string>;

/** The data of a form, or the errors of its fields. */
export type Reading<Data> = { data: Data; errors?: undefined } | { data?: undefined; errors: FieldErrors };

/** Validates a form with the contract's schema: returns the data, or the errors of its fields. */
export function readForm<S extends z.ZodMiniType>(schema: S, values: Record<string, unknown>): Reading<z.output<S>> {
  const result = safeParse(schema, values);
  if (result.success) return { data: result.data };
  const errors = errorsByField(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  // The contract asks an empty confirmation for a password's length.
  if (errors.confirmPassword && !values.confirmPassword) errors.confirmPassword = 'Confirmez le mot de passe.';
  return { errors };
}

/** The field errors of a server's refusal. */
export function serverErrors(error: unknown): FieldErrors {
  return error instanceof ApiError ? errorsByField(error.failure.issues ?? []) : {};
}

function errorsByField(issues: { path: string; message: string }[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) errors[path] ??= frenchMessage(message);
  return errors;
}

export function formValues(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}
