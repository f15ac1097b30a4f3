import { type ReactNode, useEffect, useState } from 'react';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { useCall } from '#web/api/use-call.ts';
import { catalogueParts, HomePage } from '#web/features/catalogue/home-page.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { StatusNews } from '#web/tickets/status-news.tsx';
import { Column, HeadToCome } from '#web/ui/page.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { addresses, findAddress, readLevel, userAddresses } from './addresses.ts';
import { forgetOrderDraft, readOrderDraft } from './order-draft.ts';
import { endPushOfOthers, readPushOwner } from './push/push-owner.ts';
import { Redirect, usePath, useSearch } from './router.tsx';
import { Chunk, type Part, part } from './shell/chunk.tsx';
import { Navigation } from './shell/navigation.tsx';
import { useScrollPlaces } from './shell/use-scroll-places.ts';
import { whenIdle } from './shell/when-idle.ts';
import './user-screens.css';

/** The screen of each user address, complete by its type. Home is part of this chunk. */
const withBar = { ...userAddresses, content: addresses.content };
const screens: Record<keyof typeof withBar, Part> = {
  home: { component: HomePage, fetch: async () => {} },
  summary: part(() => import('#web/features/order/summary-page.tsx')),
  tickets: part(() => import('#web/features/tickets/tickets-page.tsx')),
  ticket: part(() => import('#web/features/tickets/ticket-page.tsx')),
  notifications: part(() => import('#web/features/notifications/notifications-page.tsx')),
  notification: part(() => import('#web/features/notifications/notification-page.tsx')),
  settings: part(() => import('#web/features/settings/settings-page.tsx')),
  content: part(() => import('#web/features/content-pages/content-page.tsx')),
};
const notFound = part(() => import('./shell/not-found-page.tsx'));

const waiting = (
  <Column>
    <HeadToCome />
    <SkeletonRows text="Chargement..." />
  </Column>
);

/** The screens of signed-in people and guests, with the bar; each but home is a separate chunk. */
export default function UserScreens() {
  const userId = useAuth().user?.id;
  const call = useCall();
  useScrollPlaces(userId);
  const path = usePath();
  const level = readLevel(useSearch()).join();
  const name = findAddress(withBar, path);
  // A sign-in as another person, or a sign-out; not the server's newer copy of the same person.
  useEffect(() => {
    endPushOfOthers(userId).catch(() => {});
    if (userId && !readOrderDraft()) forgetOrderDraft();
    if (userId && readPushOwner() === userId)
      import('./account/renew-push.ts').then(({ renewPush }) => renewPush(call, userId)).catch(() => {});
  }, [userId, call]);
  useEffect(() => {
    whenIdle(() => {
      for (const each of [...Object.values(screens), ...catalogueParts]) each.fetch().catch(() => {});
    });
  }, []);
  return (
    <QueryProvider key={userId}>
      <StatusNews at={path}>
        <div className="flex min-h-[calc(var(--screen)-6px)] flex-col rail:flex-row-reverse rail:items-start">
          {/* A guest whose session ended during an order still sees it. */}
          {userId || name === 'summary' ? (
            <DoubleTapGuard place={`${path} ${level}`}>
              <Chunk isPage of={name ? screens[name] : notFound} waiting={waiting} />
            </DoubleTapGuard>
          ) : (
            <Redirect to={addresses.auth} />
          )}
          <Navigation />
        </div>
      </StatusNews>
    </QueryProvider>
  );
}

/** How long the second of two taps may come after the first. */
const doubleTapMs = 300;

/** Takes no tap just after another place opened: it is the second of two that were meant for the place before. */
function DoubleTapGuard({ place, children }: { place: string; children: ReactNode }) {
  const [settled, setSettled] = useState(place);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), doubleTapMs);
    return () => clearTimeout(timer);
  }, [place]);
  return <div className={settled === place ? 'contents' : 'pointer-events-none contents'}>{children}</div>;
}
