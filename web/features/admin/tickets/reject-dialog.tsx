import { type FormEvent, useState } from 'react';
import { rejectReasonLength } from '#contract/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { useRejectReasons } from './use-reject-reasons.ts';

/** Asks for the reason, which the users read: a canned one, any other, or none. */
export function RejectDialog({
  title,
  warning,
  onReject,
  onClose,
}: {
  title: string;
  /** Changes since the dialog opened. */
  warning?: string | undefined;
  onReject: (reason: string) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const canned = useRejectReasons();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onReject(reason.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
        <p role="alert" className="rounded-xl bg-amber-pale px-3 py-2 text-amber empty:hidden">
          {warning}
        </p>
        {canned.length > 0 && (
          <fieldset className="flex flex-wrap gap-2">
            <legend className="mb-1.5 font-semibold text-sm">Motifs enregistrés</legend>
            {canned.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={reason === each}
                onClick={() => setReason(each)}
                className={join(
                  'min-h-10 rounded-full border px-3.5 py-1.5 text-left text-sm leading-snug',
                  reason === each
                    ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark'
                    : 'border-edge hover:bg-ground',
                )}
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
        <Labelled label="Motif (facultatif)" hint="L’utilisateur le lira dans sa notification.">
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
