import { type FormEvent, useState } from 'react';
import { type AdminTicket, rejectReasonLength } from '#contract/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { inputClass, Labelled } from '#web/ui/field.tsx';

/** Asks for the reason, which the user will read; it may stay empty. */
export function RejectDialog({
  ticket,
  onReject,
  onClose,
}: {
  ticket: AdminTicket;
  onReject: (reason: string) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onReject(reason.trim());
  };
  return (
    <Dialog title={`Rejeter le ticket n° ${ticket.id}`} onClose={onClose}>
      <form onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
        <Labelled label="Motif (facultatif)" hint="L'utilisateur le lira dans sa notification.">
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={rejectReasonLength}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              className={inputClass}
            />
          )}
        </Labelled>
        <div className="flex flex-wrap gap-2.5">
          <Button variant="plain" className="flex-1" onClick={onClose}>
            Annuler
          </Button>
          <Button variant="danger" type="submit" className="flex-1">
            Rejeter
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
