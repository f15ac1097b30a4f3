import { type ReactNode, useState } from 'react';
import { listPaymentAccounts, type PaymentAccount } from '#contract/payment-feed.ts';
import { countProposals, listProposals, proposalsAtOnce } from '#contract/payments.ts';
import { incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { PillLinks } from '#web/features/admin/shared/pill-links.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import {
  AllPaymentsView,
  AloneView,
  ApproveView,
  DoubtfulView,
  type Ticks,
  UnpaidView,
  UnreadView,
} from './incoming-views.tsx';
import { PasteDialog, StatementDialog } from './intake-dialogs.tsx';

const views = {
  approuver: 'À approuver',
  regarder: 'À regarder',
  'sans-demande': 'Sans demande',
  'sans-paiement': 'Sans paiement',
  'non-lus': 'Messages non lus',
  tous: 'Tous les paiements',
} as const;
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
        empty={<NoAccount />}
      >
        {(all) => <Views accounts={all} />}
      </QueryState>
      {opened === 'paste' && <PasteDialog accounts={active} onClose={() => setOpened(undefined)} />}
      {opened === 'statement' && <StatementDialog accounts={active} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function NoAccount() {
  return (
    <EmptyState Icon={CardIcon} title="Aucun compte de paiement">
      <p className="max-w-lg text-soft">
        Ajoutez le numéro ou le code marchand qui reçoit les paiements, puis reliez-y un téléphone, ou collez ses SMS.
      </p>
      <Link href={paymentAccountsAddress} className={buttonClass()}>
        Aller aux comptes
      </Link>
    </EmptyState>
  );
}

function Views({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const asked = useTabSearch().values.get('vue');
  const view = viewNames.find((name) => name === asked) ?? 'approuver';
  const proposals = useEndpoint(listProposals, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const counted = useEndpoint(countProposals, {}, { pollEveryMs: pollEveryMs.adminPayments });
  const { data } = proposals;
  // Above the views, so that another one keeps the ticks.
  const [ticks, setTicks] = useState<Ticks>(new Map());
  const counts: Partial<Record<ViewName, number | undefined>> = {
    approuver: data?.sure.length,
    regarder: data && new Set(data.doubtful.map(({ line }) => line.id)).size,
    'sans-demande': data?.withoutTicket.length,
    'sans-paiement': data?.withoutPayment.length,
    'non-lus': counted.data?.unread,
  };
  const ofProposals = (draw: (found: NonNullable<typeof data>) => ReactNode) => (
    <QueryState
      query={proposals}
      loading="Chargement des encaissements..."
      failure="Impossible de charger les encaissements."
    >
      {draw}
    </QueryState>
  );
  return (
    <>
      <p
        role="status"
        className="mb-1 rounded-xl bg-amber-pale px-3.5 py-2 font-semibold text-amber text-sm empty:hidden"
      >
        {accounts
          .filter(({ sources }) => sources.some(({ isSilent }) => isSilent))
          .map(({ label }) => `«\u00a0${label}\u00a0» ne donne plus de nouvelles. Voyez Comptes.`)
          .join(' ')}
      </p>
      <PillLinks
        label="Vues des encaissements"
        pills={viewNames.map((name) => ({
          words: views[name],
          href: incomingPaymentsAddress(name),
          isCurrent: name === view,
          count: countWords(counts[name], name),
        }))}
      />
      {view === 'approuver' && ofProposals(({ sure }) => <ApproveView pairs={sure} ticks={ticks} onTicks={setTicks} />)}
      {view === 'regarder' && ofProposals(({ doubtful }) => <DoubtfulView pairs={doubtful} />)}
      {view === 'sans-demande' && ofProposals(({ withoutTicket }) => <AloneView payments={withoutTicket} />)}
      {view === 'sans-paiement' && ofProposals(({ withoutPayment }) => <UnpaidView tickets={withoutPayment} />)}
      {view === 'non-lus' && <UnreadView accounts={accounts} count={counts[view]} />}
      {view === 'tous' && <AllPaymentsView />}
    </>
  );
}

/** An answer holds so many of a kind; more come as these are decided. Messages are counted whole. */
function countWords(count: number | undefined, view: ViewName): string | undefined {
  if (count === undefined) return undefined;
  return view !== 'non-lus' && count >= proposalsAtOnce ? `${formatCount(count)}+` : formatCount(count);
}
