import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { SelectField } from '#web/ui/select-field.tsx';

type LabelledProps = Omit<ComponentProps<typeof Labelled>, 'children'>;

export function TextArea({
  label,
  error,
  hint,
  labelHidden,
  className,
  ...area
}: LabelledProps & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} error={error} hint={hint} labelHidden={labelHidden}>
      {(control) => <textarea {...control} className={join(inputClass, className)} {...area} />}
    </Labelled>
  );
}

/** A choice among the names of `options`, shown by their words. */
export function ChoiceField<Name extends string>({
  options,
  onChoose,
  ...select
}: {
  value: Name;
  options: Record<Name, string>;
  onChoose?: (name: Name) => void;
} & Omit<ComponentProps<typeof SelectField>, 'value' | 'children'>) {
  return (
    <SelectField onChange={({ target }) => onChoose?.(target.value as Name)} {...select}>
      {Object.entries<string>(options).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

/** A choice that narrows a list; one that is made looks so, and its cross takes it back. `options` has '' for all. */
export function FilterField<Name extends string>({
  options,
  value,
  onChoose,
  className,
  ...select
}: {
  label: string;
  value: Name;
  options: Record<Name, string>;
  onChoose: (name: Name | '') => void;
  className?: string;
}) {
  const field = useRef<HTMLSelectElement>(null);
  return (
    <div className="relative min-w-0">
      <ChoiceField
        ref={field}
        labelHidden
        options={options}
        value={value}
        onChoose={onChoose}
        className={join(
          'text-ellipsis',
          value && 'border-leaf! bg-leaf-pale! bg-none! pr-11! font-semibold text-leaf-dark!',
          className,
        )}
        {...select}
      />
      {value && (
        <button
          type="button"
          aria-label={`Retirer «\u00a0${options[value]}\u00a0»`}
          onClick={() => {
            // The cross goes with the choice.
            field.current?.focus();
            onChoose('');
          }}
          className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-xl text-leaf-dark hover:bg-card/60"
        >
          <CrossIcon className="size-4" />
        </button>
      )}
    </div>
  );
}

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
        <p
          id={id}
          className={error ? 'pl-8 font-medium text-brick text-small' : '-mt-2 pb-1.5 pl-8 text-soft text-small'}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
