import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Endpoint } from '#contract/endpoint.ts';
import { useCloseFailure } from '#web/ui/toast.tsx';
import { type FieldErrors, formValues, type Reading, serverErrors } from './read-form.ts';
import { type Done, useAction } from './use-action.ts';
import type { Wording } from './use-failure-toast.ts';

interface Submission<Data> {
  /** Validates the values of the form's named fields: the data to send, or the errors of fields. */
  read: (values: Record<string, string>) => Reading<Data>;
  send: (data: Data) => Done;
  /** The words of a failure that no field shows. A function may return errors of fields. */
  failure: Wording | ((error: unknown, data: Data) => { words?: Wording; errors?: FieldErrors });
  /** Refetched after each try, before the form accepts another submit. */
  reads?: readonly Endpoint[] | undefined;
}

/**
 * A form's submit, one at a time, and the errors of its fields. The first invalid field gets the focus. An error leaves with
 * the first key typed into its field, and one that no field has with any key. What a field says no toast repeats.
 */
export function useForm<Data>({ read, send, failure, reads }: Submission<Data>) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** The last errors were just found: they take the focus. */
  const isFound = useRef(false);
  const closeFailure = useCloseFailure();
  const show = (found: FieldErrors) => {
    isFound.current = true;
    setErrors(found);
  };
  useEffect(() => {
    const form = ref.current;
    const onInput = ({ target }: Event) => {
      const { name } = target as HTMLInputElement;
      // After the event: a field that is drawn between its listeners has its former value again.
      setTimeout(() =>
        setErrors((all) => {
          // A submit since then found them anew.
          if (all !== errors) return all;
          const others = Object.entries(all).filter(([field]) => field !== name && form?.elements.namedItem(field));
          return others.length === Object.keys(all).length ? all : Object.fromEntries(others);
        }),
      );
    };
    form?.addEventListener('input', onInput);
    return () => form?.removeEventListener('input', onInput);
  });
  useEffect(() => {
    if (!isFound.current) return;
    isFound.current = false;
    if (Object.keys(errors).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);

  const { run, busy } = useAction(send, {
    reads,
    failure: (error, data) => {
      const { words, errors: own } = typeof failure === 'function' ? failure(error, data) : { words: failure };
      const found = own ?? serverErrors(error);
      // Drawn at once, so that the form tells whether a field has it.
      flushSync(() => show(found));
      const isShown = Object.keys(found).length > 0 && ref.current?.querySelector('[aria-invalid]');
      return isShown && !words?.always ? undefined : words;
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    closeFailure();
    const { data, errors: found = {} } = read(formValues(event.currentTarget));
    show(found);
    if (data !== undefined) void run(data);
  };
  return { form: { ref, onSubmit, noValidate: true }, errors, setErrors: show, busy };
}
