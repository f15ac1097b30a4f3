import { useMemo, useState } from 'react';
import { listUsers, readUser } from '#contract/accounts.ts';
import { formatPhone } from '#contract/phone.ts';
import { searchLength } from '#contract/shapes.ts';
import { type TicketStatus, ticketSearchLength, ticketStatuses } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CloseFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { readNumber, readWords, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { PersonIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { useToday } from '#web/ui/use-now.ts';

type Filter = ReturnType<typeof useTicketFilter>;

const statuses = {
  '': 'Tous les statuts',
  pending: ticketStatusLabel('pending').label,
  approved: ticketStatusLabel('approved').label,
  rejected: ticketStatusLabel('rejected').label,
};

export function TicketFilters({ filter, set }: Pick<Filter, 'filter' | 'set'>) {
  const [choosing, setChoosing] = useState(false);
  /** On a phone, where the tickets need the space. */
  const [isOpen, setOpen] = useState(Boolean(filter.status || filter.period || filter.userId));
  const choice = (label: string, name: string, value: string, options: Record<string, string>) => (
    <ChoiceField
      label={label}
      labelHidden
      // Two fit side by side on the narrowest phones, with their longest words whole.
      className="max-sm:min-h-11! max-sm:px-2.5! max-sm:py-1.5! max-sm:text-body"
      options={options}
      value={value}
      onChoose={(chosen) => set({ [name]: chosen })}
    />
  );
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-2 sm:*:first:col-span-full md:grid-cols-3 md:gap-2.5 xl:grid-cols-[minmax(0,1fr)_11.5rem_11.5rem_14rem] xl:*:first:col-span-1">
      <SearchWords
        label="Rechercher un ticket ou un service"
        example="Ticket, nom, numéro, SMS"
        maxLength={ticketSearchLength}
        words={filter.search}
        onChange={(recherche) => set({ recherche })}
      />
      <Button variant="plain" tight className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filtres
      </Button>
      <div className={join('col-span-full grid grid-cols-2 gap-2 sm:contents', !isOpen && 'max-sm:hidden')}>
        {choice('Statut', 'statut', filter.status, statuses)}
        {choice('Date', 'periode', filter.period, { '': 'Toutes les dates', ...periods })}
        <UserFilter
          userId={filter.userId}
          onChoose={() => setChoosing(true)}
          onClear={() => set({ utilisateur: undefined })}
        />
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
const periods = { today: "Aujourd'hui", week: 'Cette semaine', month: 'Ce mois' } as const;
type Period = keyof typeof periods;
const daysOf: Record<Exclude<Period, 'today'>, number> = { week: 7, month: 30 };

/** The filter in the tab's address; invalid values are ignored. */
function readFilter(values: URLSearchParams) {
  const [status, period] = ['statut', 'periode'].map((name) => values.get(name) ?? '');
  return {
    search: readWords(values, ticketSearchLength),
    status: ticketStatuses.find((each) => each === status) ?? ('' as TicketStatus | ''),
    period: Object.hasOwn(periods, period ?? '') ? (period as Period) : ('' as Period | ''),
    userId: readNumber(values, 'utilisateur'),
  };
}

/** The start of a period in this browser's calendar. */
function startOf(period: Period, now: Date): Date {
  if (period === 'today') return new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(now.getTime() - daysOf[period] * 86_400_000);
}

/** The filter in the tab's address, and its query. A period restarts with each day, which is looked at with each poll. */
export function useTicketFilter() {
  const { values, set } = useTabSearch();
  const filter = useMemo(() => readFilter(values), [values]);
  const today = useToday(pollEveryMs.adminTickets).getTime();
  const from = useMemo(
    () => (filter.period ? startOf(filter.period, new Date(Math.max(today, Date.now()))) : undefined),
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

function UserFilter({
  userId,
  onChoose,
  onClear,
}: Pick<Filter['filter'], 'userId'> & { onChoose: () => void; onClear: () => void }) {
  return (
    <div className="flex min-w-0 gap-1.5 max-md:col-span-full">
      {/* As the selects beside it. */}
      <button
        type="button"
        className={join(
          inputClass,
          'flex min-w-0 flex-1 items-center justify-between gap-2 text-left max-sm:min-h-11! max-sm:px-2.5! max-sm:py-1.5! max-sm:text-body',
        )}
        onClick={onChoose}
      >
        {userId ? <UserFilterName userId={userId} /> : <span className="truncate">Tous les utilisateurs</span>}
        <svg aria-hidden="true" viewBox="0 0 12 7" className="w-3 shrink-0 fill-none stroke-2 stroke-[#7a828c]">
          <path d="M1 1l5 5 5-5" />
        </svg>
      </button>
      {userId && (
        <Button variant="quiet" tight aria-label="Tous les utilisateurs" onClick={onClear}>
          ✕
        </Button>
      )}
    </div>
  );
}

function UserFilterName({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } });
  return (
    <span className="truncate">{data ? `${data.firstName} ${data.lastName}` : `Utilisateur n°\u00a0${userId}`}</span>
  );
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
      <div className="mt-4 flex flex-col gap-3">
        <Field
          label="Nom, téléphone ou e-mail"
          type="search"
          className="short:min-h-11! short:py-2!"
          value={search}
          maxLength={searchLength}
          onChange={(event) => setSearch(event.target.value)}
        />
        {/* As tall as a full list, so that results do not resize the dialog. */}
        <div className="min-h-98">
          <QueryState
            query={query}
            loading="Recherche..."
            failure="La recherche a échoué."
            empty={<EmptyState Icon={PersonIcon} title="Aucun utilisateur trouvé" />}
          >
            {(users) =>
              users.map(({ id, firstName, lastName, isGuest, phone }) => (
                <button
                  key={id}
                  type="button"
                  className="flex min-h-12 w-full items-center gap-2 border-line not-first:border-t text-left hover:bg-leaf-pale"
                  onClick={() => onChoose(id)}
                >
                  <span className="min-w-0 flex-1 font-medium">{`${firstName} ${lastName}`}</span>
                  <span className="text-soft text-small tabular-nums">
                    {isGuest ? `Invité n°\u00a0${id}` : formatPhone(phone)}
                  </span>
                </button>
              ))
            }
          </QueryState>
        </div>
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  );
}
