import type { PaymentPair } from '#contract/payments.ts';
import { Evidence, PaymentFacts, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { formatAmount } from '#web/text/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { PaymentButtons, usePaymentActions } from './payment-actions.tsx';
import { useApprove } from './use-approve.tsx';
import { View } from './view.tsx';

/** Payments that several tickets may be for, or that differ from theirs: each pair is approved by itself. */
export function DoubtfulView({ pairs }: { pairs: readonly PaymentPair[] }) {
  const actions = usePaymentActions();
  const approve = useApprove();
  return (
    <View
      title="À regarder"
      nothing={
        pairs.length === 0 && {
          title: 'Rien à regarder',
          words: 'Les paiements qui ressemblent à une demande sans la prouver sont montrés ici.',
        }
      }
      dialog={actions.dialog ?? approve.dialog}
    >
      <ul aria-label="Paiements à regarder" className="flex flex-col gap-3">
        {groupByLine(pairs).map(
          ([first, ...others]) =>
            first && (
              <li key={first.line.id}>
                <Card className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
                  <div className="flex flex-col gap-2.5">
                    <PaymentFacts payment={first.line} />
                    <div className="flex flex-wrap gap-2">
                      <PaymentButtons payment={first.line} actions={actions} />
                    </div>
                  </div>
                  <ul
                    aria-label={`Demandes possibles pour ${formatAmount(first.line.gross)}`}
                    className="flex flex-col divide-y divide-line max-lg:border-line max-lg:border-t"
                  >
                    {[first, ...others].map((pair) => (
                      <li
                        key={pair.ticket.id}
                        className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 lg:first:pt-0"
                      >
                        <div className="min-w-0 flex-1 basis-56">
                          <RequestFacts ticket={pair.ticket} />
                          <Evidence isSure={false} evidence={pair.evidence} />
                          <Difference pair={pair} />
                        </div>
                        {isWhole(pair) && (
                          <div className="flex max-sm:w-full">
                            <RowButton
                              name="Approuver"
                              of={`le ticket n° ${pair.ticket.id} par ce paiement`}
                              variant="outline"
                              busy={approve.busy}
                              onClick={() => approve.run([pair])}
                            />
                          </div>
                        )}
                      </li>
                    ))}
                  </ul>
                </Card>
              </li>
            ),
        )}
      </ul>
    </View>
  );
}

/** A payment pays a ticket by its exact total alone. */
const isWhole = ({ line, ticket }: PaymentPair) => line.gross === Number(ticket.totalPrice);

function Difference({ pair }: { pair: PaymentPair }) {
  const over = pair.line.gross - Number(pair.ticket.totalPrice);
  if (over === 0) return null;
  return (
    <p className="font-semibold text-[0.8125rem] text-brick">
      {over > 0 ? `${formatAmount(over)} de trop` : `Il manque ${formatAmount(-over)}`}
    </p>
  );
}

function groupByLine(pairs: readonly PaymentPair[]): PaymentPair[][] {
  const ids = new Set(pairs.map(({ line }) => line.id));
  return [...ids].map((id) => pairs.filter(({ line }) => line.id === id));
}
