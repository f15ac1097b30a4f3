import type { ComponentProps } from 'react';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { gapsOf, overlapsOf, rangeErrors, type Span } from './draft-errors.ts';
import { type RangeDraft, readFrancs, readRanges, type ServiceDraft, type ServicePart } from './service-draft.ts';

const types: Record<ServiceDraft['commissionType'], string> = {
  fixed: 'Fixe (FCFA)',
  percentage: 'Pourcentage',
  range: 'Par tranches',
};

export function CommissionFields(part: ServicePart) {
  const { draft, errors, change, text } = part;
  const isRange = draft.commissionType === 'range';
  return (
    <>
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <ChoiceField
          label="Type de commission"
          options={types}
          value={draft.commissionType}
          error={errors.commissionType}
          onChoose={(commissionType) => change({ commissionType })}
        />
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

/** Commission ranges, with immediate warnings of overlaps and gaps. */
function RangeEditor({ draft, errors, change }: ServicePart) {
  const ranges = draft.commissionRanges;
  const read = readRanges(draft);
  const overlaps = overlapsOf(read.map(({ range }) => range)).map(({ first, second, ...span }) => ({
    first: read[first]?.place ?? 0,
    second: read[second]?.place ?? 0,
    span,
  }));
  const write = (place: number, part: Partial<RangeDraft>) =>
    change({ commissionRanges: ranges.map((range, index) => (index === place ? { ...range, ...part } : range)) });
  const add = () => {
    const end = readFrancs(ranges.at(-1)?.maxPrice ?? '');
    const minPrice = ranges.length === 0 ? '1' : end === undefined ? '' : formatCount(end + 1);
    const key = Math.max(-1, ...ranges.map((range) => range.key)) + 1;
    const range: RangeDraft = { key, minPrice, maxPrice: '', commissionType: 'fixed', commissionValue: '' };
    change({ commissionRanges: [...ranges, range] });
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">Tranches</legend>
      {ranges.length > 0 && (
        <div className="flex flex-col divide-y divide-line rounded-xl border border-line">
          <div aria-hidden="true" className={join(columns, 'hidden bg-ground px-2 py-1.5 text-soft text-sm @sm:grid')}>
            <span>De</span>
            <span>À</span>
            <span>Type</span>
            <span>Valeur</span>
          </div>
          {ranges.map((range, place) => (
            <RangeLine
              key={range.key}
              range={range}
              number={place + 1}
              errors={errorsOf(range, place, errors)}
              overlaps={overlaps.some(({ first, second }) => first === place || second === place)}
              onChange={(part) => write(place, part)}
              onRemove={() => change({ commissionRanges: ranges.filter((each) => each !== range) })}
            />
          ))}
        </div>
      )}
      <div role="status" className="flex flex-col gap-0.5 text-sm empty:hidden">
        {overlaps.map(({ first, second, span }) => (
          <p
            key={`${first} ${second}`}
            className="font-medium text-brick"
          >{`Les tranches ${first + 1} et ${second + 1} se chevauchent ${spanWords(span)}.`}</p>
        ))}
        {gapsOf(read.map(({ range }) => range)).map((gap) => (
          <p key={gap.from} className="text-amber">{`${capital(spanWords(gap))} : aucune commission.`}</p>
        ))}
      </div>
      {overlaps.length > 0 && errors.commissionRanges && (
        <p className="font-medium text-brick text-sm">{errors.commissionRanges}</p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button variant="plain" small disabled={ranges.length >= mostRanges} onClick={add}>
          Ajouter une tranche
        </Button>
        {ranges.length > 0 && <p className="text-soft text-sm">Maximum vide : sans limite.</p>}
      </div>
    </fieldset>
  );
}

const columns = 'gap-1.5 @sm:grid-cols-[1.2fr_1.2fr_5.25rem_1fr_2.25rem]';

function RangeLine({
  range,
  number,
  errors,
  overlaps,
  onChange,
  onRemove,
}: {
  range: RangeDraft;
  number: number;
  errors: Record<string, string>;
  overlaps: boolean;
  onChange: (part: Partial<RangeDraft>) => void;
  onRemove: () => void;
}) {
  const name = `Tranche ${number}`;
  const messages = [...new Set(Object.values(errors))];
  const noteId = `range-${range.key}-note`;
  const common = messages.length > 0 ? { 'aria-describedby': noteId } : {};
  return (
    <div className="px-2 py-1.5">
      <div className={join(columns, 'grid items-end @3xs:grid-cols-[1fr_1fr_2.25rem]')}>
        <Cell
          words="De"
          aria-label={`${name} : minimum`}
          inputMode="numeric"
          value={range.minPrice}
          isWrong={overlaps || 'minPrice' in errors}
          onChange={({ target }) => onChange({ minPrice: target.value })}
          {...common}
        />
        <Cell
          words="À"
          aria-label={`${name} : maximum`}
          inputMode="numeric"
          placeholder="∞"
          value={range.maxPrice}
          isWrong={overlaps || 'maxPrice' in errors}
          onChange={({ target }) => onChange({ maxPrice: target.value })}
          {...common}
        />
        <select
          aria-label={`${name} : type`}
          value={range.commissionType}
          onChange={({ target }) => onChange({ commissionType: target.value === 'fixed' ? 'fixed' : 'percentage' })}
          className={join(cellClass, 'order-3 @sm:order-none')}
        >
          <option value="fixed">FCFA</option>
          <option value="percentage">%</option>
        </select>
        <Cell
          words="Valeur"
          className="order-4 @sm:order-none"
          aria-label={`${name} : valeur`}
          inputMode="decimal"
          value={range.commissionValue}
          isWrong={'commissionValue' in errors}
          onChange={({ target }) => onChange({ commissionValue: target.value })}
          {...common}
        />
        <button
          type="button"
          aria-label={`Supprimer la tranche ${number}`}
          onClick={onRemove}
          className="flex h-11 w-9 items-center justify-center rounded-lg text-soft hover:bg-brick-pale hover:text-brick"
        >
          <CrossIcon className="size-5" />
        </button>
      </div>
      {messages.length > 0 && (
        <p id={noteId} className="mt-1 font-medium text-brick text-sm">
          {messages.join(' ')}
        </p>
      )}
    </div>
  );
}

const cellClass = join(inputClass, 'min-h-11! px-2! text-sm tabular-nums');

/** In a narrow form, each input has its own label above it. */
function Cell({ words, isWrong, className, ...input }: { words: string; isWrong: boolean } & ComponentProps<'input'>) {
  return (
    <span className={join('flex min-w-0 flex-col', className)}>
      <span aria-hidden="true" className="text-soft text-sm @sm:hidden">
        {words}
      </span>
      <input autoComplete="off" aria-invalid={isWrong || undefined} className={cellClass} {...input} />
    </span>
  );
}

/** Errors of the typed values and of the server; an empty field is no error before saving. */
function errorsOf(range: RangeDraft, place: number, errors: Record<string, string>): Record<string, string> {
  const typed = Object.entries(rangeErrors(range)).filter(
    ([name]) => range[name as keyof RangeDraft] !== '' || errors[`commissionRanges.${place}.${name}`],
  );
  return Object.fromEntries(typed);
}

function spanWords({ from, to }: Span): string {
  if (to === null) return `à partir de ${formatCount(from)}`;
  return from === to ? `à ${formatCount(from)}` : `de ${formatCount(from)} à ${formatCount(to)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
