import { type ComponentProps, type ReactNode, useId } from 'react';

/** A labelled checkbox. */
export function CheckField({
  label,
  hint,
  error,
  ...input
}: { label: string; hint?: ReactNode; error?: string | undefined } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-leaf"
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? id : undefined}
          {...input}
        />
        <span className="py-1.5 font-medium">{label}</span>
      </label>
      {(error || hint) && (
        <p id={id} className={error ? 'pl-8 font-medium text-brick text-sm' : '-mt-1.5 pl-8 text-soft text-sm'}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
