import { countUnread } from '#contract/notifications.ts';
import { addresses, findAddress, userAddresses } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Link, usePath } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { BellIcon, HomeIcon, SettingsIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';

/** Each is the current one on the screens that it `has`. */
const tabs = [
  { to: addresses.home, has: ['home', 'summary'], label: 'Accueil', Icon: HomeIcon },
  { to: addresses.tickets, has: ['tickets', 'ticket'], label: 'Tickets', Icon: TicketIcon },
  { to: addresses.notifications, has: ['notifications', 'notification'], label: 'Notifications', Icon: BellIcon },
  { to: addresses.settings, has: ['settings'], label: 'Paramètres', Icon: SettingsIcon },
];

/** The four tabs: a bar at a phone's bottom, a side bar on desktops and in landscape. */
export function Navigation() {
  const path = usePath();
  const { user } = useAuth();
  const asks = user !== undefined && !user.isGuest;
  const unread = useEndpoint(
    countUnread,
    { params: { userId: String(user?.id) } },
    { enabled: asks, pollEveryMs: pollEveryMs.unreadCount, keep: true },
  );
  return (
    <nav
      aria-label="Navigation principale"
      // On a phone, an order has its own bottom bar. A side bar's end stands the offer's height below the screen.
      className={join(
        path === addresses.summary && 'hidden',
        'bottom-bar @container sticky bottom-(--stick) z-20 mt-auto border-line border-t bg-card pb-[env(safe-area-inset-bottom)] rail:top-(--bar-above) rail:[container-type:normal] rail:-mt-1.5 rail:flex rail:h-[calc(var(--screen)-var(--bar-above))] rail:w-26 rail:shrink-0 rail:flex-col rail:overflow-y-auto rail:border-t-0 rail:border-r rail:pt-1.5 rail:in-[html:has(.version-bar)]:pb-10 rail:pl-[env(safe-area-inset-left)]',
      )}
    >
      <p
        aria-hidden="true"
        className="hidden pt-5 pb-3 text-center font-display font-extrabold text-title text-leaf leading-tight tracking-tight md:block"
      >
        Guichet
      </p>
      <ul className="mx-auto grid max-w-2xl grid-cols-[repeat(4,minmax(min-content,1fr))] @max-[15rem]:grid-cols-2 rail:mx-0 rail:max-h-92 rail:grow rail:grid-cols-1 rail:gap-1 rail:p-1.5">
        {tabs.map(({ to, has, label, Icon }) => {
          const current = has.includes(findAddress(userAddresses, path) ?? '');
          const dot = to === addresses.notifications && (unread.data?.count ?? 0) > 0;
          return (
            <li key={to}>
              <Link
                href={to}
                aria-current={current ? 'page' : undefined}
                aria-label={dot ? `${label}, non lues` : undefined}
                className={join(
                  'flex h-full min-h-15 flex-col items-center justify-center gap-0.5 px-0.5 py-1.5 text-center text-[min(var(--text-small),4.5vw)] leading-tight -outline-offset-4 @max-[15rem]:text-small rail:text-small rail:rounded-xl',
                  current ? 'font-bold text-leaf rail:bg-leaf-pale' : 'text-soft hover:text-leaf',
                )}
              >
                <span className="relative">
                  <Icon />
                  {dot && (
                    <span
                      data-testid="unread-dot"
                      className="absolute -top-1 -right-1.5 size-3 rounded-full bg-[#dc2626] ring-2 ring-card"
                    />
                  )}
                </span>
                <span className="hyphens-none">{label}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
