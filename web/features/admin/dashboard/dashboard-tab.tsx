import { type ReactNode, useState } from 'react';
import { type Dashboard, readDashboard } from '#contract/dashboard.ts';
import { adminTabAddress, adminTicketAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { navigate } from '#web/router.tsx';
import { formatCount, formatDayAndHour } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { Alarms, SignInAttacks } from './alarms.tsx';
import { DayChart } from './day-chart.tsx';
import { ServiceChart } from './service-chart.tsx';

type Measure = 'tickets' | 'francs';

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Daily figures: pending and new tickets, and the last 30 days. */
export default function DashboardTab() {
  const query = useEndpoint(
    readDashboard,
    { query: { timeZone: timeZone() } },
    { pollEveryMs: pollEveryMs.adminDashboard },
  );
  return (
    <>
      <TabTitle>Tableau de bord</TabTitle>
      <QueryState
        query={query}
        loading="Chargement du tableau de bord..."
        failure="Impossible de charger les chiffres."
      >
        {(figures) => <Figures figures={figures} />}
      </QueryState>
    </>
  );
}

function Figures({ figures }: { figures: Dashboard }) {
  const { users, services, tickets, days, services30, recent, signInAttacks, alarms } = figures;
  const [measure, setMeasure] = useState<Measure>('tickets');
  return (
    <div className="grid gap-3 sm:gap-4 lg:grid-cols-4">
      <Alarms alarms={alarms} />
      <SignInAttacks attacks={signInAttacks} />
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:col-span-4 lg:grid-cols-4">
        <Figure name="Utilisateurs" value={users.total} note={`+${formatCount(users.today)} aujourd’hui`} />
        <Figure name="Services" value={services.total} note={`${formatCount(services.visible)} visibles`} />
        <Figure name="Tickets" value={tickets.total} note={`+${formatCount(tickets.today)} aujourd’hui`} />
        <Figure
          name="En attente"
          value={tickets.pending}
          note={tickets.pending > 0 ? 'Nécessite attention' : 'Rien n’attend'}
          urgent={tickets.pending > 0}
          onOpen={() => navigate(adminTabAddress('tickets', 'statut=pending'))}
        />
      </div>
      <Card className="lg:col-span-3">
        <DayChart days={days} measure={measure} aside={<MeasureChoice measure={measure} onChoose={setMeasure} />} />
      </Card>
      <Card>
        <h2 className="font-semibold">Répartition</h2>
        <StatusBars tickets={tickets} />
      </Card>
      <Card className="lg:col-span-2">
        <h2 className="font-semibold">Activité récente</h2>
        {recent.length === 0 ? (
          <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé" />
        ) : (
          <ul aria-label="Activité récente" className="mt-2">
            {recent.map((ticket) => (
              <li key={ticket.id} className="border-line border-b last:border-b-0">
                <Recent ticket={ticket} onOpen={() => navigate(adminTicketAddress(ticket.id))} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card className="lg:col-span-2">
        <ServiceChart services={services30} />
      </Card>
    </div>
  );
}

function MeasureChoice({ measure, onChoose }: { measure: Measure; onChoose: (measure: Measure) => void }) {
  return (
    <fieldset className="flex rounded-xl border border-edge p-0.5">
      <legend className="sr-only">Mesure</legend>
      {(['tickets', 'francs'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={measure === each}
          onClick={() => onChoose(each)}
          className={join(
            'min-h-9 rounded-[0.6rem] px-3 text-sm',
            measure === each ? 'bg-leaf font-semibold text-white' : 'text-soft hover:text-ink',
          )}
        >
          {each === 'tickets' ? 'Tickets' : 'Francs'}
        </button>
      ))}
    </fieldset>
  );
}

function Figure({
  name,
  value,
  note,
  urgent,
  onOpen,
}: {
  name: string;
  value: number;
  note: string;
  urgent?: boolean;
  onOpen?: () => void;
}) {
  const inside: ReactNode = (
    <>
      <span className="block text-soft">{name}</span>
      <span className={join('block font-bold text-3xl leading-tight tabular-nums', urgent && 'text-amber')}>
        {formatCount(value)}
      </span>
      <span className={join('block text-sm', urgent ? 'font-semibold text-amber' : 'text-soft')}>{note}</span>
    </>
  );
  const look = join('h-full', urgent && 'border-amber');
  if (!onOpen) return <Card className={look}>{inside}</Card>;
  return (
    <button type="button" onClick={onOpen} className="rounded-card text-left">
      <Card className={join(look, 'hover:bg-ground')}>{inside}</Card>
    </button>
  );
}

function Recent({ ticket, onOpen }: { ticket: Dashboard['recent'][number]; onOpen: () => void }) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const { day, hour } = formatDayAndHour(ticket.createdAt);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-12 w-full flex-wrap items-center gap-x-4 rounded-lg text-left hover:bg-ground"
    >
      <span className="font-semibold tabular-nums">n° {formatCount(ticket.id)}</span>
      <span className="flex-1 text-soft tabular-nums">
        {day} {hour}
      </span>
      <Badge tone={tone}>{label}</Badge>
    </button>
  );
}

const bars = [
  { status: 'approved', label: 'Approuvés', colour: 'fill-leaf' },
  { status: 'pending', label: 'En attente', colour: 'fill-[#d98a1f]' },
  { status: 'rejected', label: 'Rejetés', colour: 'fill-brick' },
] as const;

function StatusBars({ tickets }: { tickets: Dashboard['tickets'] }) {
  return (
    <ul aria-label="Répartition" className="mt-3 flex flex-col gap-4">
      {bars.map(({ status, label, colour }) => {
        const share = tickets.total > 0 ? (100 * tickets[status]) / tickets.total : 0;
        return (
          <li key={status}>
            <div className="flex flex-wrap justify-between gap-x-3">
              <span>{label}</span>
              <span className="ml-auto font-semibold tabular-nums">{formatCount(tickets[status])}</span>
            </div>
            <ShareBar share={share} className="mt-1.5" fill={colour} />
          </li>
        );
      })}
    </ul>
  );
}
