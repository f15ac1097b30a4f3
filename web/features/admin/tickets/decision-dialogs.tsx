import { type FormEvent, useState } from 'react';
import { listRejectReasons } from '#contract/settings.ts';
import { type DecisionResult, rejectReasonLength } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';

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
        <TextArea
          label="Motif (facultatif)"
          hint="L’utilisateur le lira dans sa notification."
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

const outcomes = {
  changed: { label: 'Fait', tone: 'green' },
  unchanged: { label: 'Déjà fait', tone: 'grey' },
  refused: { label: 'Refusé', tone: 'red' },
} as const;

/** The outcome of each ticket of a batch decision, refusals first. */
export function ResultsDialog({ results, onClose }: { results: DecisionResult[]; onClose: () => void }) {
  const order = ['refused', 'unchanged', 'changed'];
  const sorted = results.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const done = results.filter(({ outcome }) => outcome === 'changed').length;
  return (
    <Dialog title={`${formatCount(done)} ticket(s) mis à jour sur ${formatCount(results.length)}`} onClose={onClose}>
      <ul className="mt-4 flex max-h-[55dvh] flex-col overflow-y-auto" aria-label="Résultat par ticket">
        {sorted.map(({ id, outcome, message }) => (
          <li key={id} className="flex items-start justify-between gap-4 border-line border-b py-2">
            <span>
              <span className="font-semibold tabular-nums">n° {formatCount(id)}</span>
              {message && <span className="block text-soft text-sm">{message}</span>}
            </span>
            <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
          </li>
        ))}
      </ul>
      <Button className="mt-5 w-full" onClick={onClose}>
        Fermer
      </Button>
    </Dialog>
  );
}
