import { useEffect, useRef, useState } from 'react';

/** What is wrong with each field of a form; when something is, the first such field gets the focus, and so is read out. */
export function useFormErrors() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return { form, errors, setErrors };
}
