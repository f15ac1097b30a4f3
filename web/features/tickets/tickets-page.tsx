import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { StatusNews } from '#web/dialling/status-news.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { CreateAccount } from '#web/shell/create-account.tsx';
import { formatDayHeading } from '#web/text/formats.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useToday } from '#web/ui/use-now.ts';
import { TicketCard } from './ticket-card.tsx';

export default function TicketsPage() {
  const { user } = useAuth();
  return (
    <Column wide>
      <PageTitle>Mes Tickets</PageTitle>
      {user && !user.isGuest ? <TicketList userId={user.id} /> : <NoTickets isGuest />}
    </Column>
  );
}

function NoTickets({ isGuest }: { isGuest?: boolean }) {
  return (
    <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé">
      <p className="max-w-sm text-soft">
        {isGuest
          ? 'Avec un compte, vous suivez ici vos demandes, leurs codes à composer et leurs reçus.'
          : 'Choisissez un service : votre demande et son code à composer seront ici.'}
      </p>
      {isGuest && <CreateAccount />}
      <Link href={addresses.home} className={buttonClass(isGuest ? { variant: 'plain' } : {})}>
        Explorer les services
      </Link>
    </EmptyState>
  );
}

function TicketList({ userId }: { userId: number }) {
  const list = useList(
    listUserTickets,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.userTickets, keep: true },
  );
  const today = useToday();
  return (
    <QueryState
      query={list}
      loading="Chargement des tickets..."
      skeleton={<TicketsSkeleton text="Chargement des tickets..." />}
      failure="Impossible de charger vos tickets."
      empty={<NoTickets />}
    >
      {({ rows, hasMore }) => (
        <>
          <StatusNews tickets={rows} />
          {daysOf(rows, today).map(({ heading, tickets }) => (
            <section key={heading} aria-label={heading} className="mt-4 first-of-type:mt-0">
              <h2 className="mb-2 font-bold text-[0.8125rem] text-soft first-letter:uppercase">{heading}</h2>
              <ul className="flex flex-col gap-2.5">
                {tickets.map((ticket) => (
                  <li key={ticket.id}>
                    <TicketCard ticket={ticket} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
        </>
      )}
    </QueryState>
  );
}

/** The tickets, newest first, grouped by the day of filing. */
function daysOf(rows: Ticket[], today: Date): { heading: string; tickets: Ticket[] }[] {
  const days: { heading: string; tickets: Ticket[] }[] = [];
  for (const ticket of rows) {
    const heading = formatDayHeading(ticket.createdAt, today);
    const last = days.at(-1);
    if (last?.heading === heading) last.tickets.push(ticket);
    else days.push({ heading, tickets: [ticket] });
  }
  return days;
}

const bones = ['h-4 w-1/2', 'h-4 w-1/5', 'h-3 w-2/3'];
const last = 'order-1 mt-3 h-4 w-1/3 lg:order-none';
const waiting = [
  'mr-auto h-3 w-3/5',
  `${last} lg:mt-0.5`,
  'mt-1.5 h-15 w-full short:w-1/2 lg:mt-0.5 lg:h-13 lg:w-2/5',
  'h-12 w-2/5 grow short:w-1/5 lg:w-20',
  'h-12 w-2/5 short:w-1/5 lg:w-20 grow',
];

/** Placeholders of the tickets in their final size: one that waits, with its code and buttons, then decided ones. */
function TicketsSkeleton({ text }: { text: string }) {
  return (
    <div role="status">
      <ul className="breathe flex flex-col gap-2.5" aria-hidden="true">
        <li className="mt-0.75 h-3.5 w-20 rounded bg-line" />
        {[0, 1, 2].map((card) => (
          <li key={card} className={join(cardClass, 'flex flex-wrap items-center justify-between gap-2.5 p-3.5')}>
            {[...bones, ...(card === 0 ? waiting : [last])].map((bone) => (
              <span key={bone} className={join('rounded bg-line', bone)} />
            ))}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-center text-soft text-sm">{text}</p>
    </div>
  );
}
