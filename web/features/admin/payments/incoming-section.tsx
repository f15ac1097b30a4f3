import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { listPaymentAccounts, type PaymentAccount } from '#contract/payment-feed.ts';
import { listPayments, listProposals, listUnreadMessages, type Payment, proposalsAtOnce } from '#contract/payments.ts';
import { incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { FilterField } from '#web/features/admin/shared/fields.tsx';
import { Listing } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { paymentTrouble, StateBadge, TicketLink } from '#web/features/admin/shared/payment-facts.tsx';
import { PillLinks } from '#web/features/admin/shared/pill-links.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { closingSkeleton } from '#web/features/admin/shared/skeletons.tsx';
import { readWords, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { formatAmount, formatCount, formatCounted } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useToday } from '#web/ui/use-now.ts';
import { PasteDialog } from './intake-dialogs.tsx';
import { usePaymentActions } from './payment-actions.tsx';
import { messageText, RecordDialog } from './record-dialog.tsx';
import { ApproveView, DoubtfulView, paymentParts, type Ticks, UnpaidView } from './request-views.tsx';
import { StatementDialog } from './statement-dialog.tsx';

const closingView = part(() => import('./closing-view.tsx'));

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
const words = {
  loading: 'Chargement des encaissements...',
  failure: 'Impossible de charger les encaissements.',
};
type ViewName = keyof typeof views;
const viewNames = Object.keys(views) as ViewName[];

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
        Paiements
      </TabTitle>
      <QueryState
        query={accounts}
        {...words}
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
      {opened === 'paste' && <PasteDialog accounts={active} onClose={() => setOpened(undefined)} />}
      {opened === 'statement' && <StatementDialog accounts={active} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function Views({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const asked = useTabSearch().values.get('vue');
  const view = viewNames.find((name) => name === asked) ?? 'approuver';
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const { data } = proposals;
  const unread = data?.unread;
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
      {view === 'tous' ? (
        <AllPaymentsView accounts={accounts} />
      ) : view === 'cloture' ? (
        <Chunk of={closingView} given={{ accounts }} waiting={closingSkeleton} />
      ) : view === 'non-lus' ? (
        <UnreadView accounts={accounts} count={unread} />
      ) : (
        <QueryState query={proposals} {...words}>
          {({ sure, doubtful, withoutTicket, withoutPayment }) => {
            if (view === 'regarder') return <DoubtfulView view={views[view]} pairs={doubtful} />;
            if (view === 'sans-demande') return <PaymentListing {...views[view]} rows={withoutTicket} />;
            if (view === 'sans-paiement') return <UnpaidView view={views[view]} tickets={withoutPayment} />;
            return <ApproveView view={views[view]} pairs={sure} ticks={ticks} onTicks={setTicks} />;
          }}
        </QueryState>
      )}
    </>
  );
}

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
              percent: 64,
              draw: ({ sender, receivedAt, accountId, why, ...message }) => (
                <div className="flex flex-col gap-1">
                  <p className="flex flex-wrap gap-x-2 text-small text-soft">
                    <span className="wrap-anywhere font-semibold text-ink">{sender ?? 'Expéditeur inconnu'}</span>
                    <Moment instant={receivedAt} />
                    <span>{accounts.find(({ id }) => id === accountId)?.label}</span>
                  </p>
                  {why && <p className="font-semibold text-brick text-body">{why}</p>}
                  <p className="wrap-anywhere whitespace-pre-wrap">{messageText(message)}</p>
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

const periods = {
  '': 'Toutes les dates',
  jour: "Aujourd'hui",
  semaine: '7 derniers jours',
  mois: '30 derniers jours',
};
const daysBack: Record<string, number> = { jour: 0, semaine: 6, mois: 29 };

/** The filter of all payments in the tab's address, and its query. */
function usePaymentFilter(accounts: readonly PaymentAccount[]) {
  const { values, set } = useTabSearch();
  const search = readWords(values);
  const period =
    (Object.keys(periods) as (keyof typeof periods)[]).find((name) => name === values.get('periode')) ?? '';
  const account = accounts.find(({ id }) => String(id) === values.get('compte'));
  const today = useToday(pollEveryMs.adminPayments);
  const from = period && new Date(today.getFullYear(), today.getMonth(), today.getDate() - (daysBack[period] ?? 0));
  const query = {
    ...(search && { q: search }),
    ...(account && { account: String(account.id) }),
    ...(from && { from: from.toISOString() }),
  };
  return { search, period, account: account ? String(account.id) : '', query, set };
}

/** Two side by side have their words whole. */
const onPhone = 'max-sm:px-2.5! max-sm:text-body';

function AllPaymentsView({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const { search, period, account, query, set } = usePaymentFilter(accounts);
  const options = { pollEveryMs: pollEveryMs.adminPayments, pageRows: 100, cursor: 'cursor' } as const;
  const list = useList(listPayments, { query }, options);
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  const accountNames = { '': 'Tous les comptes', ...Object.fromEntries(accounts.map(({ id, label }) => [id, label])) };
  return (
    <>
      <div className="mb-3 grid grid-cols-2 gap-2 *:first:col-span-full md:grid-cols-[minmax(0,1fr)_12rem_13rem] md:*:first:col-span-1">
        <SearchWords
          label="Rechercher un paiement"
          example="Référence, numéro du payeur ou montant"
          words={search}
          onChange={onSearch}
        />
        <FilterField
          label="Date"
          className={onPhone}
          options={periods}
          value={period}
          onChoose={(periode) => set({ periode })}
        />
        <FilterField
          label="Compte"
          className={onPhone}
          options={accountNames}
          value={account}
          onChoose={(compte) => set({ compte })}
        />
      </div>
      <QueryState query={list} loading="Chargement des paiements..." failure="Impossible de charger les paiements.">
        {({ rows, hasMore, total, capped }) => (
          <>
            <p role="status" className="mb-2 text-small text-soft empty:hidden">
              {rows.length > 0 &&
                `${formatCounted(rows.length, 'paiement')} sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))}`}
            </p>
            <PaymentListing {...views.tous} rows={rows}>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </PaymentListing>
          </>
        )}
      </QueryState>
    </>
  );
}

function PaymentListing(
  of: (typeof views)['tous' | 'sans-demande'] & { rows: readonly Payment[]; children?: ReactNode },
) {
  const { actionsOf, dialog } = usePaymentActions();
  return (
    <Listing
      {...of}
      parts={[
        ...paymentParts<Payment>((payment) => payment, 47),
        {
          head: 'État',
          percent: 11,
          className: '*:m-0.5',
          draw: (payment) => (
            <>
              <StateBadge payment={payment} />
              {payment.isIgnored && <Badge>Ignoré</Badge>}
            </>
          ),
        },
        { head: 'Ticket', percent: 13, draw: (payment) => <OwnTicket payment={payment} /> },
      ]}
      actions={actionsOf}
      lookOf={(payment) => (paymentTrouble(payment) ? 'wrong' : undefined)}
      dialog={dialog}
    />
  );
}

/** The ticket that it pays, else the one that it was for and that was rejected, else the one that its payer named. */
function OwnTicket({ payment: { ticketId, rejectedTicketId, ourReference, gross } }: { payment: Payment }) {
  if (ticketId !== null)
    return (
      <TicketLink
        id={ticketId}
        label={`Ouvrir le ticket n°\u00a0${ticketId}, payé par ${formatAmount(gross)}`}
        className="font-bold"
      />
    );
  if (rejectedTicketId !== null)
    return (
      <p className="font-semibold text-amber text-small">
        <TicketLink id={rejectedTicketId} label={`Ouvrir le ticket n°\u00a0${rejectedTicketId}, rejeté`} /> rejeté
      </p>
    );
  return ourReference === null ? null : <span className="text-soft">{`Motif\u00a0: T${ourReference}`}</span>;
}
