import type { ComponentType } from 'react';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { HomePage } from '#web/features/catalogue/home-page.tsx';
import { NotificationPage } from '#web/features/notifications/notification-page.tsx';
import { NotificationsPage } from '#web/features/notifications/notifications-page.tsx';
import { SummaryPage } from '#web/features/order/summary-page.tsx';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { TicketPage } from '#web/features/tickets/ticket-page.tsx';
import { TicketsPage } from '#web/features/tickets/tickets-page.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { addresses, findAddress, userAddresses } from './addresses.ts';
import { Redirect, usePath } from './router.tsx';
import { Navigation } from './shell/navigation.tsx';

/** Which screen stands at each of the user addresses; the compiler asks for the one that is missing. */
const screens: Record<keyof typeof userAddresses, ComponentType> = {
  home: HomePage,
  summary: SummaryPage,
  tickets: TicketsPage,
  ticket: TicketPage,
  notifications: NotificationsPage,
  notification: NotificationPage,
  settings: SettingsPage,
};

/** The screens of a person who came in, guests included; a chunk of its own. */
export default function UserScreens() {
  const { user } = useAuth();
  const name = findAddress(userAddresses, usePath()) ?? 'home';
  const Screen = screens[name];
  return (
    <QueryProvider key={user?.id}>
      <div className="flex min-h-[calc(100dvh-6px)] flex-col rail:flex-row-reverse rail:items-start">
        {/* A guest whose session ended while they ordered still sees what they chose. */}
        {user || name === 'summary' ? <Screen /> : <Redirect to={addresses.auth} />}
        <Navigation />
      </div>
    </QueryProvider>
  );
}
