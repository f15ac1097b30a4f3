import { type FormEvent, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { usePaymentTypes } from '#web/dialling/use-payment-types.ts';
import { groupAmount, groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { retype } from '#web/forms/retype.ts';
import { type OrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Field } from '#web/ui/field.tsx';
import { BeneficiaryField } from './beneficiary-field.tsx';
import { ChosenService } from './chosen-service.tsx';
import { ConfirmBar } from './confirm-bar.tsx';
import { PaymentChoice } from './payment-choice.tsx';
import { useConfirm } from './use-confirm.ts';
import { usePrice } from './use-price.ts';

interface Props {
  draft: OrderDraft;
  onServicesChanged: (services: Service[]) => void;
  onCreated: (ticket: Ticket) => void;
}

export function OrderForm({ draft, onServicesChanged, onCreated }: Props) {
  const { user } = useAuth();
  const countryCode = user?.countryCode ?? defaultCountryCode;
  const [typed, setTyped] = useState(draft.typed);
  const [phone, setPhone] = useState<TypedPhone>(() => groupPhone({ text: typed.beneficiary, caret: 0 }, countryCode));
  const paymentTypes = usePaymentTypes();
  const service = draft.services.at(-1) as Service;
  const price = usePrice(draft.services, typed.amount);
  const confirm = useConfirm({ onCreated, onServicesChanged, onServerTotal: price.showTotal });
  const offered = paymentTypes.data?.map(({ name }) => name);
  const only = offered?.length === 1 ? (offered[0] as string) : '';
  const paymentType = !offered || offered.includes(typed.paymentType) ? typed.paymentType || only : only;
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
    // Fills the screen, so that its bar is at the bottom from the start with any text size.
    <form onSubmit={onSubmit} noValidate className="@container flex flex-1 flex-col gap-3.5">
      <ChosenService services={draft.services} />
      <BeneficiaryField
        phone={phone}
        onChange={(next) => {
          setPhone(next);
          change({ beneficiary: phoneText(next) });
        }}
      />
      {service.allowUserPriceInput && (
        <Field
          label="Entrer la somme"
          inputMode="numeric"
          autoComplete="off"
          placeholder="5 000"
          value={groupAmount({ text: typed.amount, caret: 0 }).text}
          onChange={(event) => change({ amount: retype(event, groupAmount).text })}
          className="min-h-13 font-semibold text-xl tabular-nums placeholder:font-normal"
          hint="En francs CFA, sans centimes."
          error={
            typed.amount.trim() && price.amount === undefined
              ? 'Saisissez un nombre entier, de 1 à 10 000 000.'
              : undefined
          }
        />
      )}
      <PaymentChoice
        types={paymentTypes}
        countryCode={countryCode}
        chosen={paymentType}
        onChoose={(name) => change({ paymentType: name })}
      />
      <ConfirmBar
        services={draft.services}
        price={price}
        disabled={!paymentType || !phone.number.trim()}
        busy={confirm.busy}
      />
    </form>
  );
}
