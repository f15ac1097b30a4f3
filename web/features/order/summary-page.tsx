import { useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { isOfferedIn } from '#contract/dial-code.ts';
import { countryOfPath } from '#contract/order-doubts.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { addresses, levelAddress, ticketDetailAddress } from '#web/addresses.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { AmountField } from '#web/forms/amount-field.tsx';
import { groupAmount, groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { forgetOrderDraft, type OrderDraft, readOrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { useDecisionTime } from '#web/tickets/decision-time.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { useCloseToast } from '#web/ui/toast.tsx';
import { BeneficiaryField } from './beneficiary-field.tsx';
import { ConfirmBar } from './confirm-bar.tsx';
import { DoubtsDialog } from './doubts-dialog.tsx';
import { forgetFiledTicket, keepFiledTicket, readFiledTicket } from './filed-ticket.ts';
import { PaymentChoice } from './payment-choice.tsx';
import { listPaymentOptions } from './payment-notes.ts';
import { SuccessDialog } from './success-dialog.tsx';
import { useConfirm } from './use-confirm.ts';
import { usePrice } from './use-price.ts';

export default function SummaryPage() {
  const [draft, setDraft] = useState<OrderDraft | undefined>(readOrderDraft);
  const [filed] = useState(readFiledTicket);
  const [ticket, setTicket] = useState<Ticket>();
  const closeToast = useCloseToast();
  useDecisionTime();
  // After a reload, or a crash, its code is on the ticket's own page.
  if (!draft) return <Redirect to={filed === undefined ? addresses.home : ticketDetailAddress(filed)} />;
  const leave = (to: string) => {
    forgetFiledTicket();
    navigate(to, { replace: true });
  };
  const back = () => {
    const above = draft.services.slice(0, -1).map((service) => service.id);
    goBack(levelAddress(above));
  };
  return (
    // At least as tall as the screen, so that the bar is at its bottom.
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col px-4 pt-1.5 rail:self-stretch">
      <PageTitle onBack={back}>Récapitulatif de la commande</PageTitle>
      <OrderForm
        draft={draft}
        onServicesChanged={(services) => setDraft({ ...draft, services })}
        onCreated={(created) => {
          forgetOrderDraft();
          keepFiledTicket(created);
          closeToast();
          setTicket(created);
        }}
      />
      {ticket && (
        <SuccessDialog created={ticket} onHome={() => leave(addresses.home)} onClose={() => leave(addresses.tickets)} />
      )}
    </main>
  );
}

interface Props {
  draft: OrderDraft;
  onServicesChanged: (services: Service[]) => void;
  onCreated: (ticket: Ticket) => void;
}

function OrderForm({ draft, onServicesChanged, onCreated }: Props) {
  const { user } = useAuth();
  const countryCode = user?.countryCode ?? defaultCountryCode;
  const [typed, setTyped] = useState(() => ({
    ...draft.typed,
    amount: groupAmount({ text: draft.typed.amount, caret: 0 }).text,
  }));
  const [phone, setPhone] = useState<TypedPhone>(() => {
    const named = countryOfPath(draft.services.map(({ name }) => name));
    return groupPhone({ text: typed.beneficiary, caret: 0 }, named?.code ?? countryCode);
  });
  const paymentTypes = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes, keep: true });
  const service = draft.services.at(-1) as Service;
  const price = usePrice(draft.services, typed.amount);
  const isKnown = user !== undefined && !user.isGuest;
  const earlier = useList(listUserTickets, { params: { userId: String(user?.id) } }, { keep: true, enabled: isKnown });
  const lastUsed = isKnown ? earlier.data?.rows[0]?.paymentTypeName : undefined;
  const payerCountry = isKnown ? countryCode : '';
  const offered = paymentTypes.data
    ?.filter((type) => !isKnown || isOfferedIn(type, countryCode))
    .map(({ name }) => name);
  const only = offered?.length === 1 ? (offered[0] as string) : '';
  const paymentType = !offered || offered.includes(typed.paymentType) ? typed.paymentType || only : only;
  const payer = {
    countryCode: payerCountry,
    phone: user?.phone ?? '',
    serviceTemplate: service.phoneNumber,
    lastUsed,
  };
  const isRefused =
    price.total !== 0 &&
    listPaymentOptions(paymentTypes.data ?? [], payer).find(({ type }) => type.name === paymentType)?.example ===
      'refused';
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    updateOrderDraft({ typed: next });
  };
  const amountProblem =
    price.amount === undefined && typed.amount.trim() ? 'Saisissez un nombre entier, de 1 à 10 000 000.' : undefined;
  const { form, errors, busy, doubts, answerDoubts } = useConfirm(
    { ...typed, paymentType, services: draft.services, price, amountProblem, earlier: earlier.data?.rows ?? [] },
    { onCreated, onServicesChanged },
  );

  return (
    // Fills the screen, so that its bar is at the bottom from the start with any text size.
    <form {...form} className="@container flex flex-1 flex-col gap-3.5">
      <ChosenService services={draft.services} />
      <BeneficiaryField
        phone={phone}
        refused={errors.beneficiary}
        onChange={(next) => {
          setPhone(next);
          change({ beneficiary: phoneText(next) });
        }}
      />
      {service.allowUserPriceInput && (
        <AmountField
          label="Entrer la somme"
          name="amount"
          placeholder="5 000"
          value={typed.amount}
          onTyped={(amount) => change({ amount })}
          className="min-h-13 font-semibold text-title tabular-nums placeholder:font-normal @max-[17rem]:text-large"
          hint="En francs CFA, sans centimes."
          error={price.amount === undefined ? (amountProblem ?? errors.amount) : undefined}
        />
      )}
      <PaymentChoice
        types={paymentTypes}
        payer={payer}
        mustPay={price.total !== 0}
        chosen={paymentType}
        onChoose={(name) => change({ paymentType: name })}
      />
      <ConfirmBar
        services={draft.services}
        price={price}
        lacks={{
          amount: service.allowUserPriceInput && !typed.amount.trim(),
          number: !phone.number.trim(),
          type: !paymentType,
          code: isRefused,
        }}
        failure={errors.refused}
        busy={busy}
      />
      {doubts.length > 0 && (
        <DoubtsDialog doubts={doubts} onCheck={() => answerDoubts(false)} onConfirm={() => answerDoubts(true)} />
      )}
    </form>
  );
}

/** The ordered service and its path. */
function ChosenService({ services }: { services: Service[] }) {
  const service = services.at(-1) as Service;
  const above = services.slice(0, -1);
  return (
    <section aria-labelledby="chosen-service" className="flex items-start gap-3">
      <ServicePicture service={service} above={above.map(({ name }) => name)} size="small" />
      <div className="min-w-0 flex-1 text-small text-soft leading-snug">
        <h2 id="chosen-service" className="font-bold text-large text-ink leading-tight">
          {service.name}
        </h2>
        <ol aria-label="Chemin" className="mt-1 flex flex-wrap gap-y-0.5">
          {above.map(({ id, name }, place) => (
            <li key={id} className="flex max-w-full items-center">
              <span className="min-w-0 rounded bg-leaf-pale px-1.5">{name}</span>
              {place < above.length - 1 && (
                <span aria-hidden="true" className="px-1">
                  →
                </span>
              )}
            </li>
          ))}
        </ol>
        {service.description && <p className="mt-1">{service.description}</p>}
      </div>
    </section>
  );
}
