import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { actionLabels, actionsFor, type UserAction } from './user-actions.ts';
import { None, StatusBadge, UserCountry, userName } from './user-facts.tsx';

interface Props {
  users: User[];
  addressOf: (id: number) => string;
  onOpen: (user: User) => void;
  onAct: (action: UserAction, user: User) => void;
}

export function UserTable(props: Props) {
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
    { head: 'Statut', className: 'whitespace-nowrap', cell: (user) => <StatusBadge user={user} /> },
    { head: 'Actions', headHidden: true, className: 'w-14', cell: (user) => <UserMenu user={user} {...props} /> },
  ];
  return (
    <DataTable
      label="Utilisateurs"
      rows={users}
      columns={columns}
      card={(user) => (
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <Name user={user} to={addressOf(user.id)} />
              <StatusBadge user={user} />
            </div>
            {user.phone && <p className="tabular-nums">{formatPhone(user.phone)}</p>}
            {user.email && <p className="wrap-anywhere text-sm">{user.email}</p>}
            <p className="flex flex-wrap gap-x-3 text-soft text-sm">
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
      className="wrap-anywhere inline-block rounded-lg py-0.5 font-bold text-leaf underline-offset-4 hover:underline"
    >
      {userName(user)}
    </Link>
  );
}

function UserMenu({ user, onOpen, onAct }: { user: User } & Pick<Props, 'onOpen' | 'onAct'>) {
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
