import type { Ticket } from '#contract/tickets.ts';
import { TicketCode } from '#web/dialling/ticket-code.tsx';
import { formatTotal } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** The next step after filing a ticket: dialling the code. Only an administrator's decision confirms a payment. */
export function SuccessDialog({
  ticket,
  onHome,
  onClose,
}: {
  ticket: Ticket;
  onHome: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title="Demande créée avec succès"
      mark={
        <span className="flex size-10 shrink-0 items-center justify-center rounded-xl bg-leaf-pale text-leaf">
          <CheckIcon />
        </span>
      }
      note={
        <>
          Ticket n° <strong>{ticket.id}</strong> · total{' '}
          <strong className="whitespace-nowrap">{formatTotal(Number(ticket.totalPrice), ticket.servicePath)}</strong>
        </>
      }
      onClose={onClose}
    >
      <div className="mt-3.5 flex flex-col gap-3.5">
        <TicketCode ticket={ticket} />
        {ticket.dialCode && (
          <p className="text-center text-sm text-soft">Votre demande reste en attente de vérification.</p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" tight className="flex-1" onClick={onHome}>
            Retour à l'accueil
          </Button>
          <Button variant="quiet" tight className="flex-1" onClick={onClose}>
            Fermer
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
