import { useState } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { useOrderAgain } from '#web/order-again.ts';
import { CheckIcon, RepeatIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

/**
 * What a ticket's actions open. It stands beside the ticket, whatever becomes of that: an administrator's decision closes
 * nothing that one is writing in.
 */
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
  /** As wide as its screen. */
  whole?: boolean;
  onOpen: () => void;
}

/**
 * 'J’ai payé', as long as a ticket waits; once it was said, in the same place, that it was, and on the ticket's own screen how
 * to put it right.
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

/** Which ticket a button is of, for who does not see what it stands in. */
function OfTicket({ id }: { id: number }) {
  return <span className="sr-only"> (ticket n° {id})</span>;
}
