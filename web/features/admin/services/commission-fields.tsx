import type { ComponentProps } from 'react';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { gapAbove, rangeNotes } from './commission-ranges.ts';
import { type RangeDraft, readFrancs } from './service-draft.ts';
import type { ServicePart } from './service-fields.tsx';

const types: Record<string, string> = {
  fixed: 'Fixe (FCFA)',
  percentage: 'Pourcentage',
  range: 'Par tranches',
};

export function CommissionFields(part: ServicePart) {
  const { draft, text } = part;
  const isRange = draft.commissionType === 'range';
  return (
    <>
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <ChoiceField label="Type de commission" options={types} {...text('commissionType')} />
        {!isRange && (
          <Field
            label={draft.commissionType === 'fixed' ? 'Valeur (FCFA)' : 'Valeur (%)'}
            inputMode="decimal"
            autoComplete="off"
            {...text('commissionValue')}
          />
        )}
      </div>
      {isRange && <RangeEditor {...part} />}
    </>
  );
}

/** The contract's limit. */
const mostRanges = 50;

/** The ranges as one table, with what it leaves out between them. */
function RangeEditor({ draft: { commissionRanges: ranges }, errors, change }: ServicePart) {
  const add = () => {
    const end = readFrancs(ranges.at(-1)?.maxPrice ?? '');
    const minPrice = ranges.length === 0 ? '1' : end === undefined ? '' : formatCount(end + 1);
    const range: RangeDraft = { minPrice, maxPrice: '', commissionType: 'fixed', commissionValue: '' };
    change({ commissionRanges: [...ranges, range] });
  };
  const notes = rangeNotes(ranges);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">Tranches</legend>
      {ranges.length > 0 && (
        <div className="rounded-xl border border-line p-2">
          <div aria-hidden="true" className={join(rangeColumns, 'mb-1 hidden! text-small text-soft @sm:grid!')}>
            {['De', 'À', 'Type', 'Valeur'].map((head) => (
              <span key={head} className="px-1">
                {head}
              </span>
            ))}
          </div>
          <ul className="flex flex-col gap-1.5">
            {ranges.map((range, place) => (
              <RangeLine
                // biome-ignore lint/suspicious/noArrayIndexKey: a range is known by its place alone
                key={place}
                range={range}
                place={place}
                notes={notes[place] ?? {}}
                errors={errors}
                onChange={(part) =>
                  change({ commissionRanges: ranges.map((each, at) => (at === place ? { ...each, ...part } : each)) })
                }
                onRemove={() => change({ commissionRanges: ranges.filter((each) => each !== range) })}
              />
            ))}
            <Gap words={gapAbove(ranges)} />
          </ul>
        </div>
      )}
      {errors.commissionRanges && <p className="font-medium text-brick text-small">{errors.commissionRanges}</p>}
      <Button variant="plain" small className="self-start" disabled={ranges.length >= mostRanges} onClick={add}>
        Ajouter une tranche
      </Button>
      <p className="text-soft text-small">Maximum vide&nbsp;: sans limite.</p>
    </fieldset>
  );
}

/** Amounts without a commission, which is seldom meant. */
function Gap({ words }: { words: string | undefined }) {
  if (!words) return null;
  return (
    <li className="rounded-lg bg-amber-pale px-2.5 py-1.5 font-medium text-amber text-small tabular-nums">
      {`${words} FCFA\u00a0: aucune commission.`}
    </li>
  );
}

const rangeColumns =
  'grid items-center gap-1.5 @3xs:grid-cols-[1fr_1fr_2.25rem] @sm:grid-cols-[1.15fr_1.15fr_3.75rem_1fr_2.25rem] @md:grid-cols-[1.15fr_1.15fr_3.75rem_1fr_2.25rem_7.25rem]';

function RangeLine({
  range,
  place,
  notes: { gap, overlap, example },
  errors,
  onChange,
  onRemove,
}: {
  range: RangeDraft;
  place: number;
  notes: ReturnType<typeof rangeNotes>[number];
  errors: Record<string, string>;
  onChange: (part: Partial<RangeDraft>) => void;
  onRemove: () => void;
}) {
  const own = Object.entries(errors).filter(([name]) => name.startsWith(`commissionRanges.${place}.`));
  const told = [...new Set([...(overlap ? [overlap] : []), ...own.map(([, message]) => message)])];
  const noteId = `range-${place}-note`;
  const cell = (name: Exclude<keyof RangeDraft, 'commissionType'>, words: string, spoken: string) => ({
    words,
    'aria-label': `Tranche ${place + 1}\u00a0: ${spoken}`,
    'aria-invalid':
      `commissionRanges.${place}.${name}` in errors || (name === 'minPrice' && Boolean(overlap)) || undefined,
    'aria-describedby': told.length > 0 ? noteId : undefined,
    value: range[name],
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
    onBlur: () => {
      const francs = name === 'commissionValue' ? undefined : readFrancs(range[name]);
      if (francs !== undefined && formatCount(francs) !== range[name]) onChange({ [name]: formatCount(francs) });
    },
  });
  return (
    <>
      <Gap words={gap} />
      <li>
        <div className={rangeColumns}>
          <Cell inputMode="numeric" {...cell('minPrice', 'De', 'minimum')} />
          <Cell inputMode="numeric" placeholder="∞" {...cell('maxPrice', 'À', 'maximum')} />
          <select
            aria-label={`Tranche ${place + 1}\u00a0: type`}
            value={range.commissionType}
            onChange={({ target }) => onChange({ commissionType: target.value === 'fixed' ? 'fixed' : 'percentage' })}
            className={join(cellClass, 'order-3 bg-[position:right_0.5rem_center]! pr-6! @sm:order-none')}
          >
            <option value="fixed">F</option>
            <option value="percentage">%</option>
          </select>
          <Cell
            className="order-4 @sm:order-none"
            inputMode="decimal"
            {...cell('commissionValue', 'Valeur', 'valeur')}
          />
          <button
            type="button"
            aria-label={`Supprimer la tranche ${place + 1}`}
            onClick={onRemove}
            className="flex h-11 w-9 items-center justify-center rounded-lg text-soft hover:bg-brick-pale hover:text-brick"
          >
            <CrossIcon className="size-5" />
          </button>
          {example && (
            <p className="order-5 col-span-full text-small text-soft tabular-nums leading-tight @md:order-none @md:col-span-1">
              {example}
            </p>
          )}
        </div>
        {told.length > 0 && (
          <p id={noteId} className="mt-1 font-medium text-brick text-small">
            {told.join(' ')}
          </p>
        )}
      </li>
    </>
  );
}

const cellClass = join(inputClass, 'min-h-11! px-2! text-body tabular-nums');

function Cell({ words, className, ...input }: { words: string } & ComponentProps<'input'>) {
  return (
    <span className={join('flex min-w-0 flex-col', className)}>
      <span aria-hidden="true" className="text-soft text-small @sm:hidden">
        {words}
      </span>
      <input autoComplete="off" className={cellClass} {...input} />
    </span>
  );
}
