import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { listUsers, readUser } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatPhone } from '#contract/phone.ts';
import { searchLength } from '#contract/shapes.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';

type ListedUser = ResponseOf<typeof listUsers>[number];

/** Fits under the field without much scrolling; more letters narrow the list. */
const shown = '8';

/** The user whose tickets are shown: found by name, number or e-mail, and chosen by the arrows and Enter or a press. */
export function UserFilter({
  userId,
  className,
  onChoose,
}: {
  userId: number | undefined;
  className: string;
  onChoose: (id: number | undefined) => void;
}) {
  const name = useUserName(userId);
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const isOpen = typed !== undefined;
  const found = useFoundUsers(typed);
  const users = (isOpen && found.users) || [];
  const open = (words: string) => {
    setTyped(words);
    setActive(0);
  };
  const choose = (chosen: number | undefined) => {
    setTyped(undefined);
    onChoose(chosen);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (!isOpen && step !== 0) open('');
    else if (step !== 0 && users.length > 0) setActive((active + step + users.length) % users.length);
    else if (key === 'Enter' && users[active]) choose(users[active].id);
    else if (isOpen && key === 'Escape') setTyped(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div className="relative min-w-0 max-md:col-span-full">
      <Field
        ref={field}
        label="Utilisateur"
        labelHidden
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={users.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={users[active] ? `${id}-${users[active].id}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        className={join(
          'text-ellipsis',
          !isOpen && 'placeholder:text-ink!',
          userId !== undefined && !isOpen && 'border-leaf! bg-leaf-pale! pr-11! font-semibold text-leaf-dark!',
          className,
        )}
        placeholder={isOpen ? 'Nom, téléphone ou e-mail' : 'Tous les utilisateurs'}
        maxLength={searchLength}
        value={typed ?? name}
        onClick={() => !isOpen && open('')}
        onChange={({ target }) => open(target.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
      {/* As the selects beside it. */}
      {userId === undefined && (
        <svg
          aria-hidden="true"
          viewBox="0 0 12 7"
          className="pointer-events-none absolute inset-y-0 right-3.5 my-auto w-3 fill-none stroke-2 stroke-[#7a828c]"
        >
          <path d="M1 1l5 5 5-5" />
        </svg>
      )}
      {userId !== undefined && !isOpen && (
        <button
          type="button"
          aria-label={`Retirer «\u00a0${name}\u00a0»`}
          onClick={() => choose(undefined)}
          className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-xl text-leaf-dark hover:bg-card/60"
        >
          <CrossIcon className="size-4" />
        </button>
      )}
      {isOpen && (
        <FoundUsers id={id} users={users} words={found.words} active={active} onActive={setActive} onChoose={choose} />
      )}
    </div>
  );
}

/** The list under the field; `active` is the place of the one that Enter chooses. */
function FoundUsers({
  id,
  users,
  words,
  active,
  onActive,
  onChoose,
}: {
  id: string;
  users: readonly ListedUser[];
  words: string;
  active: number;
  onActive: (place: number) => void;
  onChoose: (id: number) => void;
}) {
  return (
    <div className="absolute top-full right-0 z-30 mt-1 min-w-full max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-xl border border-edge bg-card shadow-xl md:w-88">
      {users.length > 0 && (
        <div id={`${id}-list`} role="listbox" aria-label="Utilisateurs" tabIndex={-1}>
          {users.map((user, place) => (
            <button
              key={user.id}
              id={`${id}-${user.id}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              className={join(
                'flex min-h-11 w-full items-center gap-3 px-3.5 text-left',
                place === active && 'bg-leaf-pale',
              )}
              onPointerMove={() => onActive(place)}
              // The field keeps the focus, and the keys.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(user.id)}
            >
              <span className="min-w-0 flex-1 truncate font-medium">{`${user.firstName} ${user.lastName}`}</span>
              <span className="whitespace-nowrap text-small text-soft tabular-nums">{formatPhone(user.phone)}</span>
            </button>
          ))}
        </div>
      )}
      <p role="status" className="px-3.5 py-2.5 text-soft empty:hidden">
        {words}
      </p>
    </div>
  );
}

/** The name of the chosen user; empty without one. */
function useUserName(userId: number | undefined): string {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } }, { enabled: userId !== undefined });
  if (userId === undefined) return '';
  return data ? `${data.firstName} ${data.lastName}` : `Utilisateur n°\u00a0${userId}`;
}

/** The users whom the typed words mean, without guests, who have no tickets; undefined until they are known, with what is said instead. */
function useFoundUsers(typed: string | undefined) {
  const search = typed?.trim() ?? '';
  const searched = useDebounced(search);
  const { data, isError } = useEndpoint(
    listUsers,
    { query: { kind: 'registered', limit: shown, ...(searched && { search: searched }) } },
    { enabled: typed !== undefined, freshForMs: 0 },
  );
  if (isError) return { words: 'La recherche a échoué.' };
  if (!data || searched !== search) return { words: 'Recherche...' };
  return { users: data, words: data.length === 0 ? 'Aucun utilisateur trouvé' : '' };
}
