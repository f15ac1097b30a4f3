import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { useCloseFailure } from '#web/ui/toast.tsx';
import { type FieldErrors, formValues, type Reading, serverErrors } from './read-form.ts';
import { type Done, useAction } from './use-action.ts';
import type { Wording } from './use-failure-toast.ts';

interface Submission<Data> {
  /** Validates the values of the form's named fields: the data to send, or the errors of fields. */
  read: (values: Record<string, string>) => Reading<Data>;
  send: (data: Data) => Done;
  /** The words of a failure that no field shows. A function may return errors of fields, which do not replace its words. */
  failure: Wording | ((error: unknown, data: Data) => { words?: Wording; errors?: FieldErrors });
  /** Refetched after each try, before the form accepts another submit. */
  reads?: readonly Endpoint[] | undefined;
}

/** A form's submit, one at a time, and the errors of its fields. The first invalid field gets the focus. */
export function useForm<Data>({ read, send, failure, reads }: Submission<Data>) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const closeFailure = useCloseFailure();
  useEffect(() => {
    if (Object.keys(errors).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);

  const { run, busy } = useAction(send, {
    reads,
    failure: (error, data) => {
      const { words, errors: own } = typeof failure === 'function' ? failure(error, data) : { words: failure };
      const found = own ?? serverErrors(error);
      setErrors(found);
      const isShown = !own && Object.keys(found).some((name) => ref.current?.elements.namedItem(name));
      return isShown ? undefined : words;
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    closeFailure();
    const { data, errors: found = {} } = read(formValues(event.currentTarget));
    setErrors(found);
    if (data !== undefined) void run(data);
  };
  return { form: { ref, onSubmit, noValidate: true }, errors, setErrors, busy };
}
