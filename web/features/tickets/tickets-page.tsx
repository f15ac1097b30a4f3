import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { CreateAccount } from '#web/account/create-account.tsx';
import { addresses } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatDayHeading } from '#web/text/formats.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useToday } from '#web/ui/use-now.ts';
import { TicketCard } from './ticket-card.tsx';

export default function TicketsPage() {
  const { user } = useAuth();
  return (
    <Column>
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
          : 'Choisissez un service\u00a0: votre demande et son code à composer seront ici.'}
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
      failure="Impossible de charger vos tickets."
      empty={<NoTickets />}
    >
      {({ rows, hasMore }) => (
        <>
          {daysOf(rows, today).map(({ heading, tickets }) => (
            <section key={heading} aria-label={heading} className="mt-4 first-of-type:mt-0">
              <h2 className="mb-2 font-bold text-small text-soft first-letter:uppercase">{heading}</h2>
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
