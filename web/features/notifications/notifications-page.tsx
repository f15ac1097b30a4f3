import { useState } from 'react';
import { useLocation } from 'wouter';
import { countUnread, listNotifications, markNotificationRead, type Notification } from '#contract/notifications.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { useEndpoint, useRefresh } from '#web/api/use-endpoint.ts';
import { notificationPath } from '#web/paths.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { notificationPicture } from './picture.ts';

const pageSize = 50;

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
  const { call } = useAuth();
  const [, navigate] = useLocation();
  const toast = useToast();
  const refresh = useRefresh();
  const [limit, setLimit] = useState(pageSize);
  const query = useEndpoint(
    listNotifications,
    { params: { userId: String(userId) }, query: { limit: String(limit) } },
    { pollEvery: 10_000, keepPrevious: true },
  );
  const anyUnread = query.data?.some((each) => !each.isRead) ?? false;
  const markAll = useAction(async () => {
    try {
      for await (const id of unreadIds()) await call(markNotificationRead, { params: { id: String(id) } });
    } catch (error) {
      toast({
        ...{ title: 'Erreur', destructive: true },
        description: failureSentence(error, 'Impossible de marquer la notification comme lue.'),
      });
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
  const open = (notification: Notification) => navigate(notificationPath(notification.id));

  return (
    <Column>
      <PageTitle
        aside={
          anyUnread && (
            <Button look="plain" tight pending={markAll.pending} onClick={() => markAll.run()}>
              Marquer tout comme lu
            </Button>
          )
        }
      >
        Notifications
      </PageTitle>
      <QueryState
        query={query}
        loading="Chargement des notifications..."
        failure="Impossible de charger vos notifications."
      >
        {(notifications) =>
          notifications.length === 0 ? (
            <EmptyState picture="🔔" title="Aucune notification" />
          ) : (
            <>
              <ul className="flex flex-col gap-2.5">
                {notifications.map((each) => (
                  <li key={each.id}>
                    <Row notification={each} onOpen={() => open(each)} />
                  </li>
                ))}
              </ul>
              {notifications.length === limit && (
                <Button look="plain" className="mt-4 w-full" onClick={() => setLimit(limit + pageSize)}>
                  Afficher plus
                </Button>
              )}
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
