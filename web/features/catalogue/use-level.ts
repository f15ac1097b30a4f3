import { useQueries } from '@tanstack/react-query';
import { listServices, type Service } from '#contract/catalogue.ts';
import { freshForMs } from '#web/api/polling.ts';
import { readOf } from '#web/api/read.ts';
import { useCalls } from '#web/api/use-call.ts';
import { endpointQuery } from '#web/api/use-endpoint.ts';
import { childrenIn } from './use-catalogue.ts';

/**
 * The level below these services, root first. Each level has its own answer; until it arrives, the whole catalogue's
 * data is shown.
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
  /** The services of the path, as far as loaded. */
  const trail = ids.map((id, depth) => levels[depth]?.data?.find((service) => service.id === id));
  const known = trail.filter((service) => service !== undefined);
  /** A missing level above would leave a hole in the path. */
  const missing = levels.find((_, depth) => depth < ids.length && trail[depth] === undefined);
  const here = levels[ids.length] as (typeof levels)[number];
  return {
    trail,
    known,
    level: missing ? { ...missing, data: undefined, isPending: missing.isFetching } : here,
    /** A service of the path is gone: its level's answer from this visit lacks it. */
    isGone: ids.some((_, depth) => (answers[depth]?.dataUpdatedAt ?? 0) > 0 && trail[depth] === undefined),
  };
}
