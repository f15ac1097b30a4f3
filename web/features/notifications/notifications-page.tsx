import { listNotifications, type Notification } from '#contract/notifications.ts';
import { notificationAddress } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { notificationPicture } from './picture.ts';
import { useMarkAll } from './use-mark-all.ts';

export function NotificationsPage() {
  const { user } = useAuth();
  if (user && !user.isGuest) return <OwnNotifications userId={user.id} />;
  return (
    <Column>
      <PageTitle>Notifications</PageTitle>
      <EmptyState Icon={BellIcon} title="Aucune notification" />
    </Column>
  );
}

function OwnNotifications({ userId }: { userId: number }) {
  const list = useList(
    listNotifications,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.notifications },
  );
  const anyUnread = list.data?.rows.some((each) => !each.isRead) ?? false;
  const { run, busy, progress } = useMarkAll(userId);
  // Its screen marks it read.
  const open = (notification: Notification) => navigate(notificationAddress(notification.id));

  return (
    <Column>
      <PageTitle
        aside={
          (anyUnread || busy) && (
            <Button variant="plain" tight busy={busy} onClick={() => run()}>
              {progress ? `${progress.done} / ${progress.total}` : 'Marquer tout comme lu'}
            </Button>
          )
        }
      >
        Notifications
      </PageTitle>
      <QueryState
        query={list}
        loading="Chargement des notifications..."
        failure="Impossible de charger vos notifications."
      >
        {({ rows, hasMore }) =>
          rows.length === 0 ? (
            <EmptyState Icon={BellIcon} title="Aucune notification" />
          ) : (
            <>
              <ul className="flex flex-col gap-2.5">
                {rows.map((each) => (
                  <li key={each.id}>
                    <Row notification={each} onOpen={() => open(each)} />
                  </li>
                ))}
              </ul>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </>
          )
        }
      </QueryState>
    </Column>
  );
}

function Row({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className={join(
        cardClass,
        'flex w-full items-start gap-3 p-4 text-left',
        !notification.isRead && 'border-[#9dbfe8] bg-unread',
      )}
    >
      <span className="text-2xl" aria-hidden="true">
        {notificationPicture(notification.type)}
      </span>
      <span className="min-w-0 flex-1">
        <span className={join('block', notification.isRead ? 'font-medium' : 'font-bold')}>
          {notification.title}
          {!notification.isRead && <span className="sr-only"> (non lue)</span>}
        </span>
        <span className="mt-0.5 line-clamp-2">{notification.message}</span>
        <span className="mt-1 block text-soft text-sm">{formatDate(notification.createdAt)}</span>
      </span>
    </button>
  );
}
