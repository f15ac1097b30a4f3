import type { ComponentProps, ReactNode } from 'react';
import type { Payment, PaymentPair } from '#contract/payments.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { useDecisions } from '#web/features/admin/shared/decisions.tsx';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import {
  amountOf,
  Evidence,
  PaymentFacts,
  PaymentOrigin,
  RequestFacts,
} from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { StatusBadge } from '#web/features/admin/shared/status-badge.tsx';
import { formatAmount, formatCount, formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { usePaymentActions } from './payment-actions.tsx';
import { BellIcon } from './payment-icons.tsx';

/** Its name, and what it says when it is empty. */
interface View {
  title: string;
  nothing: string;
}

/** The first columns of a payment; a card has them as its first lines. */
export function paymentParts<Row>(lineOf: (row: Row) => Payment, percent: number): Part<Row>[] {
  return [
    {
      head: 'Montant',
      end: true,
      percent: 16,
      className: 'pr-4! font-semibold whitespace-nowrap',
      draw: (row, inTable) => inTable && amountOf(lineOf(row)),
    },
    {
      head: 'Paiement reçu',
      percent,
      draw: (row, inTable) =>
        inTable ? <PaymentOrigin payment={lineOf(row)} /> : <PaymentFacts payment={lineOf(row)} />,
    },
  ];
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
        ...paymentParts<(typeof rows)[number]>(({ pair }) => pair.line, 27),
        { head: 'Demande', percent: 27, draw: ({ pair }) => <RequestFacts ticket={pair.ticket} /> },
        {
          head: 'Pourquoi',
          percent: 25,
          draw: ({ pair }) => (
            <Decidable ticketId={pair.ticket.id}>
              <Evidence {...pair} />
            </Decidable>
          ),
        },
      ]}
      lookOf={({ pair }) => (isWaiting(pair) ? 'done' : isTicked(pair) ? 'chosen' : undefined)}
    >
      <div className="sticky bottom-[min(0px,(100vw-15rem)*99)] z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
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
        ...paymentParts<Payment>((line) => line, 26),
        {
          head: 'Demandes possibles',
          percent: 45,
          draw: ({ id, gross }, inTable) => (
            <ul
              aria-label={`Demandes possibles pour ${formatAmount(gross)}`}
              className="flex flex-col divide-y divide-line in-[li]:border-line in-[li]:border-y"
            >
              {pairs
                .filter(({ line }) => line.id === id)
                .map((pair) => (
                  <li key={pair.ticket.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-1.5">
                    <div className="min-w-0 flex-1 basis-44">
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
        {
          head: 'Montant',
          end: true,
          percent: 16,
          className: 'pr-4! whitespace-nowrap',
          draw: ({ totalPrice }) => <strong className="tabular-nums">{formatAmount(Number(totalPrice))}</strong>,
        },
        { head: 'Demande', percent: 36, draw: (ticket) => <RequestFacts ticket={ticket} /> },
        {
          head: 'Déclaré',
          percent: 40,
          draw: ({ paymentTypeName, paymentReference, paymentDeclaredAt }) => (
            <div className="wrap-anywhere leading-snug in-[td]:*:truncate">
              <p>
                {paymentDeclaredAt && <Moment instant={paymentDeclaredAt} />}
                <span>{` · ${paymentTypeName}`}</span>
              </p>
              <p className="select-all text-small text-soft">{paymentReference ?? 'Sans référence'}</p>
            </div>
          ),
        },
      ]}
      actions={(ticket) => [
        {
          name: 'Relancer',
          Icon: BellIcon,
          of: `la personne du ticket n°\u00a0${ticket.id}`,
          busy: isBusy(ticket),
          onClick: () => remind(ticket),
        },
      ]}
      dialog={dialog}
    />
  );
}
