import type { ComponentProps } from 'react';
import { inputClass, Labelled } from './field.tsx';
import { join } from './join.ts';

export function SelectField({
  label,
  error,
  hint,
  labelHidden,
  children,
  className,
  ...select
}: Labelled & ComponentProps<'select'>) {
  return (
    <Labelled label={label} error={error} hint={hint} labelHidden={labelHidden}>
      {(control) => (
        <select {...control} className={join(inputClass, className)} {...select}>
          {children}
        </select>
      )}
    </Labelled>
  );
}
