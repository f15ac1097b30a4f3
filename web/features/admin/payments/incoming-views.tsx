import { useCallback, useEffect, useRef } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import {
  listPayments,
  listUnreadMessages,
  type Payment,
  type PaymentInput,
  type PaymentMessage,
  type PaymentPair,
  paymentsOnPage,
} from '#contract/payments.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { adminTicketAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import {
  Evidence,
  HourOrDay,
  PaymentFacts,
  paymentTrouble,
  RequestFacts,
  stateWords,
} from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { RecordDialog } from './intake-dialogs.tsx';
import { Listing, type Part } from './listing.tsx';
import { type PaymentActions, PaymentButtons, usePaymentActions } from './payment-actions.tsx';

/** Buttons share a card's width; in a table each is as wide as its words. */
const buttonRow = 'flex flex-wrap gap-1.5 empty:hidden';

/** Ticks by hand, by `keyOf` a pair; the others are as they are proposed. */
export type Ticks = ReadonlyMap<string, boolean>;

/** A payment beside another ticket is another pair, which nobody has seen. */
const keyOf = ({ line, ticket }: PaymentPair) => `${line.id} ${ticket.id}`;

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
  const actions = usePaymentActions();
  // The newest last: what a poll brings moves nothing that is about to be ticked.
  const rows = pairs
    .map((pair) => ({ id: pair.line.id, pair, isTicked: ticks.get(keyOf(pair)) ?? pair.preTicked }))
    .sort((a, b) => a.id - b.id);
  const chosen = rows.filter(({ isTicked }) => isTicked).map(({ pair }) => pair);
  const sum = chosen.reduce((francs, { line }) => francs + line.gross, 0);
  return (
    <Listing
      title="À approuver"
      nothing={{
        title: 'Rien à approuver',
        text: 'Les paiements dont la demande est sûre attendent ici votre accord.',
      }}
      rows={rows}
      mark={({ pair, isTicked }) => (
        <label className="-m-2 flex size-11 shrink-0 items-center justify-center">
          <span className="sr-only">
            {`Approuver ${formatAmount(pair.line.gross)} pour le ticket n° ${formatCount(pair.ticket.id)}`}
          </span>
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-leaf"
            checked={isTicked}
            onChange={({ target }) => onTicks(new Map(ticks).set(keyOf(pair), target.checked))}
          />
        </label>
      )}
      parts={[
        { head: 'Paiement reçu', percent: 35, draw: ({ pair }) => <PaymentFacts payment={pair.line} /> },
        { head: 'Demande', percent: 32, draw: ({ pair }) => <RequestFacts ticket={pair.ticket} /> },
        { head: 'Pourquoi', percent: 28, draw: ({ pair }) => <Evidence isSure evidence={pair.evidence} /> },
      ]}
      lookOf={({ isTicked }) => (isTicked ? 'chosen' : undefined)}
      dialog={actions.dialog}
    >
      <div className="sticky bottom-0 z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
        {/* Taken away, it leaves the focus to the heading; disabled, to nothing. */}
        {chosen.length > 0 && (
          <Button
            className="tabular-nums max-sm:w-full short:min-h-11"
            busy={actions.approve.busy}
            onClick={() => actions.approve.run(chosen)}
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
    </Listing>
  );
}

/** Payments that several tickets may be for, or that differ from theirs: each pair is approved by itself. */
export function DoubtfulView({ pairs }: { pairs: readonly PaymentPair[] }) {
  const actions = usePaymentActions();
  const rows = [...new Map(pairs.map(({ line }) => [line.id, line])).values()].map((line) => ({
    id: line.id,
    line,
    candidates: pairs.filter((pair) => pair.line.id === line.id),
  }));
  return (
    <Listing
      title="À regarder"
      nothing={{
        title: 'Rien à regarder',
        text: 'Les paiements qui ressemblent à une demande sans la prouver sont montrés ici.',
      }}
      rows={rows}
      parts={[
        {
          head: 'Paiement reçu',
          percent: 38,
          atTop: true,
          draw: ({ line }, inTable) => (
            <div className="flex flex-col gap-2">
              <PaymentFacts payment={line} />
              <div className={buttonRow}>
                <PaymentButtons payment={line} small={inTable} actions={actions} />
              </div>
            </div>
          ),
        },
        {
          head: 'Demandes possibles',
          percent: 62,
          atTop: true,
          draw: ({ line, candidates }, inTable) => (
            <ul
              aria-label={`Demandes possibles pour ${formatAmount(line.gross)}`}
              className="flex flex-col divide-y divide-line max-xl:border-line max-xl:border-t"
            >
              {candidates.map((pair) => (
                <li
                  key={pair.ticket.id}
                  className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 xl:first:pt-0 xl:last:pb-0"
                >
                  <div className="min-w-0 flex-1 basis-56">
                    <RequestFacts ticket={pair.ticket} />
                    <Evidence isSure={false} evidence={pair.evidence} />
                  </div>
                  {/* A payment pays a ticket by its exact total alone. */}
                  {line.gross === Number(pair.ticket.totalPrice) && (
                    <div className="flex max-sm:w-full">
                      <RowButton
                        name="Approuver"
                        of={`le ticket n° ${pair.ticket.id} par ce paiement`}
                        small={inTable}
                        variant="outline"
                        busy={actions.approve.busy}
                        onClick={() => actions.approve.run([pair])}
                      />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          ),
        },
      ]}
      dialog={actions.dialog}
    />
  );
}

/** Tickets that were declared paid, and for which nothing came. */
export function UnpaidView({ tickets }: { tickets: readonly AdminTicket[] }) {
  const actions = usePaymentActions();
  return (
    <Listing
      title="Sans paiement"
      nothing={{
        title: 'Aucune demande sans paiement',
        text: "Les demandes déclarées payées, pour lesquelles rien n'est arrivé, sont montrées ici.",
      }}
      rows={tickets}
      parts={[
        { head: 'Demande', percent: 36, draw: (ticket) => <RequestFacts ticket={ticket} /> },
        { head: 'Déclaré', percent: 46, draw: (ticket) => <Declared ticket={ticket} /> },
        {
          head: 'Actions',
          percent: 18,
          draw: (ticket, inTable) => (
            <div className={buttonRow}>
              <RowButton
                name="Relancer"
                of={`la personne du ticket n° ${ticket.id}`}
                small={inTable}
                variant="outline"
                busy={actions.isBusy(ticket)}
                onClick={() => actions.remind(ticket)}
              />
            </div>
          ),
        },
      ]}
      dialog={actions.dialog}
    />
  );
}

function Declared({ ticket }: { ticket: AdminTicket }) {
  const { totalPrice, paymentTypeName, paymentReference, paymentDeclaredAt } = ticket;
  return (
    <div className="wrap-anywhere leading-snug">
      <strong className="tabular-nums">{formatAmount(Number(totalPrice))}</strong>
      <p className="text-[0.8125rem] text-soft">
        {paymentDeclaredAt && <HourOrDay instant={paymentDeclaredAt} />}
        <span>{` · ${paymentTypeName} · `}</span>
        {paymentReference ? <span className="select-all">{paymentReference}</span> : <span>sans référence</span>}
      </p>
    </div>
  );
}

/** Messages that no pattern knows: a person says whether each is a payment. */
export function UnreadView({ accounts, count }: { accounts: readonly PaymentAccount[]; count: number | undefined }) {
  // Each reading is in the audit log: they are read when the view opens, and when their number changes.
  const query = useEndpoint(listUnreadMessages, {}, { freshForMs: 0 });
  const { refetch } = query;
  const known = useRef(count);
  useEffect(() => {
    if (known.current !== count && known.current !== undefined) refetch();
    known.current = count;
  }, [count, refetch]);
  const actions = usePaymentActions();
  const record = (message: PaymentMessage) =>
    actions.setDialog(<RecordDialog message={message} accounts={accounts} onClose={actions.close} />);
  return (
    <QueryState query={query} loading="Chargement des messages..." failure="Impossible de charger les messages.">
      {(messages) => (
        <Listing
          title="Messages non lus"
          nothing={{
            title: 'Aucun message non lu',
            text: "Les SMS dont la forme n'est pas connue sont gardés ici 30 jours, pour que vous disiez ce qu'ils sont.",
          }}
          rows={messages}
          parts={[
            {
              head: 'Message',
              percent: 68,
              draw: (message) => (
                <div className="flex flex-col gap-1">
                  <p className="flex flex-wrap gap-x-2 text-[0.8125rem] text-soft">
                    <span className="wrap-anywhere font-semibold text-ink">
                      {message.sender ?? 'Expéditeur inconnu'}
                    </span>
                    <HourOrDay instant={message.receivedAt} />
                    <span>{accounts.find(({ id }) => id === message.accountId)?.label}</span>
                  </p>
                  {message.why && <p className="font-semibold text-brick text-sm">{message.why}</p>}
                  <p className="wrap-anywhere whitespace-pre-wrap">
                    {message.text ?? <span className="text-soft">Le texte a été effacé après 30 jours.</span>}
                  </p>
                </div>
              ),
            },
            {
              head: 'Actions',
              percent: 32,
              draw: (message, inTable) => (
                <div className={buttonRow}>
                  <RowButton
                    name="C'est un paiement"
                    of={`(message n° ${message.id})`}
                    small={inTable}
                    variant="outline"
                    onClick={() => record(message)}
                  />
                  <RowButton
                    name="Ce n'est pas un paiement"
                    of={`(message n° ${message.id})`}
                    small={inTable}
                    variant="plain"
                    busy={actions.isBusy(message)}
                    onClick={() => actions.ignoreMessage(message)}
                  />
                </div>
              ),
            },
          ]}
          dialog={actions.dialog}
        />
      )}
    </QueryState>
  );
}

/** Payments with their state, and what may be done with each. */
const paymentParts = (actions: PaymentActions): Part<Payment>[] => [
  { head: 'Paiement', percent: 38, draw: (payment) => <PaymentFacts payment={payment} /> },
  { head: 'État', percent: 20, draw: (payment) => <PaymentState payment={payment} /> },
  { head: 'Ticket', percent: 14, draw: (payment) => <OwnTicket payment={payment} /> },
  {
    head: 'Actions',
    percent: 28,
    draw: (payment, inTable) => (
      <div className={buttonRow}>
        <PaymentButtons small={inTable} payment={payment} actions={actions} />
      </div>
    ),
  },
];
const lookOfPayment = (payment: Payment) => (paymentTrouble(payment) ? 'wrong' : undefined);

/** Payments without a request. */
export function AloneView({ payments }: { payments: readonly Payment[] }) {
  const actions = usePaymentActions();
  return (
    <Listing
      title="Sans demande"
      nothing={{
        title: 'Aucun paiement sans demande',
        text: 'Les paiements reçus dont aucune demande ne parle sont montrés ici.',
      }}
      rows={payments}
      parts={paymentParts(actions)}
      lookOf={lookOfPayment}
      dialog={actions.dialog}
    />
  );
}

/** Every payment line, the last paid first. */
export function AllPaymentsView() {
  const actions = usePaymentActions();
  const { values, set } = useTabSearch();
  const search = values.get('recherche') ?? '';
  const query = search ? { q: search } : {};
  const options = { pollEveryMs: pollEveryMs.adminPayments, pageRows: paymentsOnPage, cursor: 'cursor' } as const;
  const list = useList(listPayments, { query }, options);
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  return (
    <>
      <div className="mb-3 md:max-w-lg">
        <SearchWords
          label="Rechercher un paiement"
          example="Référence, numéro du payeur ou montant"
          words={search}
          onChange={onSearch}
        />
      </div>
      <QueryState query={list} loading="Chargement des paiements..." failure="Impossible de charger les paiements.">
        {({ rows, hasMore, total, capped }) => (
          <Listing
            title="Tous les paiements"
            nothing={{ title: 'Aucun paiement trouvé' }}
            rows={rows}
            parts={paymentParts(actions)}
            lookOf={lookOfPayment}
            dialog={actions.dialog}
          >
            <p className="mt-3 text-soft">
              {`${formatCount(rows.length)} paiement(s) sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))}`}
            </p>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </Listing>
        )}
      </QueryState>
    </>
  );
}

const directionWords: Partial<Record<Payment['direction'], string>> = {
  out: 'Envoyé',
  fee: 'Frais',
  reversal: 'Reprise',
};
const inputWords: Record<PaymentInput, string> = {
  sms: 'SMS',
  paste: 'SMS collé',
  wave: 'Wave',
  file: 'Relevé',
  person: 'Saisie',
};

/** Its state, and what told of it. */
function PaymentState({ payment: { state, direction, isIgnored, inputs } }: { payment: Payment }) {
  const other = directionWords[direction];
  return (
    <div className="flex flex-wrap items-center gap-1">
      <Badge small tone={stateWords[state].tone}>
        {stateWords[state].words}
      </Badge>
      {other && <Badge small>{other}</Badge>}
      {isIgnored && <Badge small>Ignoré</Badge>}
      <span className="text-[0.8125rem] text-soft">{inputs.map((input) => inputWords[input]).join(', ')}</span>
    </div>
  );
}

/** The ticket that it pays, else the one that its payer named. */
function OwnTicket({ payment: { ticketId, ourReference, gross } }: { payment: Payment }) {
  if (ticketId === null)
    return ourReference === null ? null : <span className="text-soft">{`Motif\u00a0: T${ourReference}`}</span>;
  return (
    <Link
      href={adminTicketAddress(ticketId)}
      aria-label={`Ouvrir le ticket n°\u00a0${ticketId}, payé par ${formatAmount(gross)}`}
      className="inline-flex min-h-6 items-center font-bold text-leaf tabular-nums underline underline-offset-4 max-lg:min-h-11"
    >
      {`n°\u00a0${formatCount(ticketId)}`}
    </Link>
  );
}
