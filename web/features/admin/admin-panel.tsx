import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { adminTabAddress, readAdminTab } from '#web/addresses.ts';
import { QueryProvider } from '#web/api/query-provider.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { LayersIcon, LeaveIcon, MenuIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Loading } from '#web/ui/spinner.tsx';
import { TabBoundary } from './tab-boundary.tsx';

const loadTickets = () => import('./tickets/tickets-tab.tsx');
const loadServices = () => import('./services/services-tab.tsx');

/** Each tab is a chunk of its own. */
const tabs = [
  { name: 'tickets', label: 'Tickets', Icon: TicketIcon, Tab: lazy(loadTickets) },
  { name: 'services', label: 'Services', Icon: LayersIcon, Tab: lazy(loadServices) },
] as const;

/** The administrators' panel; `?onglet=` names the tab, so that it survives a reload. */
export default function AdminPanel() {
  const [path, navigate] = useLocation();
  const asked = readAdminTab(useSearch());
  const current = tabs.find((tab) => tab.name === asked) ?? tabs[0];
  const [open, setOpen] = useState(() => matchMedia('(min-width: 64rem)').matches);
  const leave = useSignOut();
  // The tabs one is not on, while the network is there: going to one must not depend on it.
  useEffect(() => {
    for (const load of [loadTickets, loadServices]) load().catch(() => {});
  }, []);
  const choose = (name: string) => {
    navigate(adminTabAddress(path, name));
    if (!matchMedia('(min-width: 64rem)').matches) setOpen(false);
  };
  return (
    <QueryProvider>
      <header className="sticky top-0 z-20 flex min-h-16 items-center gap-2 border-line border-b bg-card px-2">
        <button
          type="button"
          aria-expanded={open}
          aria-controls="admin-menu"
          aria-label={open ? 'Fermer le menu' : 'Ouvrir le menu'}
          onClick={() => setOpen(!open)}
          className="flex size-12 items-center justify-center rounded-xl hover:bg-leaf-pale"
        >
          {open ? <CrossIcon /> : <MenuIcon />}
        </button>
        <p className="font-extrabold text-leaf text-xl">Guichet</p>
        <p className="text-soft">Administration</p>
      </header>
      <div className="flex items-start">
        <nav
          id="admin-menu"
          aria-label="Administration"
          className={join(
            'fixed top-[4.5rem] bottom-0 left-0 z-10 w-56 flex-col gap-1 border-line border-r bg-card p-3 lg:sticky lg:h-[calc(100dvh-4.5rem)] lg:w-48 lg:shrink-0',
            open ? 'flex shadow-xl lg:shadow-none' : 'hidden',
          )}
        >
          {tabs.map(({ name, label, Icon }) => (
            <button
              key={name}
              type="button"
              aria-current={name === current.name ? 'page' : undefined}
              onClick={() => choose(name)}
              className={join(
                'flex min-h-12 items-center gap-3 rounded-xl px-3 text-left',
                name === current.name ? 'bg-leaf-pale font-bold text-leaf-dark' : 'hover:bg-ground',
              )}
            >
              <Icon /> {label}
            </button>
          ))}
          <button
            type="button"
            disabled={leave.busy}
            onClick={() => leave.run()}
            className="mt-auto flex min-h-12 items-center gap-2 whitespace-nowrap rounded-xl px-2 text-left text-brick hover:bg-brick-pale"
          >
            <LeaveIcon /> Se déconnecter
          </button>
        </nav>
        <main className="mx-auto min-w-0 max-w-7xl flex-1 px-4 py-6">
          <TabBoundary key={current.name}>
            <Suspense fallback={<Loading text="Chargement..." />}>
              <current.Tab />
            </Suspense>
          </TabBoundary>
        </main>
      </div>
    </QueryProvider>
  );
}
