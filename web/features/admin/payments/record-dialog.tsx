import { parseTypedAmount } from '#contract/money.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { type PaymentMessage, recordPayment } from '#contract/payments.ts';
import type { InputOf } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { groupAmount, retype } from '#web/forms/grouped-typing.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatAmount, formatDayAndHour } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountField } from './intake.tsx';
import { paymentReads } from './use-approve.tsx';

/** Makes a payment of a message by what a person reads in it. */
export function RecordDialog({
  message: { id, accountId, text, receivedAt },
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
  const { form, errors, busy } = useForm<InputOf<typeof recordPayment>['body']>({
    read: ({ accountId: account, ...values }) => {
      const gross = parseTypedAmount(values.gross ?? '');
      const paidAt = new Date(values.paidAt ?? '');
      const found = {
        ...(!account && { accountId: 'Choisissez un compte.' }),
        ...(gross === undefined && { gross: 'Saisissez un montant en francs entiers.' }),
        ...(Number.isNaN(paidAt.getTime()) && { paidAt: "Saisissez le jour et l'heure du paiement." }),
      };
      if (gross === undefined || Object.keys(found).length > 0) return { errors: found };
      const [reference, payer] = [values.reference?.trim() || null, values.payer?.trim() || null];
      return { data: { accountId: Number(account), gross, reference, payer, paidAt: paidAt.toISOString() } };
    },
    send: async (body) => {
      const noted = await call(recordPayment, { params: { id: String(id) }, body });
      toast({ title: noted.message, description: formatAmount(body.gross) });
      onClose();
    },
    failure: { fallback: "Le paiement n'a pas pu être noté." },
    after: () => refresh(...paymentReads),
  });
  const optional = { autoComplete: 'off', spellCheck: false };
  return (
    <Dialog title="C'est un paiement" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        <p className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-ground px-3.5 py-2.5 text-sm">
          {text ?? 'Le texte a été effacé après 30 jours.'}
        </p>
        <AccountField accounts={accounts} value={accountId ?? undefined} error={errors.accountId} />
        <Field
          label="Montant payé (FCFA)"
          name="gross"
          inputMode="numeric"
          autoComplete="off"
          hint="Frais compris."
          error={errors.gross}
          onChange={(event) => retype(event, groupAmount)}
        />
        <Field label="Référence (facultatif)" name="reference" maxLength={60} {...optional} error={errors.reference} />
        <Field
          label="Payé depuis le numéro (facultatif)"
          name="payer"
          type="tel"
          maxLength={40}
          {...optional}
          error={errors.payer}
        />
        <Field
          label="Payé le"
          name="paidAt"
          type="datetime-local"
          defaultValue={`${dayOf(new Date(receivedAt))}T${formatDayAndHour(receivedAt).hour}`}
          error={errors.paidAt}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Noter le paiement
        </DialogFoot>
      </form>
    </Dialog>
  );
}
