import { useCallback } from 'react';
import { type Account, type AccountKind, accountKinds, listUsers } from '#contract/accounts.ts';
import { type CountryCode, countries, countryCodes, formatPhone } from '#contract/phone.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { FilterField } from '#web/features/admin/shared/fields.tsx';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { RowText } from '#web/features/admin/shared/row-text.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { readWords, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { actionLabels, actionsFor, type UserAction, useUserActions } from './user-actions.tsx';
import { UserDialog } from './user-dialog.tsx';
import { None, StatusBadges, UserCountry, userName } from './user-facts.tsx';

type Kind = Exclude<AccountKind, 'registered'>;

const kindWords: Record<Kind | '', string> = {
  '': 'Tous, sans les invités',
  verified: 'Vérifiés',
  unverified: 'Non vérifiés',
  deactivated: 'Désactivés',
  admin: 'Administrateurs',
  guest: 'Invités',
};
const countryWords = Object.fromEntries([
  ['', 'Tous les pays'],
  ...countries.map(({ code, flag, name }) => [code, `${flag} ${name}`]),
]) as Record<CountryCode | '', string>;

/** The filters in the tab's address; values that are none are ignored. */
function useUserFilter() {
  const { values, set } = useTabSearch();
  const search = readWords(values);
  const kind = accountKinds.find((each) => each === values.get('statut') && each !== 'registered') ?? '';
  const country = countryCodes.find((each) => each === values.get('pays')) ?? '';
  const query = {
    kind: kind || 'registered',
    ...(search && { search }),
    ...(country && { countryCode: country }),
  };
  return { values, set, search, kind: kind as Kind | '', country: country as CountryCode | '', query };
}

export default function UsersTab() {
  const { values, set, search, kind, country, query } = useUserFilter();
  const opened = values.get('utilisateur') ?? undefined;
  const list = useList(listUsers, { query }, { pollEveryMs: pollEveryMs.adminUsers });
  const { ask, dialog } = useUserActions();
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  const { heading, around } = useFocusFallback<HTMLDivElement>();
  const addressOf = (id: number) => {
    const next = new URLSearchParams(values);
    next.set('utilisateur', String(id));
    return adminTabAddress('users', next.toString());
  };

  return (
    <>
      <TabTitle count={list.data ? countSentence(list.data) : ''}>Utilisateurs</TabTitle>
      <div className="mb-3 grid gap-2 sm:grid-cols-2 md:gap-2.5 lg:grid-cols-[minmax(0,1fr)_14rem_14rem]">
        <div className="sm:max-lg:col-span-2">
          <SearchWords label="Nom, téléphone ou e-mail" words={search} onChange={onSearch} />
        </div>
        <FilterField label="Statut" value={kind} options={kindWords} onChoose={(statut) => set({ statut })} />
        <FilterField label="Pays" value={country} options={countryWords} onChoose={(pays) => set({ pays })} />
      </div>
      <div {...heading} {...around} className="outline-none">
        <QueryState
          query={list}
          loading="Chargement des utilisateurs..."
          failure="Impossible de charger les utilisateurs."
          empty={
            <EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé">
              {(search || kind || country) && (
                <Button onClick={() => set({ recherche: undefined, statut: undefined, pays: undefined })}>
                  Effacer les filtres
                </Button>
              )}
            </EmptyState>
          }
        >
          {({ rows, hasMore }) => (
            <>
              <UserTable users={rows} addressOf={addressOf} onAct={ask} />
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </>
          )}
        </QueryState>
      </div>
      {opened && <UserDialog key={opened} id={opened} onClose={() => set({ utilisateur: undefined })} />}
      {dialog}
    </>
  );
}

function countSentence({ total, capped, rows }: { total: number; capped: boolean; rows: unknown[] }): string {
  if (capped) return `plus de ${formatCount(total)} utilisateurs`;
  return formatCounted(Math.max(total, rows.length), 'utilisateur');
}

interface TableProps {
  users: Account[];
  addressOf: (id: number) => string;
  onAct: (action: UserAction, user: Account) => void;
}

function UserTable(props: TableProps) {
  const { users, addressOf } = props;
  const columns: Part<Account>[] = [
    {
      head: 'Nom',
      percent: 31,
      inCard: 'min-w-0 flex-1 basis-28',
      draw: (user) => (
        <RowText note={user.email}>
          <Link
            href={addressOf(user.id)}
            className="rounded font-semibold text-leaf underline-offset-4 -outline-offset-2 hover:underline"
          >
            {userName(user)}
          </Link>
        </RowText>
      ),
    },
    {
      head: 'Téléphone',
      percent: 22,
      // A guest has none, and still ends the line of the menu.
      inCard: 'order-4 w-full has-data-none:h-0 has-data-none:overflow-hidden',
      draw: (user) =>
        user.phone ? (
          <RowText note={<UserCountry user={user} />}>
            <span className="whitespace-nowrap tabular-nums">{formatPhone(user.phone)}</span>
          </RowText>
        ) : (
          <None />
        ),
    },
    {
      head: 'Créé le',
      percent: 14,
      inCard: 'order-7 text-soft text-small',
      draw: (user) => <Moment instant={user.createdAt} />,
    },
    { head: 'Statut', percent: 25, draw: (user) => <StatusBadges user={user} /> },
    {
      head: 'Actions',
      headHidden: true,
      percent: 8,
      end: true,
      inCard: '-my-1.5 -mr-2 order-1',
      draw: (user) => <UserMenu user={user} {...props} />,
    },
  ];
  return <Listing title="Utilisateurs" rows={users} parts={columns} />;
}

function UserMenu({ user, onAct }: { user: Account } & Pick<TableProps, 'onAct'>) {
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
