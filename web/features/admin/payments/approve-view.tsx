import type { PaymentPair } from '#contract/payments.ts';
import { Evidence, PaymentFacts, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { useApprove } from './use-approve.tsx';
import { View } from './view.tsx';

/** Ticks by hand, by `keyOf` a pair; the others are as they are proposed. */
export type Ticks = ReadonlyMap<string, boolean>;

/** A payment beside another ticket is another pair, which nobody has seen. */
const keyOf = ({ line, ticket }: PaymentPair) => `${line.id} ${ticket.id}`;

interface Row {
  id: number;
  pair: PaymentPair;
  isTicked: boolean;
}

/** The sure pairs side by side; those that are ticked are approved together, on request. */
export function ApproveView({
  pairs,
  ticks,
  onTicks,
}: {
  pairs: readonly PaymentPair[];
  ticks: Ticks;
  onTicks: (ticks: Ticks) => void;
}) {
  const approve = useApprove();
  // The newest last: what a poll brings moves nothing that is about to be ticked.
  const rows = pairs
    .map((pair): Row => ({ id: pair.line.id, pair, isTicked: ticks.get(keyOf(pair)) ?? pair.preTicked }))
    .sort((a, b) => a.id - b.id);
  const chosen = rows.filter(({ isTicked }) => isTicked).map(({ pair }) => pair);
  const sum = chosen.reduce((francs, { line }) => francs + line.gross, 0);
  const tick = ({ pair: { line, ticket }, pair, isTicked }: Row) => (
    <label className="-m-2 flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">{`Approuver ${formatAmount(line.gross)} pour le ticket n° ${formatCount(ticket.id)}`}</span>
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-leaf"
        checked={isTicked}
        onChange={({ target }) => onTicks(new Map(ticks).set(keyOf(pair), target.checked))}
      />
    </label>
  );
  const received = ({ pair }: Row) => <PaymentFacts payment={pair.line} />;
  const request = ({ pair }: Row) => <RequestFacts ticket={pair.ticket} />;
  const why = ({ pair }: Row) => <Evidence isSure evidence={pair.evidence} />;
  return (
    <View
      title="À approuver"
      nothing={
        rows.length === 0 && {
          title: 'Rien à approuver',
          words: 'Les paiements dont la demande est sûre attendent ici votre accord.',
        }
      }
      dialog={approve.dialog}
    >
      <DataTable
        label="Paiements à approuver"
        rows={rows}
        columns={[
          { head: 'Cocher', headHidden: true, percent: 5, cell: tick },
          { head: 'Paiement reçu', percent: 35, cell: received },
          { head: 'Demande', percent: 32, cell: request },
          { head: 'Pourquoi', percent: 28, cell: why },
        ]}
        lookOf={({ isTicked }) => (isTicked ? 'chosen' : undefined)}
        card={(row) => (
          <div className="flex gap-2">
            {tick(row)}
            <div className="grid min-w-0 flex-1 gap-3 bar:grid-cols-2 bar:gap-y-1.5 bar:*:last:col-span-2">
              {received(row)}
              {request(row)}
              {why(row)}
            </div>
          </div>
        )}
      />
      <div className="sticky bottom-0 z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
        {/* Taken away, it leaves the focus to the heading; disabled, to nothing. */}
        {chosen.length > 0 && (
          <Button
            className="tabular-nums max-sm:w-full short:min-h-11"
            busy={approve.busy}
            onClick={() => approve.run(chosen)}
          >
            {`Approuver ${formatCount(chosen.length)} ${chosen.length < 2 ? 'paiement' : 'paiements'} · ${formatAmount(sum)}`}
          </Button>
        )}
        {chosen.length > 0 ? (
          <p className="text-soft text-sm max-sm:hidden">Rien n'est approuvé sans vous.</p>
        ) : (
          <p className="text-soft text-sm">Cochez les paiements à approuver.</p>
        )}
      </div>
    </View>
  );
}
