import type { DecisionResult } from '#contract/tickets.ts';
import { formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

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
