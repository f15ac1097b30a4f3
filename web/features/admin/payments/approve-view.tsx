import { useEffect, useRef, useState } from 'react';
import { Evidence, PaymentFacts, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { type ResultRow, ResultsDialog } from '#web/features/admin/shared/results-dialog.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { useApprove } from './use-approve.ts';
import type { PairRow, usePairChoice } from './use-pair-choice.ts';
import { Nothing, View } from './view.tsx';

type PairChoice = ReturnType<typeof usePairChoice>;

/** The sure pairs side by side; those that are ticked are approved together, on request. */
export function ApproveView({ choice }: { choice: PairChoice }) {
  const { rows, tick, chosen } = choice;
  const { summary, results, isOpen, close, show } = useResults();
  const approve = useApprove((answered, pairs) => {
    const pairOf = new Map(pairs.map((pair) => [pair.line.id, pair]));
    choice.clear();
    show(
      answered.map(({ lineId, ticketId, outcome, message }) => ({
        id: lineId,
        name: `n°\u00a0${formatCount(ticketId)} · ${formatAmount(pairOf.get(lineId)?.line.gross ?? 0)}`,
        outcome: outcome === 'approved' ? 'changed' : outcome,
        message,
      })),
    );
  });
  const count = chosen.length;
  const sum = chosen.reduce((francs, { line }) => francs + line.gross, 0);
  return (
    <View title="À approuver">
      <p
        ref={summary}
        tabIndex={-1}
        role="status"
        className="mb-3 rounded-xl bg-leaf-pale px-3.5 py-2 font-semibold text-leaf-dark empty:hidden"
      >
        {results && sentenceOf(results)}
      </p>
      {rows.length === 0 ? (
        <Nothing title="Rien à approuver">Les paiements dont la demande est sûre attendent ici votre accord.</Nothing>
      ) : (
        <>
          <PairTable rows={rows} onTick={tick} />
          <div className="sticky bottom-0 z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
            <Button
              className="tabular-nums max-sm:w-full short:min-h-11"
              disabled={count === 0}
              busy={approve.busy}
              onClick={() => approve.run(chosen)}
            >
              {`Approuver ${formatCount(count)} ${count < 2 ? 'paiement' : 'paiements'} · ${formatAmount(sum)}`}
            </Button>
            <p className="text-soft text-sm max-sm:hidden">Rien n'est approuvé sans vous.</p>
          </div>
        </>
      )}
      {results && isOpen && (
        <ResultsDialog title={sentenceOf(results)} label="Résultat par paiement" rows={results} onClose={close} />
      )}
    </View>
  );
}

/** The results of the last approval, in a dialog, then in a sentence that takes the focus. */
function useResults() {
  const summary = useRef<HTMLParagraphElement>(null);
  const [results, setResults] = useState<readonly ResultRow[]>();
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) summary.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return {
    summary,
    results,
    isOpen,
    close: () => setOpen(false),
    show: (rows: readonly ResultRow[]) => {
      setResults(rows);
      setOpen(true);
    },
  };
}

function sentenceOf(results: readonly ResultRow[]): string {
  const done = results.filter(({ outcome }) => outcome === 'changed').length;
  const words = done < 2 ? 'paiement approuvé' : 'paiements approuvés';
  return `${formatCount(done)} ${words} sur ${formatCount(results.length)}`;
}

interface TableProps {
  rows: readonly PairRow[];
  onTick: PairChoice['tick'];
}

function PairTable({ rows, onTick }: TableProps) {
  const columns: Column<PairRow>[] = [
    { head: 'Cocher', headHidden: true, percent: 5, cell: (row) => <Tick row={row} onTick={onTick} /> },
    { head: 'Paiement reçu', percent: 33, cell: ({ pair }) => <PaymentFacts payment={pair.line} /> },
    {
      head: 'Vers',
      headHidden: true,
      percent: 4,
      cell: () => (
        <span aria-hidden="true" className="text-base text-soft">
          ↔
        </span>
      ),
    },
    { head: 'Demande', percent: 30, cell: ({ pair }) => <RequestFacts ticket={pair.ticket} /> },
    { head: 'Pourquoi', percent: 28, cell: (row) => <Why row={row} /> },
  ];
  return (
    <DataTable
      label="Paiements à approuver"
      rows={rows}
      columns={columns}
      lookOf={({ isGone, isTicked }) => (isGone ? 'done' : isTicked ? 'chosen' : undefined)}
      card={(row) => (
        <div className="flex gap-2">
          <Tick row={row} onTick={onTick} />
          <div className="grid min-w-0 flex-1 gap-3 bar:grid-cols-2 bar:gap-y-1.5 bar:*:last:col-span-2">
            <PaymentFacts payment={row.pair.line} />
            <RequestFacts ticket={row.pair.ticket} />
            <Why row={row} />
          </div>
        </div>
      )}
    />
  );
}

function Tick({ row, onTick }: { row: PairRow } & Pick<TableProps, 'onTick'>) {
  const { line, ticket } = row.pair;
  return (
    <label className="-m-2 flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">{`Approuver ${formatAmount(line.gross)} pour le ticket n° ${formatCount(ticket.id)}`}</span>
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-leaf"
        disabled={row.isGone}
        checked={row.isTicked}
        onChange={({ target }) => onTick(row, target.checked)}
      />
    </label>
  );
}

function Why({ row: { pair, isGone } }: { row: PairRow }) {
  if (isGone) return <p className="text-[0.8125rem] text-soft">N'est plus proposé.</p>;
  return <Evidence isSure evidence={pair.evidence} />;
}
