import { useState } from 'react';
import { parseTypedAmount } from '#contract/money.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { type PaymentMessage, recordPayment } from '#contract/payments.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import type { InputOf } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { groupAmount, phoneText, retype, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatAmount, formatDayAndHour } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountField, onlyAccount } from './account-field.tsx';
import { paymentReads } from './use-approve.ts';

type Read = InputOf<typeof recordPayment>['body'];

/** Makes a payment of a message by what a person reads in it. */
export function RecordDialog({
  message,
  accounts,
  onClose,
}: {
  message: PaymentMessage;
  accounts: readonly PaymentAccount[];
  onClose: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [account, setAccount] = useState(String(message.accountId ?? onlyAccount(accounts)));
  const countryOf = (id: string) => accounts.find((each) => String(each.id) === id)?.country ?? defaultCountryCode;
  const [payer, setPayer] = useState<TypedPhone>({ code: countryOf(account), number: '' });
  const { form, errors, busy } = useForm<Read>({
    read: (values) => {
      const gross = parseTypedAmount(values.gross ?? '');
      const paidAt = new Date(values.paidAt ?? '');
      const found: FieldErrors = {
        ...(!account && { accountId: 'Choisissez un compte.' }),
        ...(gross === undefined && { gross: 'Saisissez un montant en francs entiers.' }),
        ...(Number.isNaN(paidAt.getTime()) && { paidAt: "Saisissez le jour et l'heure du paiement." }),
      };
      if (gross === undefined || Object.keys(found).length > 0) return { errors: found };
      return {
        data: {
          accountId: Number(account),
          gross,
          reference: values.reference?.trim() || null,
          payer: phoneText(payer) || null,
          paidAt: paidAt.toISOString(),
        },
      };
    },
    send: async (body) => {
      const noted = await call(recordPayment, { params: { id: String(message.id) }, body });
      toast({ title: noted.message, description: formatAmount(body.gross) });
      onClose();
    },
    failure: { fallback: "Le paiement n'a pas pu être noté." },
    after: () => refresh(...paymentReads),
  });
  return (
    <Dialog title="C'est un paiement" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        <p className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-ground px-3.5 py-2.5 text-sm">
          {message.text ?? 'Le texte a été effacé après 30 jours.'}
        </p>
        <AccountField
          name="accountId"
          accounts={accounts}
          value={account}
          error={errors.accountId}
          onChoose={(id) => {
            setAccount(id);
            if (!payer.number) setPayer({ code: countryOf(id), number: '' });
          }}
        />
        <Field
          label="Montant payé (FCFA)"
          name="gross"
          inputMode="numeric"
          autoComplete="off"
          hint="Frais compris."
          error={errors.gross}
          onChange={(event) => retype(event, groupAmount)}
        />
        <Field
          label="Référence (facultatif)"
          name="reference"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={errors.reference}
        />
        <PhoneField
          label="Payé depuis le numéro (facultatif)"
          name="payer"
          autoComplete="off"
          value={payer}
          error={errors.payer}
          onChange={setPayer}
        />
        <Field
          label="Payé le"
          name="paidAt"
          type="datetime-local"
          defaultValue={`${dayOf(new Date(message.receivedAt))}T${formatDayAndHour(message.receivedAt).hour}`}
          error={errors.paidAt}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Noter le paiement
        </DialogFoot>
      </form>
    </Dialog>
  );
}
