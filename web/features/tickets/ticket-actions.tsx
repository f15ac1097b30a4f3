import { useState } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { useOrderAgain } from '#web/order-again.ts';
import { CheckIcon, RepeatIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

/** The dialogs of a ticket's actions, rendered beside the ticket: a decision does not close a dialog in use. */
export function useTicketDialogs(ticket: Ticket) {
  const [opened, setOpened] = useState<'payment' | 'receipt'>();
  const onClose = () => setOpened(undefined);
  return {
    onDeclare: () => setOpened('payment'),
    onReceipt: () => setOpened('receipt'),
    dialog: (
      <>
        {opened === 'payment' && <PaymentDialog ticket={ticket} onClose={onClose} />}
        {opened === 'receipt' && <ReceiptDialog ticket={ticket} onClose={onClose} />}
      </>
    ),
  };
}

interface Action {
  ticket: Ticket;
  whole?: boolean;
  onOpen: () => void;
}

/**
 * 'J’ai payé' on a pending ticket; after the declaration, its confirmation in the same place. The ticket's own screen
 * also offers to correct it.
 */
export function PaymentAction({ ticket, whole, onOpen }: Action) {
  const { paymentDeclaredAt, paymentReference } = ticket;
  if (!paymentDeclaredAt)
    return (
      <Button variant={whole ? 'plain' : 'quiet'} tight className={whole ? 'w-full' : '-ml-3'} onClick={onOpen}>
        <span>
          J’ai payé
          <OfTicket id={ticket.id} />
        </span>
      </Button>
    );
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
      <p className="flex min-w-0 flex-1 basis-40 items-center gap-1.5 font-semibold text-leaf leading-snug">
        <CheckIcon className="size-5 shrink-0" />
        <span className="min-w-0">
          Paiement déclaré
          {paymentReference && (
            <span className="block break-all font-normal text-[0.8125rem] text-soft">Réf. {paymentReference}</span>
          )}
        </span>
      </p>
      {whole && (
        <Button variant="quiet" tight className="-mr-3 ml-auto" onClick={onOpen}>
          <span>
            {paymentReference ? 'Modifier' : 'Ajouter'}
            <span className="sr-only"> la référence</span>
            <OfTicket id={ticket.id} />
          </span>
        </Button>
      )}
    </div>
  );
}

export function OrderAgainAction({ ticket, whole }: { ticket: Ticket; whole?: boolean }) {
  const again = useOrderAgain();
  return (
    <Button
      variant={whole ? 'plain' : 'quiet'}
      tight
      busy={again.busy}
      className={whole ? 'w-full' : '-ml-3 max-w-full'}
      onClick={() => again.run(ticket)}
    >
      <RepeatIcon className="size-5 shrink-0" />
      <span className="min-w-0">
        Recommander<span className="sr-only"> le ticket n° {ticket.id}</span>
      </span>
    </Button>
  );
}

export function ReceiptAction({ ticket, whole, onOpen }: Action) {
  return (
    <Button variant={whole ? 'plain' : 'quiet'} tight className={whole ? 'w-full' : '-mr-3'} onClick={onOpen}>
      <span>
        Reçu
        <OfTicket id={ticket.id} />
      </span>
    </Button>
  );
}

/** Names a button's ticket for screen readers. */
function OfTicket({ id }: { id: number }) {
  return <span className="sr-only"> (ticket n° {id})</span>;
}
