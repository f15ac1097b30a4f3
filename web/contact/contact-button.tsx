import { type ComponentProps, useState } from 'react';
import { type Contact, isReachable, readContact } from '#contract/settings.ts';
import { readOwnTicket } from '#contract/tickets.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { adviceOn } from '#web/ui/advice.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { ContactWays } from './contact-ways.tsx';

/** Opens the ways to reach the operator. Where none is given it says what the specification has, where none could be read also that nothing was sent (P10.4). */
export function ContactButton({
  ticketId,
  ...button
}: { ticketId?: number | undefined } & ComponentProps<typeof Button>) {
  const call = useCall();
  const toast = useToast();
  const [opened, setOpened] = useState<Contact>();
  const { data: known, isKept } = useEndpoint(readContact, {}, { keep: true, freshForMs: freshForMs.contact });
  const { run, busy } = useAction(async () => {
    let description: string | undefined;
    try {
      // An earlier visit's contact may be outdated: it holds only where no newer one can be read.
      const newest = known && !isKept ? known : call(readContact, { keep: true });
      const contact = await Promise.resolve(newest).catch((error) => known ?? Promise.reject(error));
      if (isReachable(contact)) return setOpened(contact);
    } catch (error) {
      description = `Rien n'a été envoyé\u00a0: le contact n'a pas pu être chargé. ${adviceOn(error)}`;
    }
    toast({ title: 'Support contacté', ...(description && { description }) });
  });
  return (
    <>
      <Button {...button} busy={busy} onClick={() => run()}>
        Nous contacter
      </Button>
      {opened && <ContactDialog contact={opened} ticketId={ticketId} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The ways to reach the operator, about a ticket or in general (P10.4). */
function ContactDialog({
  contact,
  ticketId,
  onClose,
}: {
  contact: Contact;
  ticketId: number | undefined;
  onClose: () => void;
}) {
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
