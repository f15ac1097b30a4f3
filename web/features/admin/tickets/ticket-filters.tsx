import { useMemo, useState } from 'react';
import { type TicketStatus, ticketSearchLength, ticketStatuses } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { FilterField } from '#web/features/admin/shared/fields.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { readNumber, readWords, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { useToday } from '#web/ui/use-now.ts';
import { UserFilter } from './user-filter.tsx';

type Filter = ReturnType<typeof useTicketFilter>;

const statuses = {
  '': 'Tous les statuts',
  pending: ticketStatusLabel('pending').label,
  approved: ticketStatusLabel('approved').label,
  rejected: ticketStatusLabel('rejected').label,
};

export function TicketFilters({ filter, set }: Pick<Filter, 'filter' | 'set'>) {
  /** On a phone, where the tickets need the space. */
  const [isOpen, setOpen] = useState(Boolean(filter.status || filter.period || filter.userId));
  // Two fit side by side on the narrowest phones, with their longest words whole.
  const size = 'max-sm:min-h-11! max-sm:py-1.5! max-sm:pl-2.5! max-sm:text-body';
  return (
    <div className="mb-3 grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-2 sm:*:first:col-span-full md:grid-cols-3 md:gap-2.5 xl:grid-cols-[minmax(0,1fr)_11.5rem_11.5rem_14rem] xl:*:first:col-span-1">
      <SearchWords
        label="Rechercher un ticket ou un service"
        example="Ticket, service, nom, numéro, SMS"
        maxLength={ticketSearchLength}
        words={filter.search}
        onChange={(recherche) => set({ recherche })}
      />
      <Button variant="plain" tight className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filtres
      </Button>
      <div className={join('col-span-full grid grid-cols-2 gap-2 sm:contents', !isOpen && 'max-sm:hidden')}>
        <FilterField
          label="Statut"
          className={size}
          options={statuses}
          value={filter.status}
          onChoose={(statut) => set({ statut })}
        />
        <FilterField
          label="Date"
          className={size}
          options={{ '': 'Toutes les dates', ...periods }}
          value={filter.period}
          onChoose={(periode) => set({ periode })}
        />
        <UserFilter
          userId={filter.userId}
          className={size}
          onChoose={(id) => set({ utilisateur: id === undefined ? undefined : String(id) })}
        />
      </div>
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
