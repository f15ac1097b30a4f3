import { type ReactNode, useState } from 'react';
import { countProposals } from '#contract/payments.ts';
import type { AdminTab } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Link } from '#web/router.tsx';
import { useSignOut } from '#web/session/use-sign-out.ts';
import { localStore } from '#web/store.ts';
import { formatCount } from '#web/text/formats.ts';
import { LeaveIcon, MenuIcon } from '#web/ui/action-icons.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import type { IconProps } from '#web/ui/drawing.tsx';
import { LayersIcon, SettingsIcon, TicketIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { CardIcon, ChartIcon, FoldIcon, PageIcon, PeopleIcon } from '#web/ui/panel-icons.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { Key } from './shared/keys.tsx';
import { usePendingCount } from './shared/use-pending-count.ts';

const entries: { tab: AdminTab; label: string; Icon: (props: IconProps) => ReactNode }[] = [
  { tab: 'dashboard', label: 'Tableau de bord', Icon: ChartIcon },
  { tab: 'services', label: 'Services', Icon: LayersIcon },
  { tab: 'tickets', label: 'Tickets', Icon: TicketIcon },
  { tab: 'users', label: 'Utilisateurs', Icon: PeopleIcon },
  { tab: 'payments', label: 'Paiements', Icon: CardIcon },
  { tab: 'content', label: 'Contenu', Icon: PageIcon },
  { tab: 'settings', label: 'Paramètres', Icon: SettingsIcon },
];

/** An administrator's screen keeps its look over a reload. */
const foldedKey = 'guichet_menu_folded';

interface Props {
  current: AdminTab;
  /** The pointer or the focus reached a tab. */
  onPoint: (tab: AdminTab) => void;
  /** A tab's address, with its last filters. */
  addressOf: (tab: AdminTab) => string;
  /** Shows the keys of the panel. */
  onKeys: () => void;
}

/** The panel's navigation: a side menu that folds to its icons; on a phone, a drawer. */
export function AdminMenu(props: Props) {
  const { current } = props;
  const [drawn, setDrawn] = useState(false);
  const [folded, setFolded] = useState(() => localStore.read(foldedKey) !== null);
  const fold = (to: boolean) => {
    setFolded(to);
    if (to) localStore.tryToKeep(foldedKey, 'yes');
    else localStore.forget(foldedKey);
  };
  const isWide = useMedia('(min-width: 64rem)');
  const label = entries.find(({ tab }) => tab === current)?.label ?? '';
  const title = <title>{`${label} · Guichet`}</title>;
  if (isWide)
    return (
      <div
        className={join(
          // As tall as the screen, below the cloth stripe.
          'sticky top-(--bar-above) -mt-1.5 flex h-[calc(var(--screen)-var(--bar-above))] shrink-0 flex-col gap-3 overflow-y-auto border-line border-r bg-card p-2 pt-3.5',
          folded ? 'w-[4.25rem]' : 'w-56',
        )}
      >
        {title}
        <div className={join('flex min-h-12 items-center', folded ? 'flex-col' : 'justify-between pl-3')}>
          <p className="font-display font-extrabold text-leaf text-title">{folded ? 'G' : 'Guichet'}</p>
          <button
            type="button"
            aria-label="Raccourcis clavier"
            title="Raccourcis clavier"
            onClick={props.onKeys}
            className={join(
              'flex size-11 items-center justify-center rounded-xl text-soft hover:bg-ground',
              !folded && 'ml-auto',
            )}
          >
            <Key>?</Key>
          </button>
          <button
            type="button"
            aria-expanded={!folded}
            aria-controls="admin-menu"
            aria-label={folded ? 'Déplier le menu' : 'Replier le menu'}
            onClick={() => fold(!folded)}
            className="flex size-11 items-center justify-center rounded-xl text-soft hover:bg-ground"
          >
            <FoldIcon className={join('size-5', folded && 'transform-[rotate(180deg)]')} />
          </button>
        </div>
        <Entries {...props} folded={folded} />
      </div>
    );
  return (
    <>
      {title}
      <header className="sticky top-(--bar-above) z-20 flex min-h-14 short:static short:min-h-12 items-center gap-1 border-line border-b bg-card px-1.5">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label="Ouvrir le menu"
          onClick={() => setDrawn(true)}
          className="flex size-12 items-center justify-center rounded-xl hover:bg-leaf-pale"
        >
          <MenuIcon />
        </button>
        {/* On a phone on its side the title of the tab stands here. */}
        <p className="font-display font-extrabold text-leaf text-title bar:hidden">Guichet</p>
      </header>
      {drawn && (
        <Drawer title="Menu" onClose={() => setDrawn(false)}>
          <Entries {...props} onOpen={() => setDrawn(false)} />
        </Drawer>
      )}
    </>
  );
}

function Entries({ current, onPoint, addressOf, folded, onOpen }: Props & { folded?: boolean; onOpen?: () => void }) {
  const leave = useSignOut();
  const found = useEndpoint(countProposals, {}, { pollEveryMs: pollEveryMs.adminDashboard }).data?.found ?? 0;
  const waiting: Partial<Record<AdminTab, { count: number; words: string }>> = {
    tickets: { count: usePendingCount() ?? 0, words: 'en attente' },
    payments: { count: found, words: found < 2 ? 'paiement trouvé' : 'paiements trouvés' },
  };
  const entry = join(
    'relative flex min-h-11 w-full items-center gap-2.5 rounded-xl px-2.5 text-left',
    folded && 'justify-center',
  );
  const words = folded ? 'sr-only' : 'wrap-anywhere min-w-0 flex-1 leading-tight';
  return (
    <nav
      id="admin-menu"
      aria-label="Administration"
      className={join('flex flex-1 flex-col gap-1', onOpen && 'short:grid short:flex-none short:grid-cols-2')}
    >
      {entries.map(({ tab, label, Icon }) => (
        <Link
          key={tab}
          href={addressOf(tab)}
          title={folded ? label : undefined}
          aria-current={tab === current ? 'page' : undefined}
          onPointerEnter={() => onPoint(tab)}
          onFocus={() => onPoint(tab)}
          onClick={onOpen}
          className={join(
            entry,
            tab === current ? 'bg-leaf-pale font-bold text-leaf-dark' : 'text-soft hover:bg-ground hover:text-ink',
          )}
        >
          <Icon className="size-5 shrink-0" />
          <span className={words}>{label}</span>
          <Waiting folded={folded} {...waiting[tab]} />
        </Link>
      ))}
      <button
        type="button"
        disabled={leave.busy}
        title={folded ? 'Se déconnecter' : undefined}
        onClick={() => leave.run()}
        className={join(entry, 'mt-auto text-brick hover:bg-brick-pale')}
      >
        <LeaveIcon className="size-5 shrink-0" />
        <span className={words}>Se déconnecter</span>
      </button>
    </nav>
  );
}

/** How many wait in a tab, if any. */
function Waiting({ count = 0, words, folded }: { count?: number; words?: string; folded: boolean | undefined }) {
  if (count === 0) return null;
  return (
    <span
      className={join(
        'rounded-full bg-amber-pale px-2 font-bold text-amber text-body tabular-nums ring-1 ring-amber/30 ring-inset',
        folded && 'absolute top-0 right-0 px-1 text-small',
      )}
    >
      <span>{formatCount(count)}</span>
      <span className="sr-only">{` ${words}`}</span>
    </span>
  );
}
