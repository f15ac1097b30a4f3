import { useEffect, useMemo, useState } from 'react';
import { type TicketStatus, ticketStatuses } from '#contract/tickets.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';

/** P16.2: today is the calendar's, a week the last 7 days, a month the last 30. */
export const periods = { today: 'Aujourd’hui', week: 'Cette semaine', month: 'Ce mois' } as const;
export type Period = keyof typeof periods;
const daysOf: Record<Exclude<Period, 'today'>, number> = { week: 7, month: 30 };

/** The filter in the tab's address; invalid values are ignored. */
export function readFilter(values: URLSearchParams) {
  const [status, period, user] = ['statut', 'periode', 'utilisateur'].map((name) => values.get(name) ?? '');
  return {
    search: values.get('recherche') ?? '',
    status: ticketStatuses.find((each) => each === status) ?? ('' as TicketStatus | ''),
    period: Object.hasOwn(periods, period ?? '') ? (period as Period) : ('' as Period | ''),
    userId: /^[1-9]\d{0,9}$/.test(user ?? '') ? Number(user) : undefined,
  };
}

/** The start of a period in this browser's calendar. */
export function startOf(period: Period, now: Date): Date {
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
