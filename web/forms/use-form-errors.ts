import { useEffect, useRef, useState } from 'react';

/** The errors of a form's fields; the first invalid field gets the focus, so that screen readers announce it. */
export function useFormErrors() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return { form, errors, setErrors };
}
