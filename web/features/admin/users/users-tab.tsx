import { useCallback } from 'react';
import { listUsers } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { readWords, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { actionLabels, actionsFor, type UserAction, useUserActions } from './user-actions.tsx';
import { UserDialog } from './user-dialog.tsx';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';

export default function UsersTab() {
  const { values, set } = useTabSearch();
  const search = readWords(values);
  const opened = values.get('utilisateur') ?? undefined;
  const list = useList(listUsers, { query: search ? { search } : {} }, { pollEveryMs: pollEveryMs.adminUsers });
  const { ask, dialog } = useUserActions();
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  const { heading, around } = useFocusFallback<HTMLParagraphElement>();
  const addressOf = (id: number) => {
    const next = new URLSearchParams(values);
    next.set('utilisateur', String(id));
    return adminTabAddress('users', next.toString());
  };

  return (
    <div {...around}>
      <TabTitle>Utilisateurs</TabTitle>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="max-w-xl flex-1 basis-72">
          <SearchWords label="Nom, téléphone ou e-mail" words={search} onChange={onSearch} />
        </div>
        <p {...heading} role="status" className="w-full text-soft outline-none sm:w-auto">
          {list.data && countSentence(list.data)}
        </p>
      </div>
      <QueryState
        query={list}
        loading="Chargement des utilisateurs..."
        failure="Impossible de charger les utilisateurs."
        empty={<EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />}
      >
        {({ rows, hasMore }) => (
          <>
            <UserTable users={rows} addressOf={addressOf} onAct={ask} />
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
      {opened && <UserDialog key={opened} id={opened} onClose={() => set({ utilisateur: undefined })} />}
      {dialog}
    </div>
  );
}

function countSentence({ total, capped, rows }: { total: number; capped: boolean; rows: unknown[] }): string {
  if (capped) return `plus de ${formatCount(total)} utilisateurs`;
  return formatCounted(Math.max(total, rows.length), 'utilisateur');
}

interface TableProps {
  users: User[];
  addressOf: (id: number) => string;
  onAct: (action: UserAction, user: User) => void;
}

function UserTable(props: TableProps) {
  const { users, addressOf } = props;
  const columns: Part<User>[] = [
    {
      head: 'Nom',
      className: 'max-w-56',
      inCard: 'min-w-0 flex-1',
      draw: (user) => (
        <Link
          href={addressOf(user.id)}
          className="wrap-anywhere inline-block rounded-lg py-0.5 font-semibold text-leaf underline-offset-4 hover:underline"
        >
          {userName(user)}
        </Link>
      ),
    },
    {
      head: 'Téléphone',
      // Without one it still ends the line of the menu.
      inCard: 'order-4 w-full has-data-none:h-0 has-data-none:overflow-hidden',
      draw: ({ phone }) =>
        phone ? <span className="whitespace-nowrap tabular-nums">{formatPhone(phone)}</span> : <None />,
    },
    {
      head: 'E-mail',
      className: 'max-w-60',
      inCard: 'order-5 w-full text-body has-data-none:hidden',
      draw: ({ email }) =>
        email ? (
          <span title={email} className="block truncate">
            {email}
          </span>
        ) : (
          <None />
        ),
    },
    {
      head: 'Pays',
      inCard: 'order-6 text-soft text-small has-data-none:hidden',
      draw: (user) => <UserCountry user={user} />,
    },
    { head: 'Créé le', inCard: 'order-7 text-soft text-small', draw: (user) => <Moment instant={user.createdAt} /> },
    { head: 'Statut', className: 'whitespace-nowrap', draw: (user) => <StatusBadge user={user} /> },
    {
      head: 'Actions',
      headHidden: true,
      className: 'w-14',
      inCard: '-my-1.5 -mr-2 order-1',
      draw: (user) => <UserMenu user={user} {...props} />,
    },
  ];
  return <Listing title="Utilisateurs" rows={users} parts={columns} />;
}

function UserMenu({ user, onAct }: { user: User } & Pick<TableProps, 'onAct'>) {
  const { user: caller } = useAuth();
  const items = actionsFor(user, caller?.id).map((name) => ({
    name,
    label: actionLabels[name],
    ...(name === 'delete' && { tone: 'danger' as const }),
  }));
  if (items.length === 0) return null;
  return (
    <ActionMenu label={`Actions pour ${userName(user)}`} items={items} onChoose={(action) => onAct(action, user)} />
  );
}
