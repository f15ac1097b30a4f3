import { useQueries } from '@tanstack/react-query';
import { listServices, type Service } from '#contract/catalogue.ts';
import { freshForMs } from '#web/api/polling.ts';
import { readOf } from '#web/api/read.ts';
import { useCalls } from '#web/api/use-call.ts';
import { endpointQuery } from '#web/api/use-endpoint.ts';
import { childrenIn } from './use-catalogue.ts';

/**
 * The level that these services lead to, the root first. Each level is its own answer; until that is there, what the whole
 * catalogue says of it.
 */
export function useLevel(ids: readonly number[], catalogue: Service[] | undefined) {
  const calls = useCalls();
  const parents = [undefined, ...ids];
  const answers = useQueries({
    queries: parents.map((parentId) => {
      const query = parentId === undefined ? {} : { parentId: String(parentId) };
      return endpointQuery(calls, listServices, { query }, { freshForMs: freshForMs.services, keep: true });
    }),
  });
  const levels = answers.map((answer, depth) => {
    const data: Service[] | undefined = answer.data ?? childrenIn(catalogue, parents[depth]);
    return { ...readOf(answer), data, isFetching: answer.isFetching };
  });
  /** The services that lead here, as far as they are known. */
  const trail = ids.map((id, depth) => levels[depth]?.data?.find((service) => service.id === id));
  const known = trail.filter((service) => service !== undefined);
  /** A level above that is not there yet: without it the way down would have a hole. */
  const missing = levels.find((_, depth) => depth < ids.length && trail[depth] === undefined);
  const here = levels[ids.length] as (typeof levels)[number];
  return {
    trail,
    known,
    level: missing ? { ...missing, data: undefined, isPending: missing.isFetching } : here,
    /** One of them is no longer where the address says: its level's own answer, of this visit, does not have it. */
    isGone: ids.some((_, depth) => (answers[depth]?.dataUpdatedAt ?? 0) > 0 && trail[depth] === undefined),
  };
}
