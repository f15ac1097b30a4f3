import { createContext, type ReactNode, use, useRef, useState } from 'react';
import { countUnread } from '#contract/notifications.ts';
import { listUserTickets, type OwnTicketDetail, readOwnTicket, type Ticket } from '#contract/tickets.ts';
import { useEachAnswer } from '#web/api/use-each-answer.ts';
import type { ListPages } from '#web/api/use-list.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';
import { changedDecisions, wordDecisions } from './decision-news.ts';

const ofTickets = [listUserTickets, readOwnTicket];
const none: ReadonlySet<number> = new Set();
const FreshContext = createContext(none);

/** The tickets that were decided while the screen at hand was open. */
export const useFresh = () => use(FreshContext);

/**
 * Tells each decision once in this tab, on whichever screen a poll brings it: by a toast, at the bell, and to what reads
 * `useFresh`. `at` is the screen's address.
 */
export function StatusNews({ at, children }: { at: string; children: ReactNode }) {
  const known = useRef(new Map<number, Ticket>());
  const [fresh, setFresh] = useState({ at, ids: none });
  if (fresh.at !== at) setFresh({ at, ids: none });
  const toast = useToast();
  const refresh = useRefresh();
  useEachAnswer(ofTickets, (data) => {
    const answer = data as ListPages<Ticket> | OwnTicketDetail;
    const decided = changedDecisions(known.current, 'rows' in answer ? answer.rows : [answer]);
    if (decided.length === 0) return;
    const ids = decided.map(({ id }) => id);
    setFresh((before) => ({ ...before, ids: new Set([...before.ids, ...ids]) }));
    toast(wordDecisions(decided));
    void refresh(countUnread);
    // Without a touch before it a browser refuses to, and complains.
    if (decided.every(({ status }) => status === 'approved') && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(10);
  });
  return <FreshContext value={fresh.ids}>{children}</FreshContext>;
}

/** A tick that is drawn on a ticket whose approval has just come. */
export function FreshTick({
  of: { id, status },
  tall,
}: {
  of: Pick<Ticket, 'id' | 'status'>;
  /** Beside two lines; else within one. */
  tall?: boolean;
}) {
  if (!useFresh().has(id) || status !== 'approved') return null;
  return (
    <span
      data-testid="fresh-tick"
      className={join(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-leaf text-on-leaf',
        tall ? 'size-9' : 'mr-1.5 size-6 align-[-0.3em]',
      )}
    >
      <CheckIcon className={tall ? 'drawn size-5' : 'drawn size-4'} />
    </span>
  );
}
