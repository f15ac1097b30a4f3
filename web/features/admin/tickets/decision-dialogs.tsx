import { type FormEvent, useState } from 'react';
import { listRejectReasons } from '#contract/settings.ts';
import { rejectReasonLength } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';

/** Asks for the reason, which the users read: a canned one, any other, or none. */
export function RejectDialog({
  title,
  note,
  onReject,
  onClose,
}: {
  title: string;
  /** Whose what one rejects. */
  note?: string | undefined;
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
    <Dialog title={title} note={note} onClose={onClose}>
      <form onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
        {canned.length > 0 && (
          <fieldset className="min-w-0">
            <legend className="mb-1.5 font-semibold text-body">Motifs enregistrés</legend>
            {/* On a phone on its side one row, which scrolls. */}
            <div className="flex flex-wrap gap-2 short:-mx-5 short:-my-1.5 short:flex-nowrap short:overflow-x-auto short:px-5 short:py-1.5">
              {canned.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={reason === each}
                  onClick={() => setReason(each)}
                  className={join(
                    'min-h-11 shrink-0 max-w-full rounded-full border px-3.5 py-1.5 text-left text-body leading-snug',
                    reason === each
                      ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark'
                      : 'border-edge hover:bg-ground',
                  )}
                >
                  {each}
                </button>
              ))}
            </div>
          </fieldset>
        )}
        <TextArea
          label="Motif (facultatif)"
          hint="L'utilisateur le lira dans sa notification."
          rows={3}
          maxLength={rejectReasonLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogFoot variant="danger" onCancel={onClose}>
          Rejeter
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** The canned reject reasons, refetched when a screen opens. */
export const useRejectReasons = () => useEndpoint(listRejectReasons, {}, { freshForMs: 0 }).data?.reasons ?? [];
