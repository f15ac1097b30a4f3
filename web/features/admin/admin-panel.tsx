import { Activity, useLayoutEffect, useRef, useState } from 'react';
import type { AdminTab } from '#web/addresses.ts';
import { adminTabAddress, readAdminTab } from '#web/admin-addresses.ts';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { usePath, useSearch } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Boundary, Chunk, type Part, part } from '#web/shell/chunk.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { StaffContext } from '#web/ui/staff.ts';
import { AdminMenu } from './admin-menu.tsx';
import { DecisionsProvider } from './shared/decisions.tsx';
import { dashboardSkeleton } from './shared/skeletons.tsx';
import { TabSearchContext } from './shared/tab-search.ts';
import { usePanelKeys } from './shared/use-panel-keys.ts';
import './admin.css';

const waiting = <SkeletonRows text="Chargement..." />;
const tabs: Record<AdminTab, Part> = {
  dashboard: part(() => import('./dashboard/dashboard-tab.tsx')),
  services: part(() => import('./services/services-tab.tsx')),
  tickets: part(() => import('./tickets/tickets-tab.tsx')),
  users: part(() => import('./users/users-tab.tsx')),
  payments: part(() => import('./payments/payments-tab.tsx')),
  content: part(() => import('./content/content-tab.tsx')),
  settings: part(() => import('./settings/settings-tab.tsx')),
};

const keysDialog = part(() => import('./shared/keys-dialog.tsx'));

/** The administrators' panel. An opened tab keeps its state, and does no work while another one is shown. */
export default function AdminPanel() {
  const { user } = useAuth();
  return (
    <QueryProvider key={user?.id}>
      <StaffContext value>
        <DecisionsProvider>
          <Panel />
        </DecisionsProvider>
      </StaffContext>
    </QueryProvider>
  );
}

function Panel() {
  const path = usePath();
  const search = useSearch();
  const current = readAdminTab(path) ?? 'dashboard';
  const opened = useOpenedTabs(current, search);
  useOwnScroll(current);
  const [areKeysShown, setKeysShown] = useState(false);
  usePanelKeys(() => setKeysShown(true));
  return (
    <div className="lg:flex lg:items-start">
      <AdminMenu
        current={current}
        // A tab under the pointer is fetched ahead; after a failure, choosing it tries again.
        onPoint={(tab) => tabs[tab].fetch().catch(() => {})}
        addressOf={(tab) => adminTabAddress(tab, opened.get(tab))}
        onKeys={() => setKeysShown(true)}
      />
      <main className="mx-auto min-w-0 max-w-[90rem] flex-1 px-3 pt-2 pb-10 sm:px-4 lg:pt-6">
        {[...opened].map(([name, ownSearch]) => {
          return (
            <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
              <TabSearchContext value={ownSearch}>
                <Boundary at={name} title="Cet onglet n'a pas pu être affiché.">
                  <Chunk of={tabs[name]} waiting={name === 'dashboard' ? dashboardSkeleton : waiting} />
                </Boundary>
              </TabSearchContext>
            </Activity>
          );
        })}
      </main>
      {areKeysShown && (
        <Chunk of={keysDialog} given={{ onClose: () => setKeysShown(false) }} waiting={null} isOrnament />
      )}
    </div>
  );
}

/** The opened tabs in order, each with its last query. */
function useOpenedTabs(current: AdminTab, search: string): Map<AdminTab, string> {
  const [opened, setOpened] = useState(new Map([[current, search]]));
  if (opened.get(current) === search) return opened;
  const now = new Map(opened).set(current, search);
  setOpened(now);
  return now;
}

function useOwnScroll(current: AdminTab): void {
  const places = useRef(new Map<AdminTab, number>());
  useLayoutEffect(() => {
    scrollTo(0, places.current.get(current) ?? 0);
    const recordPlace = () => places.current.set(current, scrollY);
    addEventListener('scroll', recordPlace, { passive: true });
    return () => removeEventListener('scroll', recordPlace);
  }, [current]);
}
