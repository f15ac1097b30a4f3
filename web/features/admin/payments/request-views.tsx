import type { ComponentProps, ReactNode } from 'react';
import type { PaymentPair } from '#contract/payments.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { useDecisions } from '#web/features/admin/shared/decisions.tsx';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Listing } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Evidence, PaymentFacts, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { formatAmount, formatCount, formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { usePaymentActions } from './payment-actions.tsx';

/** Its name, and what it says when it is empty. */
interface View {
  title: string;
  nothing: string;
}

/** Ticks by hand, by `keyOf` a pair; the others are as they are proposed. */
export type Ticks = ReadonlyMap<string, boolean>;

/** A payment beside another ticket is another pair, which nobody has seen. */
const keyOf = ({ line, ticket }: PaymentPair) => `${line.id} ${ticket.id}`;

const approve = (decide: ReturnType<typeof useDecisions>['decide'], pairs: readonly PaymentPair[]) =>
  decide({ tickets: pairs.map(({ ticket }) => ticket), pairs, status: 'approved' });

/** The sure pairs side by side; those that are ticked are approved together, on request. */
export function ApproveView({
  view,
  pairs,
  ticks,
  onTicks,
}: {
  view: View;
  pairs: readonly PaymentPair[];
  ticks: Ticks;
  onTicks: (ticks: Ticks) => void;
}) {
  const { waiting, decide } = useDecisions();
  const isWaiting = ({ ticket }: PaymentPair) => waiting.has(ticket.id);
  const isTicked = (pair: PaymentPair) => ticks.get(keyOf(pair)) ?? pair.preTicked;
  // The newest last: what a poll brings moves nothing that is about to be ticked.
  const rows = pairs.map((pair) => ({ id: pair.line.id, pair })).sort((a, b) => a.id - b.id);
  const chosen = rows.flatMap(({ pair }) => (isTicked(pair) && !isWaiting(pair) ? pair : []));
  const sum = chosen.reduce((francs, { line }) => francs + line.gross, 0);
  return (
    <Listing
      {...view}
      rows={rows}
      mark={({ pair }) => (
        <Tick
          pair={pair}
          checked={isTicked(pair)}
          disabled={isWaiting(pair)}
          onTick={(on) => onTicks(new Map(ticks).set(keyOf(pair), on))}
        />
      )}
      parts={[
        { head: 'Paiement reçu', percent: 35, draw: ({ pair }) => <PaymentFacts payment={pair.line} /> },
        { head: 'Demande', percent: 32, draw: ({ pair }) => <RequestFacts ticket={pair.ticket} /> },
        {
          head: 'Pourquoi',
          percent: 28,
          draw: ({ pair }) => (
            <Decidable ticketId={pair.ticket.id}>
              <Evidence {...pair} />
            </Decidable>
          ),
        },
      ]}
      lookOf={({ pair }) => (isWaiting(pair) ? 'done' : isTicked(pair) ? 'chosen' : undefined)}
    >
      <div className="sticky bottom-0 z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
        {/* Taken away, it leaves the focus to the heading; disabled, to nothing. */}
        {chosen.length > 0 ? (
          <Button className="tabular-nums max-sm:w-full short:min-h-11" {...deliberate(() => approve(decide, chosen))}>
            {`Approuver ${formatCounted(chosen.length, 'paiement')} · ${formatAmount(sum)}`}
          </Button>
        ) : (
          <p className="text-soft text-small">Cochez les paiements à approuver.</p>
        )}
      </div>
    </Listing>
  );
}

function Tick({
  pair: { line, ticket },
  onTick,
  ...input
}: { pair: PaymentPair; onTick: (on: boolean) => void } & ComponentProps<'input'>) {
  return (
    <label className="-m-2 flex size-11 shrink-0 items-center justify-center">
      <span className="sr-only">
        {`Approuver ${formatAmount(line.gross)} pour le ticket n°\u00a0${formatCount(ticket.id)}`}
      </span>
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-leaf"
        {...input}
        onChange={({ target }) => onTick(target.checked)}
      />
    </label>
  );
}

/** Payments that several tickets may be for, or that differ from theirs: each pair is approved by itself. */
export function DoubtfulView({ view, pairs }: { view: View; pairs: readonly PaymentPair[] }) {
  const { actionsOf, dialog } = usePaymentActions();
  const { waiting, decide } = useDecisions();
  const lines = new Set([...waiting.values()].map(({ lineId }) => lineId));
  const rows = [...new Map(pairs.map(({ line }) => [line.id, line])).values()];
  return (
    <Listing
      {...view}
      rows={rows}
      parts={[
        { head: 'Paiement reçu', percent: 28, draw: (line) => <PaymentFacts payment={line} /> },
        {
          head: 'Demandes possibles',
          percent: 48,
          draw: ({ id, gross }, inTable) => (
            <ul
              aria-label={`Demandes possibles pour ${formatAmount(gross)}`}
              className="flex flex-col divide-y divide-line max-xl:border-line max-xl:border-y"
            >
              {pairs
                .filter(({ line }) => line.id === id)
                .map((pair) => (
                  <li key={pair.ticket.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
                    <div className="min-w-0 flex-1 basis-56">
                      <RequestFacts ticket={pair.ticket} />
                      <Evidence {...pair} />
                    </div>
                    {/* A payment pays a ticket by its exact total alone. */}
                    {gross === Number(pair.ticket.totalPrice) && (
                      <Decidable ticketId={pair.ticket.id}>
                        <RowButton
                          name="Approuver"
                          of={`le ticket n°\u00a0${pair.ticket.id} par ce paiement`}
                          small={inTable}
                          variant="outline"
                          disabled={lines.has(id) || waiting.has(pair.ticket.id)}
                          {...deliberate(() => approve(decide, [pair]))}
                        />
                      </Decidable>
                    )}
                  </li>
                ))}
            </ul>
          ),
        },
      ]}
      actions={(line) => actionsOf(line).map((action) => action && { ...action, disabled: lines.has(line.id) })}
      lookOf={({ id }) => (lines.has(id) ? 'done' : undefined)}
      dialog={dialog}
    />
  );
}

/** What stands in a place, or how the ticket is decided where that is not answered yet: the place keeps its size. */
function Decidable({ ticketId, children }: { ticketId: number; children: ReactNode }) {
  const deciding = useDecisions().waiting.get(ticketId);
  return (
    <div className="relative max-sm:w-full">
      <div className={deciding ? 'invisible' : undefined}>{children}</div>
      {deciding && (
        <div className="absolute inset-0 flex items-center">
          <StatusBadge status={deciding.status} isWaiting />
        </div>
      )}
    </div>
  );
}

export function UnpaidView({ view, tickets }: { view: View; tickets: readonly AdminTicket[] }) {
  const { remind, isBusy, dialog } = usePaymentActions();
  return (
    <Listing
      {...view}
      rows={tickets}
      parts={[
        { head: 'Demande', percent: 36, draw: (ticket) => <RequestFacts ticket={ticket} /> },
        {
          head: 'Déclaré',
          percent: 46,
          draw: ({ totalPrice, paymentTypeName, paymentReference, paymentDeclaredAt }) => (
            <div className="wrap-anywhere leading-snug">
              <strong className="tabular-nums">{formatAmount(Number(totalPrice))}</strong>
              <p className="text-small text-soft">
                {paymentDeclaredAt && <Moment instant={paymentDeclaredAt} />}
                <span>{` · ${paymentTypeName} · `}</span>
                <span className="select-all">{paymentReference ?? 'sans référence'}</span>
              </p>
            </div>
          ),
        },
      ]}
      actions={(ticket) => [
        {
          name: 'Relancer',
          of: `la personne du ticket n°\u00a0${ticket.id}`,
          variant: 'outline',
          busy: isBusy(ticket),
          onClick: () => remind(ticket),
        },
      ]}
      dialog={dialog}
    />
  );
}
