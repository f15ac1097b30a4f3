import { useState } from 'react';
import { listUsers } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import { searchLength } from '#contract/shapes.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

/** Fits under the search without much scrolling; more letters narrow the list. */
const shown = '8';

/** Chooses a user by name, number or e-mail. */
export function UserDialog({ onChoose, onClose }: { onChoose: (id: number) => void; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const searched = useDebounced(search.trim());
  const query = useEndpoint(
    listUsers,
    { query: { limit: shown, ...(searched && { search: searched }) } },
    { keepPrevious: true, freshForMs: 0 },
  );
  return (
    <Dialog title="Choisir un utilisateur" onClose={onClose}>
      {/* As tall as the search with a full list, so that results do not resize the dialog. */}
      <div className="mt-4 flex min-h-120 flex-col gap-3">
        <Field
          label="Nom, téléphone ou e-mail"
          type="search"
          value={search}
          maxLength={searchLength}
          onChange={(event) => setSearch(event.target.value)}
        />
        <QueryState query={query} loading="Recherche..." failure="La recherche a échoué.">
          {(users) =>
            users.length === 0 ? (
              <EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />
            ) : (
              <ul className="flex flex-col">
                {users.map((user) => (
                  <li key={user.id}>
                    <button
                      type="button"
                      className="flex min-h-12 w-full flex-wrap items-center justify-between gap-x-4 rounded-xl px-3 text-left hover:bg-leaf-pale"
                      onClick={() => onChoose(user.id)}
                    >
                      <span className="font-medium">
                        {user.firstName} {user.lastName}
                      </span>
                      <span className="text-soft text-sm tabular-nums">
                        {user.isGuest ? `Invité n° ${user.id}` : formatPhone(user.phone)}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryState>
      </div>
    </Dialog>
  );
}
