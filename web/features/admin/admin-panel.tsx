import { Activity, type ComponentType, lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type AdminTab, adminTabAddress, readAdminTab } from '#web/addresses.ts';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Loading } from '#web/ui/spinner.tsx';
import { AdminMenu } from './admin-menu.tsx';
import { TabSearchContext } from './shared/tab-search.ts';
import { TabBoundary } from './tab-boundary.tsx';

/** Each tab is a chunk of its own. */
const loadTab: Record<AdminTab, () => Promise<{ default: ComponentType }>> = {
  dashboard: () => import('./dashboard/dashboard-tab.tsx'),
  services: () => import('./services/services-tab.tsx'),
  tickets: () => import('./tickets/tickets-tab.tsx'),
  users: () => import('./users/users-tab.tsx'),
  payments: () => import('./payments/payments-tab.tsx'),
  content: () => import('./content/content-tab.tsx'),
  settings: () => import('./settings/settings-tab.tsx'),
};
const tabs: Record<AdminTab, ComponentType> = {
  dashboard: lazy(loadTab.dashboard),
  services: lazy(loadTab.services),
  tickets: lazy(loadTab.tickets),
  users: lazy(loadTab.users),
  payments: lazy(loadTab.payments),
  content: lazy(loadTab.content),
  settings: lazy(loadTab.settings),
};

/** The administrators' panel. A tab that was opened stays as it was left, and works on nothing while another one is shown. */
export default function AdminPanel() {
  const { user } = useAuth();
  return (
    <QueryProvider key={user?.id}>
      <Panel />
    </QueryProvider>
  );
}

function Panel() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const current = readAdminTab(path) ?? 'dashboard';
  const opened = useOpenedTabs(current, search);
  useOwnScroll(current);
  return (
    <div className="lg:flex lg:items-start">
      <AdminMenu
        current={current}
        // A tab that is pointed at is fetched before it is chosen; if that fails, choosing it tries again.
        onPoint={(tab) => loadTab[tab]().catch(() => {})}
        onChoose={(tab) => navigate(adminTabAddress(tab, opened.get(tab)))}
      />
      <main className="mx-auto min-w-0 max-w-[90rem] flex-1 px-3 pt-4 pb-10 sm:px-4 lg:pt-6">
        {[...opened].map(([name, ownSearch]) => {
          const Tab = tabs[name];
          return (
            <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
              <TabSearchContext value={ownSearch}>
                <TabBoundary>
                  <Suspense fallback={<Loading text="Chargement..." />}>
                    <Tab />
                  </Suspense>
                </TabBoundary>
              </TabSearchContext>
            </Activity>
          );
        })}
      </main>
    </div>
  );
}

/** The tabs that were opened, in their order, each with the query it was left at. */
function useOpenedTabs(current: AdminTab, search: string): Map<AdminTab, string> {
  const [opened, setOpened] = useState(new Map([[current, search]]));
  if (opened.get(current) === search) return opened;
  const now = new Map(opened).set(current, search);
  setOpened(now);
  return now;
}

/** Each tab is scrolled where it was left. */
function useOwnScroll(current: AdminTab): void {
  const places = useRef(new Map<AdminTab, number>());
  useLayoutEffect(() => {
    scrollTo(0, places.current.get(current) ?? 0);
    const note = () => places.current.set(current, scrollY);
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, [current]);
}
