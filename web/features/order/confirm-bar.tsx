import { useId } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { hasPrice, isFree, isPriceUnusable, priceTextOf } from '#contract/pricing.ts';
import { formatPrice } from '#web/catalogue/service-text.tsx';
import { formatAmount, formatTotal, spaceAmount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { ShownPrice } from './use-price.ts';

interface Props {
  services: Service[];
  price: ShownPrice;
  /** What the order still lacks. */
  lacks: { number: boolean; type: boolean /** One that pays somebody. */; code: boolean };
  busy: boolean;
}

/** The price of the order and its button, sticky at the bottom of the screen. */
export function ConfirmBar({ services, price, lacks, busy }: Props) {
  const reason = useId();
  const isPriced = services.at(-1)?.allowUserPriceInput || hasPrice(services);
  return (
    <>
      {/* With large text the bar shows the essentials only. */}
      {isPriced && <p className="@max-[17rem]:block hidden text-small text-soft">{partsOf(services, price)}</p>}
      <div className="confirm-bar sticky bottom-0 z-10 -mx-4 mt-auto border-line border-t bg-card px-4 pt-2 pb-[calc(0.75rem+env(safe-area-inset-bottom))] short:py-1.5 sm:rounded-t-card sm:border-x">
        <div className="flex flex-col gap-2 @max-[17rem]:flex-wrap rail:flex-row rail:items-center rail:gap-4 rail:@max-[17rem]:gap-2">
          <h2 className="sr-only">Prix</h2>
          <div
            className={join(
              'min-w-0 leading-tight @max-[17rem]:min-w-max rail:flex-1',
              isPriced && 'grid grid-cols-[1fr_auto] items-baseline gap-x-3 @max-[17rem]:grid-cols-1 rail:items-center',
            )}
          >
            {isPriced ? <Total services={services} price={price} /> : <NoPrice services={services} />}
            <p
              id={reason}
              className="col-span-full mt-1 w-0 min-w-full font-medium text-amber text-small empty:hidden short:sr-only"
            >
              {lackOf(lacks)}
            </p>
          </div>
          <Button
            type="submit"
            disabled={lacks.number || lacks.type || lacks.code}
            aria-describedby={reason}
            busy={busy}
            tight
            className="min-h-13 short:min-h-11 @max-[17rem]:text-body rail:min-w-48 rail:@max-[17rem]:min-w-min rail:@max-[17rem]:flex-1"
          >
            {busy && <Spinner />}
            <span>{price.asking ? 'Calcul…' : 'Confirmer la demande'}</span>
          </Button>
        </div>
      </div>
    </>
  );
}

/** Why the order cannot be confirmed yet. */
function lackOf({ number, type, code }: Props['lacks']): string | undefined {
  if (code) return 'Choisissez un autre type de paiement, ou contactez-nous.';
  if (number) return `Indiquez le numéro${type ? ' et le type de paiement' : ' du bénéficiaire'}.`;
  return type ? 'Choisissez un type de paiement.' : undefined;
}

function Total({ services, price }: { services: Service[]; price: ShownPrice }) {
  return (
    <>
      <p className="font-semibold @max-[17rem]:text-body">Total à payer</p>
      <p
        data-testid="total"
        className="whitespace-nowrap font-bold font-display text-title tabular-nums rail:@max-[17rem]:text-large rail:row-span-3"
      >
        {price.total === undefined ? '—' : spaceAmount(formatTotal(price.total, services))}
      </p>
      {price.failed ? (
        <div className="col-span-full flex flex-wrap items-center gap-x-3 text-brick text-body rail:col-span-1">
          <p className="flex-1 basis-40">La commission n'a pas pu être calculée.</p>
          <Button variant="quiet" tight onClick={() => price.retry()}>
            Réessayer
          </Button>
        </div>
      ) : (
        <p className="col-span-full text-small text-soft tabular-nums rail:col-span-1 @max-[17rem]:hidden">
          {partsOf(services, price)}
        </p>
      )}
    </>
  );
}

/** 'Prix 1 000 FCFA + commission 50 FCFA', or the catalogue's own words, such as 'À partir de 1 000 FCFA'. */
function partsOf(services: Service[], { amount, commission, total }: ShownPrice): string {
  if (total !== undefined && isFree(total, services)) return 'Ce service ne coûte rien.';
  if (amount === undefined) return 'Prix et commission selon la somme';
  const listed = services.at(-1)?.allowUserPriceInput ? undefined : priceTextOf(services);
  const fee = commission === undefined ? '—' : formatAmount(commission);
  return `Prix ${listed === undefined ? formatAmount(amount) : formatPrice(listed)} + commission\u00a0${fee}`;
}

/** A service without a price. Words may stand for it, such as 'Sur devis'; digits that cannot be read order nothing. */
function NoPrice({ services }: { services: Service[] }) {
  const text = priceTextOf(services);
  return (
    <>
      {text && <p className="font-semibold">{text}</p>}
      <p className="text-body">
        {isPriceUnusable(services)
          ? 'Ce prix ne peut pas être lu\u00a0: ce service ne se commande pas pour le moment.'
          : 'Un agent vous communiquera le prix de ce service.'}
      </p>
    </>
  );
}
