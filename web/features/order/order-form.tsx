import { type FormEvent, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import {
  countryOf,
  defaultCountryCode,
  findCountry,
  formatPhone,
  phonePlaceholder,
  readPhone,
} from '#contract/phone.ts';
import { hasPrice, priceTextOf } from '#contract/pricing.ts';
import type { Ticket } from '#contract/tickets.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { type OrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { useAuth } from '#web/session/auth.tsx';
import { formatAmount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useConfirm } from './use-confirm.ts';
import { type ShownPrice, usePrice } from './use-price.ts';

interface Props {
  draft: OrderDraft;
  onServicesChanged: (services: Service[]) => void;
  onCreated: (ticket: Ticket) => void;
}

/** Reads the number back as it will be dialled, or says what is wrong with it, once enough of it is there. */
function beneficiaryNote(typed: string, countryCode: string): { hint: string; error?: string } {
  const country = findCountry(countryCode);
  const advice = `Numéro local (${country?.name}), ou avec l’indicatif d’un autre pays.`;
  const reading = readPhone(typed, countryCode);
  if ('e164' in reading)
    return { hint: `Bénéficiaire : ${formatPhone(reading.e164)} (${countryOf(reading.e164)?.name})` };
  return typed.replace(/\D/g, '').length >= 8 ? { hint: advice, error: reading.problem } : { hint: advice };
}

export function OrderForm({ draft, onServicesChanged, onCreated }: Props) {
  const { user } = useAuth();
  const [typed, setTyped] = useState(draft.typed);
  const paymentTypes = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes });
  const service = draft.services.at(-1) as Service;
  const price = usePrice(draft.services, typed.amount);
  const confirm = useConfirm({ onCreated, onServicesChanged, onTold: price.believe });
  const countryCode = user?.countryCode ?? defaultCountryCode;
  const country = findCountry(countryCode);
  const offered = paymentTypes.data?.some((each) => each.name === typed.paymentType) ?? true;
  const paymentType = offered ? typed.paymentType : '';
  const note = beneficiaryNote(typed.beneficiary, countryCode);
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    updateOrderDraft({ typed: next });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void confirm.run({ ...typed, paymentType, services: draft.services, price });
  };

  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Card className="flex flex-col gap-4">
        <Field
          label="Numéro du bénéficiaire"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder={country && phonePlaceholder(country)}
          value={typed.beneficiary}
          onChange={(event) => change({ beneficiary: event.target.value })}
          hint={note.hint}
          error={note.error}
        />
        {service.allowUserPriceInput && (
          <Field
            label="Entrer la somme"
            inputMode="numeric"
            autoComplete="off"
            placeholder="5 000"
            value={typed.amount}
            onChange={(event) => change({ amount: event.target.value })}
            hint="En francs CFA, sans centimes."
            error={
              typed.amount.trim() && price.amount === undefined
                ? 'Saisissez un nombre entier, de 1 à 10 000 000.'
                : undefined
            }
          />
        )}
        <SelectField
          label="Type de paiement"
          value={paymentType}
          onChange={(event) => change({ paymentType: event.target.value })}
          hint={paymentTypes.isError ? 'Impossible de charger les types de paiement.' : undefined}
        >
          <option value="">{paymentTypes.isPending ? 'Chargement...' : 'Choisir un type de paiement'}</option>
          {paymentTypes.data?.map((each) => (
            <option key={each.id}>{each.name}</option>
          ))}
        </SelectField>
        {paymentTypes.isError && (
          <Button variant="plain" onClick={() => paymentTypes.refetch()}>
            Réessayer
          </Button>
        )}
      </Card>
      <PriceCard services={draft.services} price={price} />
      <Button type="submit" disabled={!paymentType || !typed.beneficiary.trim()} busy={confirm.busy}>
        {confirm.busy && <Spinner />}
        {price.asking ? 'Calcul…' : 'Confirmer la demande'}
      </Button>
    </form>
  );
}

function PriceCard({ services, price }: { services: Service[]; price: ShownPrice }) {
  const custom = services.at(-1)?.allowUserPriceInput;
  if (!custom && !hasPrice(services)) return <NoPriceCard text={priceTextOf(services)} />;
  const show = (francs: number | undefined) => (francs === undefined ? '—' : formatAmount(francs));
  const listed = price.amount === undefined ? undefined : priceTextOf(services);
  return (
    <Card>
      <h2 className="sr-only">Prix</h2>
      <Facts>
        <Fact name="Prix">{custom ? show(price.amount) : (listed ?? show(price.amount))}</Fact>
        <Fact name="Commission">{show(price.commission)}</Fact>
        <Fact name="Total à payer" main>
          <span data-testid="total">{show(price.total)}</span>
        </Fact>
      </Facts>
      {price.failed && (
        <div className="mt-3 flex flex-wrap items-center gap-3 text-brick text-sm">
          <p className="flex-1">La commission n’a pas pu être calculée.</p>
          <Button variant="plain" onClick={() => price.retry()}>
            Réessayer
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Of a service without a price; `text` is what stands in its place, such as 'Sur devis'. */
function NoPriceCard({ text }: { text: string | undefined }) {
  return (
    <Card>
      <h2 className="sr-only">Prix</h2>
      {text && <p className="font-semibold">{text}</p>}
      <p>Un agent vous communiquera le prix de ce service.</p>
    </Card>
  );
}
