import { useEffect, useRef } from 'react';
import { linesListed, listClosingLines } from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import type { Payment } from '#contract/payments.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { TicketLink } from '#web/features/admin/shared/payment-facts.tsx';
import { formatCount } from '#web/text/formats.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { clockOf } from './closing-figures.ts';

/** The day's lines, read once they are asked for, and on paper always: `onPrinted` follows the browser's print. */
export function DayLines({
  account,
  day,
  paper,
  onToggle,
  onPrinted,
}: {
  account: PaymentAccount;
  day: string;
  paper: 'closed' | 'open' | 'printing';
  onToggle: (isOpen: boolean) => void;
  onPrinted: () => void;
}) {
  const input = { query: { accountId: String(account.id), day } };
  const query = useEndpoint(listClosingLines, input, { enabled: paper !== 'closed', freshForMs: 0 });
  const isReady = paper === 'printing' && (query.data !== undefined || query.isError);
  const printed = useRef(onPrinted);
  printed.current = onPrinted;
  useEffect(() => {
    if (!isReady) return;
    print();
    printed.current();
  }, [isReady]);
  return (
    <details open={paper !== 'closed'} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold print:list-none">Lignes de la journée</summary>
      {paper !== 'closed' && (
        <QueryState query={query} loading="Chargement des lignes..." failure="Impossible de charger les lignes.">
          {(lines) => <Lines lines={lines} country={account.country} />}
        </QueryState>
      )}
    </details>
  );
}

function Lines({ lines, country }: { lines: readonly Payment[]; country: string }) {
  if (lines.length === 0) return <p className="text-soft">Aucune ligne.</p>;
  return (
    <>
      <table className="w-full text-small tabular-nums">
        <thead className="text-left text-soft">
          <tr className="border-line border-b [&>th]:py-1.5 [&>th]:pr-3 [&>th]:font-semibold">
            <th scope="col">Heure</th>
            <th scope="col">Référence</th>
            <th scope="col" className="text-right">
              Montant
            </th>
            <th scope="col" className="text-right">
              Solde
            </th>
            <th scope="col" className="pr-0! text-right">
              Demande
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, paidAt, reference, direction, gross, balanceAfter, ticketId }) => (
            <tr key={id} className="break-inside-avoid border-line border-b align-baseline [&>td]:py-1.5 [&>td]:pr-3">
              <td className="whitespace-nowrap">{clockOf(paidAt, country).slice(11, 16)}</td>
              <td className="wrap-anywhere">{reference ?? 'Sans référence'}</td>
              <td className="text-right">{`${direction === 'in' ? '+' : '−'}\u00a0${formatCount(gross)}`}</td>
              <td className="text-right">{balanceAfter === null ? '' : formatCount(balanceAfter / 100)}</td>
              <td className="pr-0! text-right">{ticketId !== null && <TicketLink id={ticketId} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-small text-soft">
        {`Montants en francs CFA. ${lines.length === linesListed ? `Les ${formatCount(linesListed)} premières lignes seulement.` : ''}`}
      </p>
    </>
  );
}

/** Where a person signs the paper. */
export function Visa() {
  return (
    <div className="mt-4 hidden break-inside-avoid grid-cols-2 gap-6 print:grid">
      {['Fait à, le', 'Nom et signature'].map((words) => (
        <p key={words} className="h-28 rounded-card border border-line px-3 py-2 text-soft text-small">
          {words}
        </p>
      ))}
    </div>
  );
}
