import { memo, useMemo, useRef, useState } from 'react';
import { countUnread, listNotifications, markNotificationRead, type Notification } from '#contract/notifications.ts';
import { listUserTickets, type Ticket } from '#contract/tickets.ts';
import { CreateAccount, WhyAnAccount } from '#web/account/create-account.tsx';
import { PushCard } from '#web/account/push-card.tsx';
import { addresses, notificationAddress } from '#web/addresses.ts';
import { callsAtOnce } from '#web/api/limits.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useList, useReplaceRows } from '#web/api/use-list.ts';
import { useAction } from '#web/forms/use-action.ts';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatDate, formatDayAndHour, groupByDay, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { edgeRow, nameOf, totalOf } from '#web/tickets/ticket-head.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { DayHeading } from '#web/ui/day-heading.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { useToday } from '#web/ui/use-now.ts';
import { NotificationMark } from './notification-mark.tsx';

const loading = 'Chargement des notifications...';

export default function NotificationsPage() {
  const { user } = useAuth();
  if (user && !user.isGuest) return <OwnNotifications userId={user.id} />;
  return (
    <Column>
      <PageTitle>Notifications</PageTitle>
      <EmptyState Icon={BellIcon} title="Aucune notification">
        <WhyAnAccount here className="max-w-sm" />
        <div className="flex w-full flex-col gap-2.5 max-sm:max-w-xs sm:flex-row sm:justify-center sm:*:basis-60">
          <CreateAccount />
          <Link href={addresses.home} className={buttonClass({ variant: 'outline' })}>
            Explorer les services
          </Link>
        </div>
      </EmptyState>
    </Column>
  );
}

/** The person's tickets as last read, by their numbers. */
function useTicketsById(userId: number): ReadonlyMap<number, Ticket> {
  const { data } = useList(listUserTickets, { params: { userId: String(userId) } }, { keep: true });
  return useMemo(() => new Map(data?.rows.map((ticket) => [ticket.id, ticket])), [data]);
}

const noNotification = (
  <EmptyState Icon={BellIcon} title="Aucune notification" text="Vous lirez ici les réponses à vos demandes.">
    <Link href={addresses.home} className={buttonClass()}>
      Explorer les services
    </Link>
  </EmptyState>
);

function OwnNotifications({ userId }: { userId: number }) {
  const list = useList(
    listNotifications,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.notifications, keep: true },
  );
  const anyUnread = list.data?.rows.some((each) => !each.isRead) ?? false;
  const { run, busy, progress } = useMarkAll(userId);
  const today = useToday();
  const tickets = useTicketsById(userId);

  return (
    <Column>
      <PageTitle
        aside={
          (anyUnread || busy) && (
            <Button
              variant="quiet"
              tight
              className="-mr-3 ml-auto text-body tabular-nums"
              busy={busy}
              onClick={() => run()}
            >
              {progress
                ? `${formatCount(progress.done)} sur ${formatCount(progress.total)} lues`
                : 'Marquer tout comme lu'}
            </Button>
          )
        }
      >
        Notifications
      </PageTitle>
      <QueryState
        query={list}
        loading={loading}
        skeleton={<SkeletonRows text={loading} className="*:min-h-20.75 *:px-4 sm:*:min-h-15.75 sm:*:px-5" />}
        failure="Impossible de charger vos notifications."
        empty={noNotification}
      >
        {({ rows, hasMore }) => (
          <>
            {groupByDay(rows, today).map(({ heading, rows: ofDay }) => (
              <section key={heading} aria-label={heading} className="mt-4 first-of-type:mt-0">
                <DayHeading>{heading}</DayHeading>
                <ul className={join(cardClass, 'divide-y divide-line overflow-hidden')}>
                  {ofDay.map((each) => (
                    <li key={each.id}>
                      <Row notification={each} ticket={tickets.get(each.relatedTicketId ?? 0)} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
      {/* At the bottom: its late appearance must not move the list. */}
      {list.data && <PushCard userId={userId} className="mt-4" />}
    </Column>
  );
}

/** Memoized: a poll that changes other rows does not render it. */
const Row = memo(function Row({
  notification: { id, type, title, message, isRead, createdAt },
  ticket,
}: {
  notification: Notification;
  /** What it is about, if known: its service and total then stand in the title's place. */
  ticket: Ticket | undefined;
}) {
  return (
    <Link
      // The notification's screen marks it read.
      href={notificationAddress(id)}
      className={join(
        'flex w-full flex-wrap items-start gap-x-3 gap-y-1 px-[calc(1rem-1px)] py-2.5 -outline-offset-4 hover:bg-ground',
        !isRead && 'bg-unread',
      )}
    >
      <NotificationMark type={type} />
      <span className="min-w-0 flex-1 basis-40">
        <span className={join(edgeRow, 'text-[1rem] leading-snug', isRead ? 'font-semibold' : 'font-bold')}>
          <span className="min-w-0 flex-1 basis-24">
            {!isRead && <span className="mr-2 mb-px inline-block size-2.5 rounded-full bg-indigo" />}
            <span>{ticket ? nameOf(ticket) : title}</span>
            {!isRead && <span className="sr-only"> (non lue)</span>}
          </span>
          {ticket && <span className="font-bold font-display tabular-nums">{spaceAmount(totalOf(ticket))}</span>}
        </span>
        <span className={join(edgeRow, 'text-small text-soft leading-snug')}>
          <span className="line-clamp-3 min-w-0 flex-1 basis-40">{keepUnits(message)}</span>
          <time dateTime={createdAt} title={formatDate(createdAt)} className="tabular-nums">
            {formatDayAndHour(createdAt).hour}
          </time>
        </span>
      </span>
    </Link>
  );
});

const pageRows = 100;

/** Marks every unread notification read, beyond the displayed rows too, by one call each (P10.3), a few at a time. */
function useMarkAll(userId: number) {
  const call = useCall();
  const replace = useReplaceRows(listNotifications);
  const [progress, setProgress] = useState<{ done: number; total: number }>();

  async function listUnreadIds(): Promise<number[]> {
    const ids: number[] = [];
    for (let before: number | undefined; ; ) {
      const page = await call(listNotifications, {
        params: { userId: String(userId) },
        query: { limit: String(pageRows), ...(before && { before: String(before) }) },
      });
      ids.push(...page.filter((each) => !each.isRead).map((each) => each.id));
      if (page.length < pageRows) return ids;
      before = page.at(-1)?.id;
    }
  }

  /** How many were not marked, if any. */
  const prefix = useRef('');
  async function markAll() {
    prefix.current = '';
    const ids = await listUnreadIds();
    const total = ids.length;
    setProgress({ done: 0, total });
    const failures = await mapConcurrent(
      ids,
      async (id) => replace([await call(markNotificationRead, { params: { id: String(id) } })]),
      (done) => setProgress({ done, total }),
    );
    if (failures.length === 0) return { title: 'Notifications lues', description: marked(total) };
    prefix.current = `${formatCount(failures.length)} sur ${formatCount(total)} non marquées comme lues.`;
    throw failures[0];
  }
  const { run, busy } = useAction(() => markAll().finally(() => setProgress(undefined)), {
    failure: () => ({ fallback: 'Impossible de marquer la notification comme lue.', prefix: prefix.current }),
    reads: [listNotifications, countUnread],
  });
  return { run, busy, progress };
}

const marked = (count: number) =>
  count === 1 ? '1 notification marquée comme lue.' : `${formatCount(count)}\u00a0notifications marquées comme lues.`;

/** Applies `act` to each item, a few at a time. Returns the errors, in no order; `onDone` receives the progress. */
async function mapConcurrent<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const waiting = [...items];
  let done = 0;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await act(item).catch((error: unknown) => failures.push(error));
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  return failures;
}
