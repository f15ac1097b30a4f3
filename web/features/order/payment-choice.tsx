import { type ComponentProps, useId, useState } from 'react';
import { notPayable } from '#contract/dial-code.ts';
import { fold, searchedWords } from '#contract/fold.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { exampleCode } from '#web/tickets/ticket-code.tsx';
import { choiceClass, radioClass } from '#web/ui/choice.ts';
import { Field } from '#web/ui/field.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { keepPlaces, listPaymentOptions, type Payer, type PaymentOption } from './payment-notes.ts';

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

interface Props {
  payer: Payer;
  /** Whether there is something to pay. */
  mustPay: boolean;
  chosen: string;
  onChoose: (name: string) => void;
}

/** The payment types as touch targets, likely ones first, each with what it leads to. */
export function PaymentChoice({
  types,
  ...props
}: Props & { types: ComponentProps<typeof QueryState<PaymentType[]>>['query'] }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold text-body">Type de paiement</legend>
      <QueryState
        query={types}
        loading="Chargement..."
        skeleton={skeleton}
        failure="Impossible de charger les types de paiement."
        inline
      >
        {(loaded) => <Options types={loaded} {...props} />}
      </QueryState>
    </fieldset>
  );
}

/** Places are those of the first drawing: nothing moves under a finger. */
function Options({ types, payer, mustPay, chosen, onChoose }: Props & { types: PaymentType[] }) {
  const [opened] = useState(() => listPaymentOptions(types, payer));
  const [isOpen] = useState(() => opened.some(({ type, isOther }) => isOther && type.name === chosen));
  const [typed, setTyped] = useState('');
  const options = keepPlaces(opened, listPaymentOptions(types, payer));
  const words = searchedWords(typed);
  const shown = options.filter(
    ({ type: { name } }) => name === chosen || words.every((word) => fold(name).includes(word)),
  );
  const isFolded = (option: PaymentOption) => option.isOther && words.length === 0;
  const others = shown.filter(isFolded);
  const note = noteOf(
    options.find(({ type }) => type.name === chosen),
    mustPay,
  );
  const radio = (option: PaymentOption) => (
    <PaymentRadio
      key={option.type.id}
      option={option}
      chosen={option.type.name === chosen}
      onChoose={() => onChoose(option.type.name)}
    />
  );
  return (
    <>
      {options.length > manyTypes && <SearchField count={options.length} typed={typed} onType={setTyped} />}
      <div className={rows}>{shown.filter((option) => !isFolded(option)).map(radio)}</div>
      {others.length > 0 && (
        <details open={isOpen} className="group mt-1">
          <summary className="flex min-h-12 list-none items-center gap-1 font-semibold text-body text-leaf [&::-webkit-details-marker]:hidden">
            {`Autres moyens (${others.length})`}
            <ChevronIcon className="size-5 transform-[rotate(90deg)] group-open:transform-[rotate(-90deg)]" />
          </summary>
          <div className={rows}>{others.map(radio)}</div>
        </details>
      )}
      {shown.length === 0 && (
        <p className="text-soft">
          {typed ? 'Aucun type de paiement de ce nom.' : "Aucun type de paiement n'est proposé pour le moment."}
        </p>
      )}
      <div className={note && 'mt-2 flex flex-wrap items-center gap-x-3 rounded-xl bg-amber-pale px-3.5 py-1'}>
        <p id="payment-note" role="status" className="min-w-0 flex-1 basis-56 py-1.5 leading-snug empty:hidden">
          {note?.words}
        </p>
        {note?.isForUs && <ContactButton variant="quiet" tight className="-mx-3 text-body" />}
      </div>
    </>
  );
}

function SearchField({ count, typed, onType }: { count: number; typed: string; onType: (typed: string) => void }) {
  return (
    <div className="mb-2">
      <Field
        label="Rechercher un type de paiement"
        labelHidden
        type="search"
        enterKeyHint="search"
        placeholder={`Rechercher parmi ${count}`}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => onType(target.value)}
        // Enter would send the order.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  );
}

/** What is wrong with the code of the chosen option, and whether it is the operator's to mend. */
function noteOf(option: PaymentOption | undefined, mustPay: boolean): { words: string; isForUs: boolean } | undefined {
  const { lack, example } = option ?? {};
  if (lack) {
    const next = mustPay
      ? 'Vous pouvez envoyer la demande, puis nous contacter pour payer.'
      : 'Un agent traitera votre demande.';
    return { words: `${lack} ${next}`, isForUs: true };
  }
  if (!example || !mustPay) return undefined;
  return example === 'refused' ? { words: notPayable, isForUs: true } : { words: exampleCode, isForUs: false };
}

function PaymentRadio({
  option: { type, isOther, isGone, sim, lack, example },
  chosen,
  onChoose,
}: {
  option: PaymentOption;
  chosen: boolean;
  onChoose: () => void;
}) {
  const id = useId();
  const isQuiet = isOther && !chosen;
  const simNote = chosen && sim ? `Depuis votre SIM ${sim}` : undefined;
  return (
    <label className={choiceClass(chosen, height, isQuiet)}>
      <input
        type="radio"
        name="paymentType"
        checked={chosen}
        disabled={isGone}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={chosen && (lack || example) ? `payment-note ${id}-sim` : `${id}-sim`}
        className={join(radioClass, isQuiet && 'opacity-60')}
      />
      <span className="contents @max-[17rem]:hidden">
        <Face type={type} />
      </span>
      <span className="wrap-anywhere min-w-0">
        <span id={`${id}-name`} className={isQuiet || isGone ? 'text-soft' : 'font-semibold'}>
          {type.name}
        </span>
        <span id={`${id}-sim`} className="block text-small text-soft">
          {isGone ? "N'est plus proposé" : isOther ? 'Sans code pour ce service' : simNote}
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
