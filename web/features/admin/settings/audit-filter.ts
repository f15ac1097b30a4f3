import { useMemo } from 'react';
import type { auditActors, auditOutcomes } from '#contract/audit.ts';
import { endOf, isDay, startOf } from '#web/features/admin/shared/calendar-day.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';

type Actors = (typeof auditActors)[number];
type Outcome = (typeof auditOutcomes)[number];

/** Words of the address and their values in the query. */
export const actorsByWord: Record<string, Actors> = { administrateurs: 'administrators', autres: 'others' };
export const outcomeByWord: Record<string, Outcome> = { fait: 'done', refuse: 'refused' };

/** The filter in the tab's address; invalid values are ignored. */
export function readAuditFilter(values: URLSearchParams) {
  const word = (name: string, known: Record<string, unknown>) => {
    const value = values.get(name) ?? '';
    return Object.hasOwn(known, value) ? value : '';
  };
  const day = (name: string) => {
    const value = values.get(name) ?? '';
    return isDay(value) ? value : '';
  };
  const actor = values.get('acteur') ?? '';
  return {
    actorId: /^[1-9]\d{0,9}$/.test(actor) && Number(actor) < 2 ** 31 ? Number(actor) : undefined,
    who: word('qui', actorsByWord),
    outcome: word('resultat', outcomeByWord),
    /** Calendar days, both included. */
    from: day('du'),
    to: day('au'),
  };
}

/** The filter as a query; days begin and end in this browser's time zone. */
export function auditQuery({ actorId, who, outcome, from, to }: ReturnType<typeof readAuditFilter>) {
  const [actors, ended] = [actorsByWord[who], outcomeByWord[outcome]];
  return {
    ...(actorId && { actorId: String(actorId) }),
    ...(actors && { actors }),
    ...(ended && { outcome: ended }),
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: endOf(to).toISOString() }),
  };
}

export function useAuditFilter() {
  const { values, set } = useTabSearch();
  const filter = useMemo(() => readAuditFilter(values), [values]);
  return { filter, query: auditQuery(filter), set };
}
