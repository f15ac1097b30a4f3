import { useLocation } from 'wouter';
import { countUnread, listNotifications, markNotificationRead, type Notification } from '#contract/notifications.ts';
import { notificationAddress } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useList, useReplaceRows } from '#web/api/use-list.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useAuth } from '#web/session/auth.tsx';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { join } from '#web/ui/join.ts';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { notificationPicture } from './picture.ts';

export function NotificationsPage() {
  const { user } = useAuth();
  if (user && !user.isGuest) return <OwnNotifications userId={user.id} />;
  return (
    <Column>
      <PageTitle>Notifications</PageTitle>
      <EmptyState picture="🔔" title="Aucune notification" />
    </Column>
  );
}

function OwnNotifications({ userId }: { userId: number }) {
  const call = useCall();
  const [, navigate] = useLocation();
  const toastFailure = useFailureToast();
  const refresh = useRefresh();
  const replace = useReplaceRows(listNotifications);
  const list = useList(
    listNotifications,
    { params: { userId: String(userId) } },
    { pollEveryMs: pollEveryMs.notifications },
  );
  const anyUnread = list.data?.rows.some((each) => !each.isRead) ?? false;
  const markAll = useAction(async () => {
    try {
      for await (const id of unreadIds()) replace([await call(markNotificationRead, { params: { id: String(id) } })]);
    } catch (error) {
      toastFailure(error, { fallback: 'Impossible de marquer la notification comme lue.' });
    }
    await refresh(listNotifications, countUnread);
  });
  /** Every unread one, those further down than the list shows included. */
  async function* unreadIds() {
    let before: number | undefined;
    for (let page: Notification[]; ; before = page.at(-1)?.id) {
      page = await call(listNotifications, {
        params: { userId: String(userId) },
        query: { limit: '100', ...(before && { before: String(before) }) },
      });
      yield* page.filter((each) => !each.isRead).map((each) => each.id);
      if (page.length < 100) return;
    }
  }
  // Its screen marks it read.
  const open = (notification: Notification) => navigate(notificationAddress(notification.id));

  return (
    <Column>
      <PageTitle
        aside={
          anyUnread && (
            <Button variant="plain" tight busy={markAll.busy} onClick={() => markAll.run()}>
              Marquer tout comme lu
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
            <EmptyState picture="🔔" title="Aucune notification" />
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
