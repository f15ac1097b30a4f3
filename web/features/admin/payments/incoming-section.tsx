import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { listPaymentAccounts, type PaymentAccount } from '#contract/payment-feed.ts';
import {
  countProposals,
  listPayments,
  listProposals,
  listUnreadMessages,
  type Payment,
  type PaymentPair,
  paymentsOnPage,
  proposalsAtOnce,
} from '#contract/payments.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { adminTicketAddress, incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import {
  Evidence,
  PaymentFacts,
  paymentTrouble,
  RequestFacts,
  StateBadge,
} from '#web/features/admin/shared/payment-facts.tsx';
import { PillLinks } from '#web/features/admin/shared/pill-links.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { formatAmount, formatCount, formatCounted } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { ClosingView } from './closing-view.tsx';
import { IntakeDialog, RecordDialog } from './intake-dialogs.tsx';
import { Listing } from './listing.tsx';
import { usePaymentActions } from './payment-actions.tsx';

/** The views, by their names in the address, and what each says when it is empty. */
const views = {
  approuver: { title: 'À approuver', nothing: 'Aucun paiement dont la demande est sûre' },
  regarder: { title: 'À regarder', nothing: 'Aucun paiement qui ressemble à une demande' },
  'sans-demande': { title: 'Sans demande', nothing: 'Aucun paiement sans demande' },
  'sans-paiement': { title: 'Sans paiement', nothing: 'Aucune demande déclarée payée sans paiement' },
  'non-lus': { title: 'Messages non lus', nothing: 'Aucun message non lu' },
  tous: { title: 'Tous les paiements', nothing: 'Aucun paiement trouvé' },
  cloture: { title: 'Clôture', nothing: '' },
};
type ViewName = keyof typeof views;
const viewNames = Object.keys(views) as ViewName[];

/** The payments that came in, beside the requests that they pay. */
export function IncomingSection({ nav }: { nav: ReactNode }) {
  const accounts = useEndpoint(listPaymentAccounts, {}, { pollEveryMs: pollEveryMs.adminPaymentAccounts });
  const [opened, setOpened] = useState<'paste' | 'statement'>();
  const active = accounts.data?.filter(({ isActive }) => isActive) ?? [];
  return (
    <>
      <TabTitle
        nav={nav}
        aside={
          active.length > 0 && (
            <>
              <Button variant="plain" tight onClick={() => setOpened('paste')}>
                Coller un SMS
              </Button>
              <Button variant="plain" tight onClick={() => setOpened('statement')}>
                Importer un relevé
              </Button>
            </>
          )
        }
      >
        Encaissements
      </TabTitle>
      <QueryState
        query={accounts}
        loading="Chargement des encaissements..."
        failure="Impossible de charger les encaissements."
        empty={
          <EmptyState
            Icon={CardIcon}
            title="Aucun compte de paiement"
            text="Ajoutez le numéro ou le code marchand qui reçoit les paiements, puis reliez-y un téléphone."
          >
            <Link href={paymentAccountsAddress} className={buttonClass()}>
              Aller aux comptes
            </Link>
          </EmptyState>
        }
      >
        {(all) => <Views accounts={all} />}
      </QueryState>
      {opened && <IntakeDialog kind={opened} accounts={active} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Views({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const asked = useTabSearch().values.get('vue');
  const view = viewNames.find((name) => name === asked) ?? 'approuver';
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const unread = useEndpoint(countProposals, {}, { pollEveryMs: pollEveryMs.adminPayments }).data?.unread;
  const { data } = proposals;
  // Above the views, so that another one keeps the ticks.
  const [ticks, setTicks] = useState<Ticks>(new Map());
  // An answer holds so many of a kind; more come as these are decided.
  const some = (count = 0) => data && (count < proposalsAtOnce ? String(count) : `${proposalsAtOnce}+`);
  const counts: { [Name in ViewName]?: string | undefined } = {
    approuver: some(data?.sure.length),
    regarder: some(new Set(data?.doubtful.map(({ line }) => line.id)).size),
    'sans-demande': some(data?.withoutTicket.length),
    'sans-paiement': some(data?.withoutPayment.length),
    'non-lus': unread === undefined ? undefined : formatCount(unread),
  };
  return (
    <>
      <PillLinks
        label="Vues des encaissements"
        pills={viewNames.map((name) => ({
          words: views[name].title,
          href: incomingPaymentsAddress(name),
          isCurrent: name === view,
          count: counts[name],
        }))}
      />
      {view === 'tous' && <AllPaymentsView />}
      {view === 'cloture' && <ClosingView accounts={accounts} />}
      {view === 'non-lus' && <UnreadView accounts={accounts} count={unread} />}
      {view !== 'tous' && view !== 'non-lus' && view !== 'cloture' && (
        <QueryState
          query={proposals}
          loading="Chargement des encaissements..."
          failure="Impossible de charger les encaissements."
        >
          {({ sure, doubtful, withoutTicket, withoutPayment }) => (
            <>
              {view === 'approuver' && <ApproveView pairs={sure} ticks={ticks} onTicks={setTicks} />}
              {view === 'regarder' && <DoubtfulView pairs={doubtful} />}
              {view === 'sans-demande' && <PaymentListing {...views['sans-demande']} rows={withoutTicket} />}
              {view === 'sans-paiement' && <UnpaidView tickets={withoutPayment} />}
            </>
          )}
        </QueryState>
      )}
    </>
  );
}

/** Ticks by hand, by `keyOf` a pair; the others are as they are proposed. */
type Ticks = ReadonlyMap<string, boolean>;

/** A payment beside another ticket is another pair, which nobody has seen. */
const keyOf = ({ line, ticket }: PaymentPair) => `${line.id} ${ticket.id}`;

/** The sure pairs side by side; those that are ticked are approved together, on request. */
function ApproveView({
  pairs,
  ticks,
  onTicks,
}: {
  pairs: readonly PaymentPair[];
  ticks: Ticks;
  onTicks: (ticks: Ticks) => void;
}) {
  const { approve, dialog } = usePaymentActions();
  const isTicked = (pair: PaymentPair) => ticks.get(keyOf(pair)) ?? pair.preTicked;
  // The newest last: what a poll brings moves nothing that is about to be ticked.
  const rows = pairs.map((pair) => ({ id: pair.line.id, pair })).sort((a, b) => a.id - b.id);
  const chosen = rows.flatMap(({ pair }) => (isTicked(pair) ? pair : []));
  const sum = chosen.reduce((francs, { line }) => francs + line.gross, 0);
  return (
    <Listing
      {...views.approuver}
      rows={rows}
      mark={({ pair }) => (
        <label className="-m-2 flex size-11 shrink-0 items-center justify-center">
          <span className="sr-only">
            {`Approuver ${formatAmount(pair.line.gross)} pour le ticket n°\u00a0${formatCount(pair.ticket.id)}`}
          </span>
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-leaf"
            checked={isTicked(pair)}
            onChange={({ target }) => onTicks(new Map(ticks).set(keyOf(pair), target.checked))}
          />
        </label>
      )}
      parts={[
        { head: 'Paiement reçu', percent: 35, draw: ({ pair }) => <PaymentFacts payment={pair.line} /> },
        { head: 'Demande', percent: 32, draw: ({ pair }) => <RequestFacts ticket={pair.ticket} /> },
        { head: 'Pourquoi', percent: 28, draw: ({ pair }) => <Evidence isSure evidence={pair.evidence} /> },
      ]}
      lookOf={({ pair }) => (isTicked(pair) ? 'chosen' : undefined)}
      dialog={dialog}
    >
      <div className="sticky bottom-0 z-10 -mx-3 mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-ground px-3 py-3 short:py-1.5 sm:-mx-4 sm:px-4 md:mx-0 md:px-0">
        {/* Taken away, it leaves the focus to the heading; disabled, to nothing. */}
        {chosen.length > 0 ? (
          <Button
            className="tabular-nums max-sm:w-full short:min-h-11"
            busy={approve.busy}
            onClick={() => approve.run(chosen)}
          >
            {`Approuver ${formatCount(chosen.length)} ${chosen.length < 2 ? 'paiement' : 'paiements'} · ${formatAmount(sum)}`}
          </Button>
        ) : (
          <p className="text-soft text-sm">Cochez les paiements à approuver.</p>
        )}
      </div>
    </Listing>
  );
}

/** Payments that several tickets may be for, or that differ from theirs: each pair is approved by itself. */
function DoubtfulView({ pairs }: { pairs: readonly PaymentPair[] }) {
  const { approve, actionsOf, dialog } = usePaymentActions();
  const rows = [...new Map(pairs.map(({ line }) => [line.id, line])).values()];
  return (
    <Listing
      {...views.regarder}
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
                      <Evidence isSure={false} evidence={pair.evidence} />
                    </div>
                    {/* A payment pays a ticket by its exact total alone. */}
                    {gross === Number(pair.ticket.totalPrice) && (
                      <div className="flex max-sm:w-full">
                        <RowButton
                          name="Approuver"
                          of={`le ticket n°\u00a0${pair.ticket.id} par ce paiement`}
                          small={inTable}
                          variant="outline"
                          busy={approve.busy}
                          onClick={() => approve.run([pair])}
                        />
                      </div>
                    )}
                  </li>
                ))}
            </ul>
          ),
        },
      ]}
      actions={actionsOf}
      dialog={dialog}
    />
  );
}

/** Tickets that were declared paid, and for which nothing came. */
function UnpaidView({ tickets }: { tickets: readonly AdminTicket[] }) {
  const { remind, isBusy, dialog } = usePaymentActions();
  return (
    <Listing
      {...views['sans-paiement']}
      rows={tickets}
      parts={[
        { head: 'Demande', percent: 36, draw: (ticket) => <RequestFacts ticket={ticket} /> },
        {
          head: 'Déclaré',
          percent: 46,
          draw: ({ totalPrice, paymentTypeName, paymentReference, paymentDeclaredAt }) => (
            <div className="wrap-anywhere leading-snug">
              <strong className="tabular-nums">{formatAmount(Number(totalPrice))}</strong>
              <p className="text-[0.8125rem] text-soft">
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

/** Messages that no pattern knows: a person says whether each is a payment. */
function UnreadView({ accounts, count }: { accounts: readonly PaymentAccount[]; count: number | undefined }) {
  // Each reading is in the audit log: they are read when the view opens, and when their number changes.
  const query = useEndpoint(listUnreadMessages, {}, { freshForMs: 0 });
  const { refetch } = query;
  const known = useRef(count);
  useEffect(() => {
    if (known.current !== count && known.current !== undefined) refetch();
    known.current = count;
  }, [count, refetch]);
  const { dialog, setDialog, close, ignoreMessage, isBusy } = usePaymentActions();
  return (
    <QueryState query={query} loading="Chargement des messages..." failure="Impossible de charger les messages.">
      {(messages) => (
        <Listing
          {...views['non-lus']}
          rows={messages}
          parts={[
            {
              head: 'Message',
              percent: 68,
              draw: ({ sender, receivedAt, accountId, why, text }) => (
                <div className="flex flex-col gap-1">
                  <p className="flex flex-wrap gap-x-2 text-[0.8125rem] text-soft">
                    <span className="wrap-anywhere font-semibold text-ink">{sender ?? 'Expéditeur inconnu'}</span>
                    <Moment instant={receivedAt} />
                    <span>{accounts.find(({ id }) => id === accountId)?.label}</span>
                  </p>
                  {why && <p className="font-semibold text-brick text-sm">{why}</p>}
                  <p className="wrap-anywhere whitespace-pre-wrap">{text ?? 'Le texte a été effacé après 30 jours.'}</p>
                </div>
              ),
            },
          ]}
          actions={(message) => {
            const of = `(message n°\u00a0${message.id})`;
            const open = () => setDialog(<RecordDialog message={message} accounts={accounts} onClose={close} />);
            const ignore = () => ignoreMessage(message);
            return [
              { name: "C'est un paiement", of, variant: 'outline', onClick: open },
              { name: "Ce n'est pas un paiement", of, busy: isBusy(message), onClick: ignore },
            ];
          }}
          dialog={dialog}
        />
      )}
    </QueryState>
  );
}

/** Every payment line, the last paid first. */
function AllPaymentsView() {
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
          <PaymentListing {...views.tous} rows={rows}>
            <p className="mt-3 text-soft">
              {`${formatCounted(rows.length, 'paiement')} sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))}`}
            </p>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </PaymentListing>
        )}
      </QueryState>
    </>
  );
}

/** Payments with their state, and what may be done with each. */
function PaymentListing(
  of: (typeof views)['tous' | 'sans-demande'] & { rows: readonly Payment[]; children?: ReactNode },
) {
  const { actionsOf, dialog } = usePaymentActions();
  return (
    <Listing
      {...of}
      parts={[
        { head: 'Paiement', percent: 38, draw: (payment) => <PaymentFacts payment={payment} /> },
        {
          head: 'État',
          percent: 20,
          draw: (payment) => (
            <div className="flex flex-wrap items-center gap-1">
              <StateBadge payment={payment} />
              {payment.isIgnored && <Badge>Ignoré</Badge>}
            </div>
          ),
        },
        { head: 'Ticket', percent: 14, draw: (payment) => <OwnTicket payment={payment} /> },
      ]}
      actions={actionsOf}
      lookOf={(payment) => (paymentTrouble(payment) ? 'wrong' : undefined)}
      dialog={dialog}
    />
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
