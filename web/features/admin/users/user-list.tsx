import { useCallback } from 'react';
import { listUsers } from '#contract/accounts.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { navigate } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { useUserActions } from './use-user-actions.ts';
import { UserTable } from './user-table.tsx';

/** Accounts and guests, newest first. */
export function UserList() {
  const { values, set } = useTabSearch();
  const search = values.get('recherche') ?? '';
  const list = useList(listUsers, { query: search ? { search } : {} }, { pollEveryMs: pollEveryMs.adminUsers });
  const users = list.data?.rows ?? [];
  const { ask, asked, close } = useUserActions();
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  const count = useFallbackFocus<HTMLParagraphElement>(asked !== undefined);
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
      >
        {({ hasMore }) =>
          users.length === 0 ? (
            <EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />
          ) : (
            <>
              <UserTable users={users} addressOf={addressOf} onOpen={({ id }) => navigate(addressOf(id))} onAct={ask} />
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </>
          )
        }
      </QueryState>
      {asked && <ActionDialog action={asked.action} user={asked.user} onClose={close} />}
    </>
  );
}

function countSentence({ total, capped, rows }: { total: number; capped: boolean; rows: unknown[] }): string {
  if (capped) return `plus de ${formatCount(total)} utilisateurs`;
  return `${formatCount(Math.max(total, rows.length))} utilisateur(s)`;
}
