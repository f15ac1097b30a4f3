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
  lacks: { amount: boolean; number: boolean; type: boolean /** One that pays somebody. */; code: boolean };
  /** Why the last try failed, after its toast is gone. */
  failure: string | undefined;
  busy: boolean;
}

/** Leads to what the order still lacks: the number, else the amount, else the payment types, or another try to load them. */
function focusMissing({ form }: HTMLButtonElement, { number, amount }: Props['lacks']): void {
  const types = '[name=paymentType]:enabled, fieldset:last-of-type button';
  const missing = number ? '[name=beneficiary]' : amount ? '[name=amount]' : types;
  form?.querySelector<HTMLElement>(missing)?.focus();
}

/** The price of the order and its button, sticky at the bottom of the screen unless its text is so large that it would hide the form. */
export function ConfirmBar({ services, price, lacks, failure, busy }: Props) {
  const reason = useId();
  const lack = lackOf(lacks);
  const isPriced = services.at(-1)?.allowUserPriceInput || hasPrice(services);
  return (
    <div className="confirm-bar sticky bottom-[min(0px,(var(--screen)-16rem)*99,(100vw-19rem)*99)] z-10 -mx-4 mt-auto border-line border-t bg-card px-4 pt-2 pb-[calc(0.75rem+env(safe-area-inset-bottom))] short:py-1.5 sm:rounded-t-card sm:border-x">
      <div className="flex flex-col gap-2 rail:flex-row rail:items-center rail:gap-4">
        <h2 className="sr-only">Prix</h2>
        <div
          className={join(
            'min-w-0 leading-tight rail:flex-1',
            isPriced && 'grid grid-cols-[1fr_auto] items-baseline gap-x-3 @max-[17rem]:grid-cols-1 rail:items-center',
          )}
        >
          {isPriced ? <Total services={services} price={price} /> : <NoPrice services={services} />}
          <p
            id={reason}
            className="col-span-full w-0 min-w-full empty:hidden short:not-focus-within:min-w-0 short:not-focus-within:sr-only"
          >
            {lack && (
              <button
                type="button"
                className="py-1 text-left font-medium text-amber text-small underline underline-offset-2"
                onClick={({ currentTarget }) => focusMissing(currentTarget, lacks)}
              >
                {lack}
              </button>
            )}
          </p>
          {failure && <p className="col-span-full w-0 min-w-full py-1 text-brick text-small">{failure}</p>}
        </div>
        <Button
          type="submit"
          // Disabled, and yet found by a reader and by Tab: pressed, it leads to what is missing.
          aria-disabled={lack !== undefined || busy || undefined}
          aria-describedby={reason}
          busy={busy}
          tight
          className={join(
            'min-h-13 short:min-h-11 rail:min-w-48',
            lack && 'cursor-default! bg-leaf-pale! text-leaf/85! opacity-100!',
          )}
          onClick={(event) => {
            if (!lack) return;
            event.preventDefault();
            focusMissing(event.currentTarget, lacks);
          }}
        >
          {busy && <Spinner />}
          <span>{price.asking ? 'Calcul…' : 'Confirmer la demande'}</span>
        </Button>
      </div>
    </div>
  );
}

/** Why the order cannot be confirmed yet. A missing amount alone does not disable the button (P7.6). */
function lackOf({ amount, number, type, code }: Props['lacks']): string | undefined {
  if (code) return 'Choisissez un autre type de paiement, ou contactez-nous.';
  if (!number && !type) return undefined;
  if (!number && !amount) return 'Choisissez un type de paiement.';
  const own = number && (type ? 'le numéro' : 'le numéro du bénéficiaire');
  const [first, ...others] = [amount && 'la somme', own, type && 'le type de paiement'].filter(
    (part) => part !== false,
  );
  const last = others.pop();
  return `Indiquez ${[first, ...others].join(', ')}${last ? ` et ${last}` : ''}.`;
}

function Total({ services, price }: { services: Service[]; price: ShownPrice }) {
  return (
    <>
      <p className="font-semibold">Total à payer</p>
      <p
        data-testid="total"
        className="font-bold font-display text-title tabular-nums @max-[17rem]:wrap-anywhere @max-[17rem]:text-large rail:row-span-3"
      >
        {price.total === undefined ? '—' : spaceAmount(formatTotal(price.total, services))}
      </p>
      <p className="col-span-full text-small text-soft tabular-nums rail:col-span-1">{partsOf(services, price)}</p>
    </>
  );
}

/** 'Prix 1 000 FCFA + commission 50 FCFA'; the catalogue's own words stand alone: 'À partir de 1 000 FCFA, sans commission'. */
function partsOf(services: Service[], { amount, commission, total }: ShownPrice): string {
  if (total !== undefined && isFree(total, services)) return 'Ce service ne coûte rien.';
  if (amount === undefined) return 'Prix et commission selon la somme';
  const listed = services.at(-1)?.allowUserPriceInput ? undefined : priceTextOf(services);
  const price = listed === undefined ? formatAmount(amount) : formatPrice(listed);
  const named = /^\d/.test(price) ? `Prix ${price}` : price;
  if (commission === 0) return `${named}, sans commission`;
  return `${named} + commission\u00a0${commission === undefined ? '—' : formatAmount(commission)}`;
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
