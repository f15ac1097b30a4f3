import { useCallback, useLayoutEffect, useRef } from 'react';
import { listUsers } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Link, navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { actionLabels, actionsFor, type UserAction, useUserActions } from './user-actions.tsx';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';
import { UserPage } from './user-page.tsx';

export default function UsersTab() {
  const { values } = useTabSearch();
  const opened = values.get('utilisateur') ?? undefined;
  useListPlace(opened);
  if (opened === undefined) return <UserList />;
  const rest = new URLSearchParams(values);
  rest.delete('utilisateur');
  return <UserPage key={opened} id={opened} back={adminTabAddress('users', rest.toString())} />;
}

/** Scrolls an opened page to its top, and restores the list's scroll position afterwards. */
function useListPlace(opened: string | undefined): void {
  const place = useRef(0);
  useLayoutEffect(() => {
    scrollTo(0, opened === undefined ? place.current : 0);
    if (opened !== undefined) return;
    const recordPlace = () => {
      place.current = scrollY;
    };
    addEventListener('scroll', recordPlace, { passive: true });
    return () => removeEventListener('scroll', recordPlace);
  }, [opened]);
}

function UserList() {
  const { values, set } = useTabSearch();
  const search = values.get('recherche') ?? '';
  const list = useList(listUsers, { query: search ? { search } : {} }, { pollEveryMs: pollEveryMs.adminUsers });
  const users = list.data?.rows ?? [];
  const { ask, dialog } = useUserActions();
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  const count = useFallbackFocus<HTMLParagraphElement>(dialog !== undefined);
  const addressOf = (id: number) => {
    const next = new URLSearchParams(values);
    next.set('utilisateur', String(id));
    return adminTabAddress('users', next.toString());
  };

  return (
    <>
      <TabTitle>Utilisateurs</TabTitle>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="max-w-xl flex-1 basis-72">
          <SearchWords label="Nom, téléphone ou e-mail" words={search} onChange={onSearch} />
        </div>
        <p ref={count} tabIndex={-1} role="status" className="w-full text-soft outline-none sm:w-auto">
          {list.data && countSentence(list.data)}
        </p>
      </div>
      <QueryState
        query={list}
        loading="Chargement des utilisateurs..."
        failure="Impossible de charger les utilisateurs."
        empty={<EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />}
      >
        {({ hasMore }) => (
          <>
            <UserTable users={users} addressOf={addressOf} onOpen={({ id }) => navigate(addressOf(id))} onAct={ask} />
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
      {dialog}
    </>
  );
}

function countSentence({ total, capped, rows }: { total: number; capped: boolean; rows: unknown[] }): string {
  if (capped) return `plus de ${formatCount(total)} utilisateurs`;
  const count = Math.max(total, rows.length);
  return `${formatCount(count)} ${count < 2 ? 'utilisateur' : 'utilisateurs'}`;
}

interface TableProps {
  users: User[];
  addressOf: (id: number) => string;
  onOpen: (user: User) => void;
  onAct: (action: UserAction, user: User) => void;
}

function UserTable(props: TableProps) {
  const { users, addressOf } = props;
  const columns: Column<User>[] = [
    { head: 'Nom', className: 'max-w-56', cell: (user) => <Name user={user} to={addressOf(user.id)} /> },
    {
      head: 'Téléphone',
      cell: (user) =>
        user.phone ? <span className="whitespace-nowrap tabular-nums">{formatPhone(user.phone)}</span> : <None />,
    },
    {
      head: 'E-mail',
      className: 'max-w-60',
      cell: ({ email }) =>
        email ? (
          <span title={email} className="block truncate">
            {email}
          </span>
        ) : (
          <None />
        ),
    },
    { head: 'Pays', cell: (user) => <UserCountry user={user} /> },
    { head: 'Créé le', cell: (user) => <Moment instant={user.createdAt} /> },
    { head: 'Statut', className: 'whitespace-nowrap', cell: (user) => <StatusBadge small user={user} /> },
    { head: 'Actions', headHidden: true, className: 'w-14', cell: (user) => <UserMenu user={user} {...props} /> },
  ];
  return (
    <DataTable
      label="Utilisateurs"
      rows={users}
      columns={columns}
      card={(user) => (
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 flex-1 flex-col gap-1 bar:grid bar:grid-cols-2 bar:gap-x-6">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <Name user={user} to={addressOf(user.id)} />
              <StatusBadge small user={user} />
            </div>
            {user.phone && <p className="tabular-nums">{formatPhone(user.phone)}</p>}
            {user.email && <p className="wrap-anywhere text-sm">{user.email}</p>}
            <p className="flex flex-wrap gap-x-3 gap-y-1 text-soft text-sm bar:col-start-2 bar:row-span-2 bar:row-start-1 bar:flex-col">
              {!user.isGuest && <UserCountry user={user} />}
              <Moment instant={user.createdAt} />
            </p>
          </div>
          <div className="-mt-1.5 -mr-2">
            <UserMenu user={user} {...props} />
          </div>
        </div>
      )}
    />
  );
}

function Name({ user, to }: { user: User; to: string }) {
  return (
    <Link
      href={to}
      className="wrap-anywhere inline-block rounded-lg py-0.5 font-semibold text-leaf underline-offset-4 hover:underline"
    >
      {userName(user)}
    </Link>
  );
}

function UserMenu({ user, onOpen, onAct }: { user: User } & Pick<TableProps, 'onOpen' | 'onAct'>) {
  const { user: caller } = useAuth();
  const actions = actionsFor(user, caller?.id);
  return (
    <ActionMenu<UserAction | 'open'>
      label={`Actions pour ${userName(user)}`}
      items={[
        { name: 'open', label: 'Voir le profil' },
        ...actions.map((name) => ({
          name,
          label: actionLabels[name],
          ...(name === 'delete' && { tone: 'danger' as const }),
        })),
      ]}
      onChoose={(name) => (name === 'open' ? onOpen(user) : onAct(name, user))}
    />
  );
}
