import type { ComponentProps } from 'react';
import { countries, findCountry, phonePlaceholder } from '#contract/phone.ts';
import { Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { groupPhone, retype, type TypedPhone, type TypingEvent } from './grouped-typing.ts';

interface Props extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  /** The form name of the country code; `name` is the number's. */
  codeName?: string;
  value: TypedPhone;
  onChange: (value: TypedPhone) => void;
  error?: string | undefined;
  hint?: ComponentProps<typeof Labelled>['hint'];
  noteClass?: string;
  above?: ComponentProps<typeof Labelled>['above'];
}

/** A phone number with its country code in one box, grouped during typing. */
export function PhoneField({ label, codeName, value, onChange, error, hint, noteClass, above, ...input }: Props) {
  const country = findCountry(value.code);
  const type = (event: TypingEvent) => {
    let code = value.code;
    const number = retype(event, (typing) => {
      const grouped = groupPhone(typing, code);
      code = grouped.code;
      return { text: grouped.number, caret: grouped.caret };
    });
    onChange({ code, number });
  };
  return (
    <Labelled label={label} error={error} hint={hint} above={above} noteClass={noteClass}>
      {(control) => (
        <div
          className={join(
            // With large text the number has a line of its own.
            'flex min-h-13 flex-wrap md:min-h-12 rounded-xl border bg-card text-large md:text-body text-ink outline-indigo outline-offset-2 has-[>input:focus-visible]:outline-3',
            error ? 'border-brick ring-1 ring-brick' : 'border-edge',
          )}
        >
          <div className="relative flex shrink-0 items-center">
            <select
              name={codeName}
              aria-label="Indicatif du pays"
              value={value.code}
              onChange={(event) => onChange(groupPhone({ text: value.number, caret: 0 }, event.target.value))}
              // The list shows full names, the box only the code.
              className="peer absolute inset-0 w-full opacity-0"
            >
              {countries.map(({ code, flag, name }) => (
                <option key={code} value={code}>
                  {flag} {name} ({code})
                </option>
              ))}
            </select>
            <span
              aria-hidden="true"
              className="pointer-events-none flex items-center gap-1.5 rounded-lg py-1.5 pr-2.5 pl-3.5 text-soft outline-indigo -outline-offset-3 peer-focus-visible:outline-3"
            >
              <span>{value.code}</span>
              <span className="size-1.5 transform-[translateY(-0.125rem)_rotate(45deg)] border-soft border-r-2 border-b-2" />
            </span>
          </div>
          <span className="my-3 w-px bg-edge/40" />
          <input
            {...control}
            type="tel"
            inputMode="tel"
            placeholder={country && phonePlaceholder(country)}
            value={value.number}
            onChange={type}
            onCompositionEnd={type}
            className="min-w-0 flex-1 basis-36 rounded-r-xl bg-transparent px-3 py-2.5 tabular-nums placeholder:text-soft outline-none"
            {...input}
          />
        </div>
      )}
    </Labelled>
  );
}
