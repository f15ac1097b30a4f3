import { countPendingTickets } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDecisions } from './decisions.tsx';

/** The tickets that wait, without those that are decided here and not sent yet; undefined until they are counted. */
export function usePendingCount(): number | undefined {
  const { data } = useEndpoint(countPendingTickets, {}, { pollEveryMs: pollEveryMs.adminTickets });
  const decided = [...useDecisions().waiting.values()].filter(({ before }) => before === 'pending').length;
  return data && Math.max(0, data.count - decided);
}
