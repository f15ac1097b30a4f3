import { type Dashboard, readDashboard } from '#contract/dashboard.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { countProposals } from '#contract/payments.ts';
import type { AdminTab } from '#web/addresses.ts';
import { adminTabAddress, adminTicketAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import { dashboardSkeleton } from '#web/features/admin/shared/skeletons.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { browserTimeZone } from '#web/features/admin/shared/time-zone.ts';
import { usePendingCount } from '#web/features/admin/shared/use-pending-count.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatTotal } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { Alarms } from './alarms.tsx';
import { DayChart, ServiceChart } from './charts.tsx';
import { ToDo } from './to-do.tsx';

/** Daily figures: pending and new tickets, and the last 30 days. */
export default function DashboardTab() {
  const query = useEndpoint(
    readDashboard,
    { query: { timeZone: browserTimeZone() } },
    { pollEveryMs: pollEveryMs.adminDashboard },
  );
  const payments = useEndpoint(countProposals, {}, { pollEveryMs: pollEveryMs.adminDashboard });
  return (
    <>
      <TabTitle>Tableau de bord</TabTitle>
      <QueryState
        // The payments stand above the figures: both are drawn at once.
        query={query.data && payments.isPending ? { ...payments, data: undefined } : query}
        loading="Chargement du tableau de bord..."
        skeleton={dashboardSkeleton}
        failure="Impossible de charger les chiffres."
      >
        {(figures) => <Figures figures={figures} payments={payments.data} />}
      </QueryState>
    </>
  );
}

type Payments = ResponseOf<typeof countProposals>;

function Figures({ figures, payments }: { figures: Dashboard; payments: Payments | undefined }) {
  const { users, services, tickets, days, services30, recent, alarms } = figures;
  const pending = usePendingCount() ?? tickets.pending;
  return (
    <div className="grid gap-3 sm:gap-4 lg:grid-cols-4">
      <ToDo figures={figures} payments={payments} />
      <Alarms alarms={alarms} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(clamp(50%-0.5rem,(14rem-100%)*999,100%),1fr))] gap-3 sm:gap-4 lg:col-span-4 lg:grid-cols-4 bar:grid-cols-4 bar:gap-3">
        <Figure name="Utilisateurs" value={users.total} note={`+${formatCount(users.today)} aujourd'hui`} to="users" />
        <Figure
          name="Services"
          value={services.total}
          note={`${formatCount(services.visible)} visibles`}
          to="services"
        />
        <Figure name="Tickets" value={tickets.total} note={`+${formatCount(tickets.today)} aujourd'hui`} to="tickets" />
        <Figure
          name="En attente"
          value={pending}
          note={pending > 0 ? 'Nécessite attention' : "Rien n'attend"}
          urgent={pending > 0}
          to="tickets"
          filter="statut=pending"
        />
      </div>
      <Card className="lg:col-span-3">
        <DayChart days={days} />
      </Card>
      <Card className="flex flex-col">
        <h2 className="font-semibold">Répartition</h2>
        <StatusBars tickets={tickets} />
      </Card>
      <Card className="min-w-0 lg:col-span-2">
        <h2 className="font-semibold">Activité récente</h2>
        {recent.length === 0 ? (
          <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé" />
        ) : (
          <RecentTickets recent={recent} />
        )}
      </Card>
      <Card className="lg:col-span-2">
        <ServiceChart services={services30} />
      </Card>
    </div>
  );
}

function Figure({
  name,
  value,
  note,
  urgent,
  to,
  filter,
}: {
  name: string;
  value: number;
  note: string;
  urgent?: boolean;
  to: AdminTab;
  filter?: string;
}) {
  return (
    <Link href={adminTabAddress(to, filter)} className="rounded-card">
      <Card className={join('h-full hover:bg-ground bar:p-3', urgent && 'border-amber!')}>
        <span className="block text-soft">{name}</span>
        <span className={join('block font-bold text-display leading-tight tabular-nums', urgent && 'text-amber')}>
          {formatCount(value)}
        </span>
        <span className={join('block text-small', urgent ? 'font-semibold text-amber' : 'text-soft')}>{note}</span>
      </Card>
    </Link>
  );
}

function RecentTickets({ recent }: Pick<Dashboard, 'recent'>) {
  return (
    <ul aria-label="Activité récente" className="mt-1">
      {recent.map(({ id, servicePath, totalPrice, createdAt, status }) => (
        <li key={id} className="border-line border-b last:border-b-0">
          <Link
            href={adminTicketAddress(id)}
            className="flex min-h-14 flex-wrap items-center gap-x-3 rounded-lg py-1.5 hover:bg-ground"
          >
            <span className="min-w-0 flex-1 basis-40">
              <span className="flex flex-wrap gap-x-2">
                <span className="whitespace-nowrap font-semibold tabular-nums">{`n°\u00a0${formatCount(id)}`}</span>
                <span className="min-w-0 flex-1 basis-24 truncate">{servicePath.at(-1)?.name}</span>
              </span>
              <span className="block text-soft text-small tabular-nums">
                <Moment instant={createdAt} />
                {` · ${formatTotal(Number(totalPrice), servicePath)}`}
              </span>
            </span>
            <Badge tone={ticketStatusLabel(status).tone}>{ticketStatusLabel(status).label}</Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const bars = [
  { status: 'approved', label: 'Approuvés', colour: 'fill-leaf' },
  { status: 'pending', label: 'En attente', colour: 'fill-[#d98a1f]' },
  { status: 'rejected', label: 'Rejetés', colour: 'fill-brick' },
] as const;

function StatusBars({ tickets }: { tickets: Dashboard['tickets'] }) {
  return (
    <ul aria-label="Répartition" className="mt-3 flex grow flex-col justify-evenly gap-4">
      {bars.map(({ status, label, colour }) => (
        <ShareBar
          key={status}
          name={label}
          value={formatCount(tickets[status])}
          share={tickets.total > 0 ? (100 * tickets[status]) / tickets.total : 0}
          fill={colour}
        />
      ))}
    </ul>
  );
}
