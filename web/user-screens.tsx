import { Redirect, Route, Switch } from 'wouter';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { useAuth } from '#web/api/session.tsx';
import { HomePage } from '#web/features/catalogue/home-page.tsx';
import { NotificationPage } from '#web/features/notifications/notification-page.tsx';
import { NotificationsPage } from '#web/features/notifications/notifications-page.tsx';
import { SummaryPage } from '#web/features/order/summary-page.tsx';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { TicketsPage } from '#web/features/tickets/tickets-page.tsx';
import { BottomNavigation } from './bottom-navigation.tsx';
import { paths } from './paths.ts';

/** The screens of a person who came in, guests included; a chunk of its own. */
export default function UserScreens() {
  const { user } = useAuth();
  return (
    <QueryProvider key={user?.id}>
      <div className="flex min-h-[calc(100dvh-8px)] flex-col">
        <Switch>
          <Route path={paths.summary} component={SummaryPage} />
          {!user && <Redirect to={paths.auth} />}
          <Route path={paths.home} component={HomePage} />
          <Route path={paths.tickets} component={TicketsPage} />
          <Route path={paths.notifications} component={NotificationsPage} />
          <Route path={paths.notification} component={NotificationPage} />
          <Route path={paths.settings} component={SettingsPage} />
        </Switch>
        <BottomNavigation />
      </div>
    </QueryProvider>
  );
}
