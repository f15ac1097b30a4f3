import { useRef, useState } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { useOrderAgain } from '#web/order-again.ts';
import { useAuth } from '#web/session/auth.tsx';
import { RepeatIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { OfTicket } from './payment-action.tsx';
import { PaymentDialog, type TypedPayments } from './payment-dialog.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

/** The dialogs of a ticket's actions, rendered beside the ticket: a decision does not close a dialog in use. */
export function useTicketDialogs(ticket: Ticket) {
  const { user } = useAuth();
  const [opened, setOpened] = useState<'payment' | 'receipt'>();
  const typed: TypedPayments = useRef({});
  const onClose = () => setOpened(undefined);
  return {
    onDeclare: () => setOpened('payment'),
    onReceipt: () => setOpened('receipt'),
    dialog: (
      <>
        {opened === 'payment' && (
          <PaymentDialog ticket={ticket} ownPhone={user?.phone} typed={typed} onClose={onClose} />
        )}
        {opened === 'receipt' && <ReceiptDialog ticket={ticket} onClose={onClose} />}
      </>
    ),
  };
}

/** A ticket's order made again, at today's price. */
export function OrderAgainAction({ ticket, whole, main }: { ticket: Ticket; whole?: boolean; main?: boolean }) {
  const again = useOrderAgain();
  return (
    <Button
      variant={main ? 'main' : whole ? 'plain' : 'quiet'}
      tight
      busy={again.busy}
      className={whole ? 'w-full' : '-ml-3.75 max-w-full'}
      onClick={() => again.run(ticket)}
    >
      <RepeatIcon className="size-5 shrink-0" />
      <span className="min-w-0">
        Refaire<span className="sr-only">{` le ticket n°\u00a0${ticket.id}`}</span>
      </span>
    </Button>
  );
}

/** Opens an approved ticket's receipt. */
export function ReceiptAction({
  ticket,
  whole,
  main,
  onOpen,
}: {
  ticket: Ticket;
  whole?: boolean;
  /** The main action of its screen. */
  main?: boolean;
  onOpen: () => void;
}) {
  const variant = main ? 'main' : whole ? 'plain' : 'quiet';
  return (
    <Button variant={variant} tight className={whole ? 'w-full' : undefined} onClick={onOpen}>
      <span>
        Reçu
        <OfTicket id={ticket.id} />
      </span>
    </Button>
  );
}
