import { isFree } from '#contract/pricing.ts';
import type { Ticket } from '#contract/tickets.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';

interface Props {
  ticket: Ticket;
  /** On the ticket's own screen, which offers to correct the reference too. */
  whole?: boolean;
  onOpen: () => void;
}

/** 'J'ai payé' on a pending ticket that costs something, then its confirmation in the same place. */
export function PaymentAction({ ticket, whole, onOpen }: Props) {
  const { paymentDeclaredAt, paymentReference } = ticket;
  if (isFree(Number(ticket.totalPrice), ticket.servicePath)) return null;
  if (!paymentDeclaredAt)
    return (
      <Button variant="outline" tight onClick={onOpen}>
        <span>
          J'ai payé
          <OfTicket id={ticket.id} />
        </span>
      </Button>
    );
  return (
    <div className="flex min-h-12 w-full flex-wrap items-center justify-between gap-x-1 rounded-xl bg-leaf-pale px-3">
      <p className="flex min-w-0 flex-1 basis-40 items-center gap-2 py-2 font-semibold text-leaf-dark leading-snug">
        <CheckIcon className="size-5 shrink-0" />
        <span className="min-w-0">
          <span>Paiement déclaré</span>
          {paymentReference && (
            <span className="wrap-anywhere block font-normal text-soft text-small">{`Réf. ${paymentReference}`}</span>
          )}
        </span>
      </p>
      {whole && (
        <Button variant="quiet" tight className="-mr-3 ml-auto text-body" onClick={onOpen}>
          <span>
            <span>{paymentReference ? 'Modifier' : 'Ajouter'}</span>
            <span className="sr-only"> la référence</span>
            <OfTicket id={ticket.id} />
          </span>
        </Button>
      )}
    </div>
  );
}

/** Names a button's ticket for screen readers. */
export function OfTicket({ id }: { id: number }) {
  return <span className="sr-only">{` (ticket n°\u00a0${id})`}</span>;
}
