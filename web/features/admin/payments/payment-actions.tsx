import { useState } from 'react';
import { ignorePayment, matchPayment, type Payment, unmatchPayment } from '#contract/payments.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { PaymentFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useRowAction } from '#web/features/admin/shared/use-row-action.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/router.tsx';
import { formatAmount } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { paymentReads } from './use-approve.tsx';

export type PaymentActions = ReturnType<typeof usePaymentActions>;

/** What may be done with a payment by itself, and the dialogs of that, which the caller renders. */
export function usePaymentActions() {
  const call = useCall();
  const attempt = useAttempt();
  const [linked, setLinked] = useState<Payment>();
  const [approved, setApproved] = useState<number>();
  const paramsOf = ({ id }: Payment) => ({ id: String(id) });
  const unmatch = useRowAction(async (payment: Payment) => {
    const write = async () => {
      const { ticketId, ticketStatus } = await call(unmatchPayment, { params: paramsOf(payment) });
      if (ticketStatus === 'approved') setApproved(ticketId);
      return { title: 'Paiement retiré', description: `Il n'est plus relié au ticket n°\u00a0${ticketId}.` };
    };
    await attempt(write, { fallback: "Le paiement n'a pas pu être retiré du ticket." }, ...paymentReads);
  });
  const ignore = useRowAction(async (payment: Payment, ignored: boolean) => {
    const write = async () => {
      await call(ignorePayment, { params: paramsOf(payment), body: { ignored } });
      return { title: ignored ? 'Paiement ignoré' : 'Paiement repris', description: formatAmount(payment.gross) };
    };
    await attempt(write, { fallback: "Le paiement n'a pas pu être modifié." }, ...paymentReads);
  });
  return {
    link: setLinked,
    unmatch,
    ignore,
    dialog: linked ? (
      <LinkDialog payment={linked} onClose={() => setLinked(undefined)} />
    ) : (
      approved && <StillApproved ticketId={approved} onClose={() => setApproved(undefined)} />
    ),
  };
}

/** The buttons that a payment's state allows. */
export function PaymentButtons({
  payment,
  actions: { link, unmatch, ignore },
  small,
}: {
  payment: Payment;
  actions: PaymentActions;
  small?: boolean;
}) {
  const of = `(${formatAmount(payment.gross)})`;
  if (payment.ticketId !== null)
    return (
      <RowButton
        name="Retirer du ticket"
        of={of}
        small={small}
        variant="danger"
        busy={unmatch.busy.has(payment.id)}
        onClick={() => unmatch.run(payment)}
      />
    );
  const isIncome = payment.direction === 'in' && payment.state !== 'failed' && payment.state !== 'reversed';
  if (!isIncome && payment.direction !== 'reversal') return null;
  return (
    <>
      {isIncome && !payment.isIgnored && (
        <RowButton name="Relier à un ticket" of={of} small={small} variant="outline" onClick={() => link(payment)} />
      )}
      <RowButton
        name={payment.isIgnored ? 'Ne plus ignorer' : 'Ignorer'}
        of={of}
        small={small}
        variant="plain"
        busy={ignore.busy.has(payment.id)}
        onClick={() => ignore.run(payment, !payment.isIgnored)}
      />
    </>
  );
}

/** Pairs a payment with a ticket by the ticket's number. */
function LinkDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const { form, errors, busy } = useForm<number>({
    read: ({ ticket = '' }) => {
      const digits = ticket.replace(/[\sn°]/gi, '');
      return /^[1-9]\d{0,8}$/.test(digits)
        ? { data: Number(digits) }
        : { errors: { ticket: 'Saisissez le numéro du ticket, par exemple 418.' } };
    },
    send: async (ticketId) => {
      await call(matchPayment, { params: { id: String(payment.id) }, body: { ticketId } });
      const description = `Le statut de la demande n°\u00a0${ticketId} n'a pas changé.`;
      toast({ title: 'Paiement relié au ticket', description });
      onClose();
    },
    failure: { fallback: "Le paiement n'a pas pu être relié." },
    after: () => refresh(...paymentReads),
  });
  return (
    <Dialog title="Relier à un ticket" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-5">
        <PaymentFacts payment={payment} />
        <Field
          label="Numéro du ticket"
          name="ticket"
          inputMode="numeric"
          autoComplete="off"
          hint="Son total doit être ce montant."
          error={errors.ticket}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Relier
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Asks about a ticket that was approved by a payment which was taken from it: nothing of it is undone by itself. */
function StillApproved({ ticketId, onClose }: { ticketId: number; onClose: () => void }) {
  return (
    <Dialog title="Paiement retiré du ticket" onClose={onClose}>
      <p className="mt-3">{`La demande n°\u00a0${ticketId} reste approuvée. Voulez-vous la rejeter\u00a0?`}</p>
      <DialogButtons className="mt-5">
        <Button variant="plain" onClick={onClose}>
          La laisser approuvée
        </Button>
        <Link href={adminTicketAddress(ticketId)} className={buttonClass()} onClick={onClose}>
          {`Ouvrir le ticket n°\u00a0${ticketId}`}
        </Link>
      </DialogButtons>
    </Dialog>
  );
}
