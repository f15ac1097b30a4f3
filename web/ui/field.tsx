import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { EyeIcon, EyeOffIcon } from './control-icons.tsx';
import { join } from './join.ts';

export const inputClass =
  'block min-h-13 w-full md:min-h-12 rounded-xl border border-edge bg-card px-3.5 py-2.5 text-large md:text-body text-ink placeholder:text-soft aria-invalid:border-brick aria-invalid:ring-1 aria-invalid:ring-brick';

export interface Labelled {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** A label for screen readers only, for a visually clear field. */
  labelHidden?: boolean;
  /** Between the label and the control. */
  above?: ReactNode;
  /** The class of the error or hint, such as a common height. */
  noteClass?: string | undefined;
}

/** A label, a control, and its error or hint, linked for screen readers. */
export function Labelled({
  label,
  error,
  hint,
  labelHidden,
  above,
  noteClass,
  children,
}: Labelled & {
  children: (control: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode;
}) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'font-semibold text-body'}>
        {label}
      </label>
      {above}
      {children({ id, ...(error && { 'aria-invalid': true }), ...((error || hint) && { 'aria-describedby': note }) })}
      {(error || hint) && (
        <p id={note} className={join('text-small', noteClass, error ? 'font-medium text-brick' : 'text-soft')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export function Field({ label, error, hint, labelHidden, className, ...input }: Labelled & ComponentProps<'input'>) {
  return (
    <Labelled label={label} error={error} hint={hint} labelHidden={labelHidden}>
      {(control) => <input {...control} className={join(inputClass, className)} {...input} />}
    </Labelled>
  );
}

export function PasswordField({ label, error, hint, ...input }: Labelled & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={join(inputClass, 'pr-14')}
            {...input}
          />
          <button
            type="button"
            className="absolute inset-y-0 right-0 flex w-12 items-center justify-center rounded-xl text-soft hover:text-ink"
            aria-label={shown ? 'Masquer le mot de passe' : 'Afficher le mot de passe'}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        </div>
      )}
    </Labelled>
  );
}
