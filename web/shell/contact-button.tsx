import { type ComponentProps, useState } from 'react';
import { type Contact, isReachable, readContact } from '#contract/settings.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { adviceOn } from '#web/ui/advice.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { Chunk, part } from './chunk.tsx';
import type { ContactDialogProps } from './contact-dialog.tsx';

const contactDialog = part<ContactDialogProps>(() => import('./contact-dialog.tsx'));

/**
 * 'Nous contacter', about a ticket or in general: opens the ways to reach the operator. Where none is given, or none
 * could be read, it says that nothing was sent (P10.4).
 */
export function ContactButton({
  ticketId,
  ...button
}: { ticketId?: number | undefined } & ComponentProps<typeof Button>) {
  const call = useCall();
  const toast = useToast();
  const [opened, setOpened] = useState<Contact>();
  const { data: known } = useEndpoint(readContact, {}, { keep: true, freshForMs: freshForMs.contact });
  const { run, busy } = useAction(async () => {
    let reason = "aucun contact n'est encore indiqué. Suivez votre demande dans Tickets, ou revenez plus tard.";
    try {
      const contact = known ?? (await call(readContact, {}));
      if (isReachable(contact)) return setOpened(contact);
    } catch (error) {
      reason = `le contact n'a pas pu être chargé. ${adviceOn(error)}`;
    }
    toast({ title: 'Support contacté', description: `Rien n'a été envoyé\u00a0: ${reason}` });
  });
  // The kept contact of an earlier visit gives way to the newest one.
  const given = opened && { contact: known ?? opened, ticketId, onClose: () => setOpened(undefined) };
  return (
    <>
      <Button {...button} busy={busy} onClick={() => run()}>
        Nous contacter
      </Button>
      {given && <Chunk of={contactDialog} given={given} waiting={null} />}
    </>
  );
}
