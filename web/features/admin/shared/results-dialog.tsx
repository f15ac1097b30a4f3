import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CloseFoot } from './confirm-dialog.tsx';

const outcomes = {
  changed: { label: 'Fait', tone: 'green' },
  unchanged: { label: 'Déjà fait', tone: 'grey' },
  refused: { label: 'Refusé', tone: 'red' },
} as const;

export interface ResultRow {
  id: number;
  name: string;
  outcome: keyof typeof outcomes;
  /** Why it was refused. */
  message?: string | undefined;
}

/** The outcome of each row of a batch, refusals first. */
export function ResultsDialog({
  title,
  label,
  rows,
  onClose,
}: {
  title: string;
  /** Of the list, for screen readers. */
  label: string;
  rows: readonly ResultRow[];
  onClose: () => void;
}) {
  const order = ['refused', 'unchanged', 'changed'];
  const sorted = [...rows].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className="mt-4 flex max-h-[calc(0.55*var(--screen))] flex-col overflow-y-auto" aria-label={label}>
        {sorted.map(({ id, name, outcome, message }) => (
          <li key={id} className="flex items-start justify-between gap-4 border-line border-b py-2">
            <span>
              <span className="font-semibold tabular-nums">{name}</span>
              {message && <span className="block text-soft text-small">{message}</span>}
            </span>
            <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
          </li>
        ))}
      </ul>
      <CloseFoot onClose={onClose} />
    </Dialog>
  );
}
