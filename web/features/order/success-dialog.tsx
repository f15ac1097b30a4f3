import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { DeclaredPayment, isDeclared, PaymentAction, PaySteps } from '#web/tickets/payment-action.tsx';
import { useTicketDialogs } from '#web/tickets/ticket-actions.tsx';
import { TicketCode } from '#web/tickets/ticket-code.tsx';
import { TicketHead } from '#web/tickets/ticket-head.tsx';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

/** A ticket as the polls have it: it may be declared, or decided, on another screen meanwhile. */
function useNewest(created: Ticket): Ticket {
  const { data } = useList(
    listUserTickets,
    { params: { userId: String(created.userId) } },
    { pollEveryMs: pollEveryMs.userTickets, keep: true },
  );
  return data?.rows.find(({ id }) => id === created.id) ?? created;
}

/** The next step after filing a ticket: dialling the code. Only an administrator's decision confirms a payment. */
export function SuccessDialog({
  created,
  onHome,
  onClose,
}: {
  created: Ticket;
  onHome: () => void;
  onClose: () => void;
}) {
  const ticket = useNewest(created);
  const { dialog, onDeclare } = useTicketDialogs(ticket);
  const isPending = ticket.status === 'pending';
  const payment = <PaymentAction ticket={ticket} onOpen={onDeclare} />;
  return (
    <Dialog
      title="Demande créée avec succès"
      mark={
        <span className="flex size-10 shrink-0 items-center justify-center rounded-xl bg-leaf-pale text-leaf">
          <CheckIcon className="drawn size-6" />
        </span>
      }
      cloth
      note={
        <span>
          Ticket n°&nbsp;<strong>{ticket.id}</strong>
        </span>
      }
      onClose={onClose}
    >
      <div className="mt-3.5 flex flex-col gap-3.5">
        <div className="ticket">
          <div className="px-4 pt-3 pb-3.5">
            <TicketHead ticket={ticket} level="h3">
              Pour <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
            </TicketHead>
          </div>
          <div className="px-4 pt-4.5 pb-4 empty:hidden">
            {isDeclared(ticket) && isPending ? (
              <DeclaredPayment ticket={ticket} />
            ) : (
              isPending && (
                <TicketCode ticket={ticket} beside={payment} contact={<ContactButton tight ticketId={ticket.id} />} />
              )
            )}
          </div>
        </div>
        {isPending && !isDeclared(ticket) && <PaySteps ticket={ticket} />}
        <DialogButtons>
          <Button variant="quiet" tight onClick={onClose}>
            Fermer
          </Button>
          <Button variant="plain" tight className="flex-auto!" onClick={onHome}>
            Retour à l'accueil
          </Button>
        </DialogButtons>
      </div>
      {dialog}
    </Dialog>
  );
}
