import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TicketList } from './ticket-list.tsx';
import { TicketQueue } from './ticket-queue.tsx';
import { useDeferredDecisions } from './use-deferred-decisions.ts';

/** The tickets as a list, or as a queue of those that wait (P16.15). What a left page did not send is sent by either. */
export default function TicketsTab() {
  const deferred = useDeferredDecisions();
  const isQueue = useTabSearch().values.get('vue') === 'file';
  return isQueue ? <TicketQueue deferred={deferred} /> : <TicketList />;
}
