import { type ReactNode, useState } from 'react';
import { listPaymentAccounts } from '#contract/payment-feed.ts';
import {
  countProposals,
  ignoreMessage,
  ignorePayment,
  listPayments,
  listProposals,
  listUnreadMessages,
  matchPayment,
  type Payment,
  readTicketPayment,
  remindPayer,
  unmatchPayment,
} from '#contract/payments.ts';
import { listTickets } from '#contract/tickets.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import type { RowAction } from '#web/features/admin/shared/listing.tsx';
import { PaymentFacts, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { type Done, useAction } from '#web/forms/use-action.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Link } from '#web/router.tsx';
import { formatAmount } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EyeIcon, EyeOffIcon } from '#web/ui/control-icons.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { LinkIcon, UnlinkIcon } from './payment-icons.tsx';

export const paymentReads = [
  listProposals,
  countProposals,
  listPayments,
  readTicketPayment,
  listUnreadMessages,
  listPaymentAccounts,
];

type Row = { id: number };

/** What may be done with payments (`actionsOf`), requests and messages of a list; the caller renders `dialog`. */
export function usePaymentActions() {
  const call = useCall();
  const [dialog, setDialog] = useState<ReactNode>();
  const close = () => setDialog(undefined);
  const { run, running } = useAction((_: Row, _fallback: string, write: () => Done) => write(), {
    failure: (_, _row, fallback) => ({ fallback }),
    reads: paymentReads,
    keyOf: ({ id }) => id,
  });
  const paramsOf = ({ id }: Row) => ({ params: { id: String(id) } });
  const unmatch = (payment: Payment) =>
    run(payment, "Le paiement n'a pas pu être retiré du ticket.", async () => {
      const { ticketId, ticketStatus } = await call(unmatchPayment, paramsOf(payment));
      if (ticketStatus === 'approved') setDialog(<StillApproved ticketId={ticketId} onClose={close} />);
      return { title: 'Paiement retiré', description: `Il n'est plus relié au ticket n°\u00a0${ticketId}.` };
    });
  const ignore = (payment: Payment, ignored: boolean) =>
    run(payment, "Le paiement n'a pas pu être modifié.", async () => {
      await call(ignorePayment, { ...paramsOf(payment), body: { ignored } });
      return { title: ignored ? 'Paiement ignoré' : 'Paiement repris', description: formatAmount(payment.gross) };
    });
  const isBusy = ({ id }: Row) => running.has(id);
  /** What a payment's state allows. */
  const actionsOf = (payment: Payment): RowAction[] => {
    const { ticketId, direction, state, isIgnored } = payment;
    const which = { of: `(${formatAmount(payment.gross)})`, busy: isBusy(payment) };
    if (ticketId !== null)
      return [{ name: 'Retirer du ticket', Icon: UnlinkIcon, ...which, onClick: () => unmatch(payment) }];
    if (direction !== 'in' || state === 'failed' || state === 'reversed') return [];
    const link = () => setDialog(<LinkDialog payment={payment} onClose={close} />);
    return [
      !isIgnored && { name: 'Relier à un ticket', Icon: LinkIcon, of: which.of, onClick: link },
      {
        name: isIgnored ? 'Ne plus ignorer' : 'Ignorer',
        Icon: isIgnored ? EyeIcon : EyeOffIcon,
        ...which,
        onClick: () => ignore(payment, !isIgnored),
      },
    ];
  };
  return {
    dialog,
    setDialog,
    close,
    isBusy,
    actionsOf,
    remind: (ticket: Row) =>
      run(ticket, "La relance n'a pas pu être envoyée.", async () => {
        await call(remindPayer, { body: { ticketId: ticket.id } });
        const description = `Ticket n°\u00a0${ticket.id}\u00a0: une notification lui est envoyée.`;
        return { title: 'Personne relancée', description };
      }),
    ignoreMessage: (message: Row) =>
      run(message, "Le message n'a pas pu être ignoré.", async () => {
        await call(ignoreMessage, paramsOf(message));
        return { title: 'Message ignoré' };
      }),
  };
}

function LinkDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const call = useCall();
  const { form, errors, busy } = useForm<number>({
    read: ({ ticket = '' }) => {
      const digits = ticket.replace(/[\sn°]/gi, '');
      return /^[1-9]\d{0,8}$/.test(digits)
        ? { data: Number(digits) }
        : { errors: { ticket: 'Saisissez le numéro du ticket, par exemple 418.' } };
    },
    send: async (ticketId) => {
      await call(matchPayment, { params: { id: String(payment.id) }, body: { ticketId } });
      onClose();
      const description = `Le statut de la demande n°\u00a0${ticketId} n'a pas changé.`;
      return { title: 'Paiement relié au ticket', description };
    },
    failure: { fallback: "Le paiement n'a pas pu être relié." },
    reads: paymentReads,
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
        <Candidates
          gross={payment.gross}
          onChoose={(id) => {
            const field = form.ref.current?.elements.namedItem('ticket') as HTMLInputElement;
            field.value = String(id);
            field.focus();
          }}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Relier
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const candidatesShown = 5;

/** The last requests of an amount that are not rejected, whose numbers nobody knows by heart. */
function Candidates({ gross, onChoose }: { gross: number; onChoose: (ticketId: number) => void }) {
  const found = useEndpoint(listTickets, { query: { search: String(gross) } }, { freshForMs: 0 }).data;
  const equal = found?.filter(({ totalPrice, status }) => Number(totalPrice) === gross && status !== 'rejected') ?? [];
  if (equal.length === 0) return null;
  return (
    <ul aria-label="Demandes de ce montant" className="divide-y divide-line text-body">
      {equal.slice(0, candidatesShown).map((ticket) => (
        <li key={ticket.id} className="flex items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <RequestFacts ticket={ticket} />
          </div>
          <div>
            <RowButton
              name="Choisir"
              of={`le ticket n°\u00a0${ticket.id}`}
              variant="plain"
              onClick={() => onChoose(ticket.id)}
            />
          </div>
        </li>
      ))}
    </ul>
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
