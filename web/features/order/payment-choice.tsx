import { type ComponentProps, useId, useState } from 'react';
import { fold, searchedWords } from '#contract/fold.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { choiceClass, radioClass } from '#web/ui/choice.ts';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { listPaymentOptions, type Payer, type PaymentOption } from './payment-notes.ts';

const rows = 'grid gap-2 sm:grid-cols-2';
const height = 'min-h-13.5';

const skeleton = (
  <div role="status" className={join(rows, 'breathe')}>
    <span className="sr-only">Chargement...</span>
    {['first', 'second', 'third', 'fourth'].map((bone) => (
      <div key={bone} className={join(height, 'rounded-xl border border-line bg-line/60')} />
    ))}
  </div>
);

/** More types than a screen shows get a search. */
const manyTypes = 8;

/** The payment types as touch targets, likely ones first, each with what it leads to. */
export function PaymentChoice({
  types,
  payer,
  chosen,
  onChoose,
}: {
  types: ComponentProps<typeof QueryState<PaymentType[]>>['query'];
  payer: Payer;
  chosen: string;
  onChoose: (name: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const options = types.data && listPaymentOptions(types.data, payer);
  const words = searchedWords(typed);
  const shown = options?.filter(
    ({ type: { name } }) => name === chosen || words.every((word) => fold(name).includes(word)),
  );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold text-body">Type de paiement</legend>
      {options && options.length > manyTypes && (
        <div className="mb-2">
          <Field
            label="Rechercher un type de paiement"
            labelHidden
            type="search"
            enterKeyHint="search"
            placeholder={`Rechercher parmi ${options.length}`}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            // Enter would send the order.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <QueryState
        query={types}
        loading="Chargement..."
        skeleton={skeleton}
        failure="Impossible de charger les types de paiement."
      >
        {() => (
          <div className={rows}>
            {shown?.map((option) => (
              <PaymentRadio
                key={option.type.id}
                option={option}
                chosen={option.type.name === chosen}
                onChoose={() => onChoose(option.type.name)}
              />
            ))}
            {shown?.length === 0 && (
              <p className="text-soft">
                {typed ? 'Aucun type de paiement de ce nom.' : "Aucun type de paiement n'est proposé pour le moment."}
              </p>
            )}
          </div>
        )}
      </QueryState>
    </fieldset>
  );
}

function PaymentRadio({
  option: { type, warning, note },
  chosen,
  onChoose,
}: {
  option: PaymentOption;
  chosen: boolean;
  onChoose: () => void;
}) {
  const id = useId();
  const isQuiet = Boolean(warning) && !chosen;
  return (
    <label className={choiceClass(chosen, isQuiet ? 'min-h-12' : height, isQuiet)}>
      <input
        type="radio"
        name="paymentType"
        checked={chosen}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-sim`}
        className={join(radioClass, isQuiet && 'opacity-60')}
      />
      <Face type={type} />
      <span className="wrap-anywhere min-w-0">
        <span id={`${id}-name`} className={isQuiet ? 'text-soft' : 'font-semibold'}>
          {type.name}
        </span>
        <span id={`${id}-sim`} className={join('block text-small', warning ? 'text-amber' : 'text-soft')}>
          {chosen ? note : warning}
        </span>
      </span>
    </label>
  );
}

function Face({ type: { name, pictureUrl, icon } }: { type: PaymentType }) {
  if (pictureUrl) return <Picture src={pictureUrl} side="3rem" className="size-9 shrink-0 rounded-xl object-cover" />;
  if (!icon) return <OperatorMark name={name} size="small" />;
  return (
    <span
      className="flex size-9 shrink-0 items-center justify-center rounded-xl bg-ground text-title"
      aria-hidden="true"
    >
      {icon}
    </span>
  );
}
