import { useCallback } from 'react';
import { listUserTickets, type Ticket, type TicketStatus } from '#contract/tickets.ts';
import { CreateAccount } from '#web/account/create-account.tsx';
import { addresses } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { groupByDay } from '#web/text/formats.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { DayHeading } from '#web/ui/day-heading.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useEntryState } from '#web/ui/use-entry-state.ts';
import { useToday } from '#web/ui/use-now.ts';
import { filteredFrom } from './limits.ts';
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

const loading = 'Chargement des tickets...';

/** A ticket without words. */
function TicketShape() {
  const bone = 'block rounded bg-line';
  return (
    <div aria-hidden="true" className="ticket w-full">
      <div className="flex justify-between p-4">
        <span className={join(bone, 'h-4 w-2/5')} />
        <span className={join(bone, 'h-4 w-1/5')} />
      </div>
      <div className="p-4">
        <span className={join(bone, 'mx-auto h-6 w-3/4')} />
        <span className={join(bone, 'mt-4 h-12 rounded-xl!')} />
      </div>
    </div>
  );
}

function Expected({ text }: { text: string }) {
  return (
    <div role="status">
      <div className="breathe">
        <TicketShape />
      </div>
      <p className="mt-2 text-center text-soft text-small">{text}</p>
    </div>
  );
}

function NoTickets({ isGuest }: { isGuest?: boolean }) {
  return (
    <EmptyState Icon={TicketIcon} title="Aucun ticket trouvé">
      <div className="w-full max-w-72 opacity-60">
        <TicketShape />
      </div>
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

interface Place {
  status: TicketStatus | undefined;
  /** The decided tickets that are open. */
  open: number[];
}

function TicketList({ userId }: { userId: number }) {
  const list = useList(
    listUserTickets,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.userTickets, keep: true },
  );
  const today = useToday();
  const [{ status, open }, setPlace] = useEntryState<Place>({ status: undefined, open: [] });
  const onToggle = useCallback(
    (id: number, isOpen: boolean) =>
      setPlace((before) => {
        if (isOpen === before.open.includes(id)) return before;
        return { ...before, open: isOpen ? [...before.open, id] : before.open.filter((each) => each !== id) };
      }),
    [setPlace],
  );
  return (
    <QueryState
      query={list}
      loading={loading}
      skeleton={<Expected text={loading} />}
      failure="Impossible de charger vos tickets."
      empty={<NoTickets />}
    >
      {({ rows, hasMore }) => {
        const chosen = rows.some((ticket) => ticket.status === status) ? status : undefined;
        const shown = chosen ? rows.filter((ticket) => ticket.status === chosen) : rows;
        return (
          <>
            {rows.length > filteredFrom && (
              <StatusFilter
                rows={rows}
                isWhole={!hasMore}
                chosen={chosen}
                onChoose={(next) => setPlace({ status: next, open })}
              />
            )}
            {groupByDay(shown, today).map(({ heading, rows: tickets }) => (
              <section key={heading} aria-label={heading} className="mt-4 first-of-type:mt-0">
                <DayHeading>{heading}</DayHeading>
                <ul>
                  {tickets.map((ticket, place) => (
                    <li key={ticket.id} className={frameOf(ticket, tickets[place - 1], tickets[place + 1])}>
                      <TicketCard ticket={ticket} isOpen={open.includes(ticket.id)} onToggle={onToggle} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        );
      }}
    </QueryState>
  );
}

const filters: [status: TicketStatus | undefined, words: string][] = [
  [undefined, 'Tous'],
  ['pending', 'En attente'],
  ['approved', 'Approuvés'],
  ['rejected', 'Rejetés'],
];

/** One of the statuses that there are, or all; how many of each where all rows are known. */
function StatusFilter({
  rows,
  isWhole,
  chosen,
  onChoose,
}: {
  rows: Ticket[];
  isWhole: boolean;
  chosen: TicketStatus | undefined;
  onChoose: (status: TicketStatus | undefined) => void;
}) {
  return (
    <fieldset aria-label="Statut" className="mb-3 flex flex-wrap gap-1.5 *:grow sm:*:grow-0">
      {filters.map(([status, words]) => {
        const count = status ? rows.filter((ticket) => ticket.status === status).length : rows.length;
        const isChosen = status === chosen;
        return (
          count > 0 && (
            <button
              key={words}
              type="button"
              aria-pressed={isChosen}
              className={join(
                'min-h-11 rounded-full border px-1.5 font-semibold text-small tabular-nums sm:px-4',
                isChosen ? 'border-leaf bg-leaf text-on-leaf' : 'border-edge/60 bg-card text-ink hover:bg-leaf-pale',
              )}
              onClick={() => onChoose(status)}
            >
              <span>{words}</span>
              {isWhole && <span className="ml-1 font-normal">{count}</span>}
            </button>
          )
        );
      })}
    </fieldset>
  );
}

/** Decided tickets that follow each other are rows of one card. */
function frameOf(ticket: Ticket, before: Ticket | undefined, after: Ticket | undefined): string | undefined {
  const isRow = (each: Ticket | undefined) => each !== undefined && each.status !== 'pending';
  if (!isRow(ticket)) return 'not-first:mt-2.5';
  return join(
    '@container border-line border-x bg-card',
    isRow(before) ? 'border-t' : 'rounded-t-card border-t not-first:mt-2.5',
    !isRow(after) && 'rounded-b-card border-b',
  );
}
