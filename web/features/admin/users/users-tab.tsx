import { adminTabAddress } from '#web/admin-addresses.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { useListPlace } from './use-list-place.ts';
import { UserList } from './user-list.tsx';
import { UserPage } from './user-page.tsx';

/** The users, or the one in the tab's address. */
export default function UsersTab() {
  const { values } = useTabSearch();
  const opened = values.get('utilisateur') ?? undefined;
  useListPlace(opened);
  if (opened === undefined) return <UserList />;
  const rest = new URLSearchParams(values);
  rest.delete('utilisateur');
  return <UserPage key={opened} id={opened} back={adminTabAddress('users', rest.toString())} />;
}
