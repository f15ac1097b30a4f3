import { useEffect, useMemo, useState } from 'react';
import { listUsers, readUser } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import { searchLength } from '#contract/shapes.ts';
import { type TicketStatus, ticketStatuses } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

type Filter = ReturnType<typeof useTicketFilter>;

const statuses = {
  '': 'Tous les statuts',
  pending: ticketStatusLabel('pending').label,
  approved: ticketStatusLabel('approved').label,
  rejected: ticketStatusLabel('rejected').label,
};
// Two fit side by side on the narrowest phones, with their longest words whole.
const selectClass = 'max-sm:px-2 max-[22.4rem]:text-[0.8125rem]';

export function TicketFilters({ filter, set }: Pick<Filter, 'filter' | 'set'>) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="mb-3 grid grid-cols-2 gap-2.5 *:first:col-span-2 xl:grid-cols-[1fr_auto_auto_auto] xl:*:first:col-span-1">
      <SearchWords
        label="Rechercher un ticket ou un service"
        words={filter.search}
        onChange={(recherche) => set({ recherche })}
      />
      <ChoiceField
        label="Statut"
        labelHidden
        className={selectClass}
        options={statuses}
        value={filter.status}
        onChoose={(statut) => set({ statut })}
      />
      <ChoiceField
        label="Date"
        labelHidden
        className={selectClass}
        options={{ '': 'Toutes les dates', ...periods }}
        value={filter.period}
        onChoose={(periode) => set({ periode })}
      />
      <div className="col-span-2 flex gap-1.5 xl:col-span-1">
        <Button variant="plain" tight className="min-w-0 flex-1 font-normal!" onClick={() => setChoosing(true)}>
          {filter.userId ? <UserFilterName userId={filter.userId} /> : 'Tous les utilisateurs'}
        </Button>
        {filter.userId && (
          <Button
            variant="quiet"
            tight
            aria-label="Tous les utilisateurs"
            onClick={() => set({ utilisateur: undefined })}
          >
            ✕
          </Button>
        )}
      </div>
      {choosing && (
        <UserDialog
          onClose={() => setChoosing(false)}
          onChoose={(id) => {
            setChoosing(false);
            set({ utilisateur: String(id) });
          }}
        />
      )}
    </div>
  );
}

/** P16.2: today is the calendar's, a week the last 7 days, a month the last 30. */
const periods = { today: 'Aujourd’hui', week: 'Cette semaine', month: 'Ce mois' } as const;
type Period = keyof typeof periods;
const daysOf: Record<Exclude<Period, 'today'>, number> = { week: 7, month: 30 };

/** The filter in the tab's address; invalid values are ignored. */
function readFilter(values: URLSearchParams) {
  const [status, period, user] = ['statut', 'periode', 'utilisateur'].map((name) => values.get(name) ?? '');
  return {
    search: values.get('recherche') ?? '',
    status: ticketStatuses.find((each) => each === status) ?? ('' as TicketStatus | ''),
    period: Object.hasOwn(periods, period ?? '') ? (period as Period) : ('' as Period | ''),
    userId: /^[1-9]\d{0,9}$/.test(user ?? '') ? Number(user) : undefined,
  };
}

/** The start of a period in this browser's calendar. */
function startOf(period: Period, now: Date): Date {
  if (period === 'today') return new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(now.getTime() - daysOf[period] * 86_400_000);
}

/** The filter in the tab's address, and its query. A period restarts with each day, not with each poll. */
export function useTicketFilter() {
  const { values, set } = useTabSearch();
  const filter = useMemo(() => readFilter(values), [values]);
  const today = useToday();
  const from = useMemo(
    () =>
      filter.period
        ? startOf(filter.period, today.getTime() === startOf('today', new Date()).getTime() ? new Date() : today)
        : undefined,
    [filter.period, today],
  );
  const query = {
    ...(filter.search && { search: filter.search }),
    ...(filter.status && { status: filter.status }),
    ...(filter.userId && { userId: String(filter.userId) }),
    ...(from && { from: from.toISOString() }),
  };
  return { filter, query, set };
}

/** Midnight of today; changes with the day. */
function useToday(): Date {
  const [today, setToday] = useState(() => startOf('today', new Date()));
  useEffect(() => {
    const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
    const timer = setTimeout(() => setToday(startOf('today', new Date())), tomorrow.getTime() - Date.now() + 1_000);
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}

function UserFilterName({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } });
  return <span className="truncate">{data ? `${data.firstName} ${data.lastName}` : `Utilisateur n° ${userId}`}</span>;
}

/** Fits under the search without much scrolling; more letters narrow the list. */
const shown = '8';

function UserDialog({ onChoose, onClose }: { onChoose: (id: number) => void; onClose: () => void }) {
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
        <QueryState
          query={query}
          loading="Recherche..."
          failure="La recherche a échoué."
          empty={<EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />}
        >
          {(users) => (
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
          )}
        </QueryState>
      </div>
    </Dialog>
  );
}
