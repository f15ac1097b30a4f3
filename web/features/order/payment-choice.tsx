import { useId } from 'react';
import type { PaymentType } from '#contract/payment-types.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';

interface Query {
  data: PaymentType[] | undefined;
  isError: boolean;
  isPaused: boolean;
  refetch: () => unknown;
}

const rows = 'grid gap-2 sm:grid-cols-2';
const row = 'min-h-13.5 rounded-xl border';

/** The payment types, by name, as touch targets. */
export function PaymentChoice({
  types,
  countryCode,
  chosen,
  onChoose,
}: {
  types: Query;
  /** The payer's country: its payment types come first. */
  countryCode: string;
  chosen: string;
  onChoose: (name: string) => void;
}) {
  const isNear = ({ countries }: PaymentType) =>
    countries.length === 0 || countries.some((code) => code === countryCode);
  const ordered = types.data?.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold text-sm">Type de paiement</legend>
      {ordered ? (
        <div className={rows}>
          {ordered.map((type) => (
            <PaymentRadio
              key={type.id}
              type={type}
              chosen={type.name === chosen}
              onChoose={() => onChoose(type.name)}
            />
          ))}
          {ordered.length === 0 && <p className="text-soft">Aucun type de paiement n’est proposé pour le moment.</p>}
        </div>
      ) : (
        <Unread types={types} />
      )}
    </fieldset>
  );
}

function PaymentRadio({ type, chosen, onChoose }: { type: PaymentType; chosen: boolean; onChoose: () => void }) {
  const id = useId();
  return (
    <label
      className={join(
        row,
        'flex cursor-pointer items-center gap-3 px-3 py-1.5 outline-indigo outline-offset-2 has-[:focus-visible]:outline-3',
        chosen ? 'border-leaf bg-leaf-pale ring-1 ring-leaf' : 'border-edge/60 bg-card',
      )}
    >
      <input
        type="radio"
        name="paymentType"
        checked={chosen}
        onChange={onChoose}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-sim`}
        className="size-5 shrink-0 accent-leaf outline-none"
      />
      <Face type={type} />
      <span className="wrap-anywhere min-w-0 leading-tight">
        <span id={`${id}-name`} className="font-semibold">
          {type.name}
        </span>
        <span id={`${id}-sim`} className="block text-[0.8125rem] text-soft">
          {chosen && type.operator && `Composez depuis votre SIM ${type.operator}`}
        </span>
      </span>
    </label>
  );
}

function Face({ type: { name, pictureUrl, icon } }: { type: PaymentType }) {
  if (pictureUrl) return <Picture src={pictureUrl} side="3rem" className="size-9 shrink-0 rounded-xl object-cover" />;
  if (!icon) return <OperatorMark name={name} size="small" />;
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-xl bg-ground text-xl" aria-hidden="true">
      {icon}
    </span>
  );
}

/** A placeholder until the payment types are loaded. */
function Unread({ types }: { types: Query }) {
  if (types.isError)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 basis-40 text-brick">Impossible de charger les types de paiement.</p>
        <Button variant="plain" onClick={() => types.refetch()}>
          Réessayer
        </Button>
      </div>
    );
  if (types.isPaused)
    return (
      <p className="text-soft">Vous êtes hors connexion. Les types de paiement s’afficheront au retour du réseau.</p>
    );
  return (
    <div role="status" className={join(rows, 'breathe')}>
      <span className="sr-only">Chargement...</span>
      {['first', 'second', 'third', 'fourth'].map((bone) => (
        <div key={bone} className={join(row, 'border-line bg-line/60')} />
      ))}
    </div>
  );
}
