import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type FieldErrors, formValues, type Reading, serverErrors } from './read-form.ts';
import { useAction } from './use-action.ts';
import { useFailureToast, type Wording } from './use-failure-toast.ts';

interface Submission<Data> {
  /** Validates the values of the form's named fields: the data to send, or the errors of fields. */
  read: (values: Record<string, string>) => Reading<Data>;
  send: (data: Data) => Promise<unknown>;
  /** The words of a failure that no field shows; or a function that reports it, and returns the errors of fields. */
  failure: Wording | ((error: unknown, data: Data) => FieldErrors);
  /** Runs after success, and after failure with its error, before the form accepts another submit. */
  after?: (error?: unknown) => Promise<unknown> | undefined;
}

/** A form's submit, one at a time, and the errors of its fields. The first invalid field gets the focus. */
export function useForm<Data>({ read, send, failure, after }: Submission<Data>) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const toastFailure = useFailureToast();
  useEffect(() => {
    if (Object.keys(errors).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);

  const report = (error: unknown, data: Data, form: HTMLFormElement) => {
    if (typeof failure === 'function') return setErrors(failure(error, data));
    const found = serverErrors(error);
    setErrors(found);
    const isShown = Object.keys(found).some((name) => form.elements.namedItem(name));
    if (!isShown) toastFailure(error, failure);
  };
  const { run, busy } = useAction(async (form: HTMLFormElement) => {
    const { data, errors: found = {} } = read(formValues(form));
    setErrors(found);
    if (data === undefined) return;
    let failed: unknown;
    try {
      await send(data);
    } catch (error) {
      failed = error;
      report(error, data, form);
    }
    await after?.(failed);
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(event.currentTarget);
  };
  return { form: { ref, onSubmit, noValidate: true }, errors, setErrors, busy };
}
