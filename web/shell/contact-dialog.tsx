import type { ContactForm } from '#contract/settings.ts';
import { readOwnTicket } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { ContactWays } from './contact-ways.tsx';

export interface ContactDialogProps {
  contact: ContactForm;
  /** Of the caller, where they write about one. */
  ticketId: number | undefined;
  onClose: () => void;
}

/** The ways to reach the operator, about a ticket or in general (P10.4). */
export default function ContactDialog({ contact, ticketId, onClose }: ContactDialogProps) {
  const toast = useToast();
  const ticket = useEndpoint(
    readOwnTicket,
    { params: { id: String(ticketId) } },
    { enabled: ticketId !== undefined, keep: true },
  ).data;
  const subject = { ticketId, service: ticket?.servicePath.at(-1)?.name, total: Number(ticket?.totalPrice ?? 0) };
  return (
    <Dialog
      title="Nous contacter"
      note={ticketId !== undefined && `Au sujet du ticket n°\u00a0${ticketId}`}
      onClose={onClose}
    >
      <div className="mt-4">
        <ContactWays
          contact={contact}
          subject={subject}
          onChoose={({ said }) => toast({ title: 'Support contacté', description: said })}
        />
      </div>
      <DialogButtons className="mt-4">
        <Button variant="quiet" className="flex-1" onClick={onClose}>
          Fermer
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
