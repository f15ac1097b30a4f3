import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TicketList } from './ticket-list.tsx';
import { TicketQueue } from './ticket-queue.tsx';

/** The tickets as a list, or as a queue of those that wait (P16.15). */
export default function TicketsTab() {
  return useTabSearch().values.get('vue') === 'file' ? <TicketQueue /> : <TicketList />;
}
