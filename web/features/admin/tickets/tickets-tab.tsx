import { useRef } from 'react';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TicketList } from './ticket-list.tsx';
import { TicketQueue, UndoBar } from './ticket-queue.tsx';
import { useDeferredDecisions } from './use-deferred-decisions.ts';

/** The tickets as a list, or as a queue of those that wait (P16.15). What a left page did not send is sent by either. */
export default function TicketsTab() {
  const deferred = useDeferredDecisions();
  const area = useRef<HTMLDivElement>(null);
  const { last } = deferred;
  if (useTabSearch().values.get('vue') === 'file') return <TicketQueue deferred={deferred} />;
  const undo = () => {
    if (last) deferred.undo(last.ticketId);
    // The pressed button goes with its bar.
    area.current?.querySelector('h1')?.focus({ preventScroll: true });
  };
  return (
    <div ref={area}>
      <TicketList />
      <UndoBar last={last} onUndo={undo} />
    </div>
  );
}
