import { readUser } from '#contract/accounts.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** The name of the filtered user. */
export function UserFilterName({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } });
  return <span className="truncate">{data ? `${data.firstName} ${data.lastName}` : `Utilisateur n° ${userId}`}</span>;
}
