import { useCallback, useEffect, useRef, useState } from 'react';
import { approvePayments, readTicketPayment } from '#contract/payments.ts';
import { changeTicketStatus, type Decision, listTickets } from '#contract/tickets.ts';
import { ApiError, hasCode, NoAnswer } from '#web/api/client.ts';
import { useCalls } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { leavingEvent } from '#web/session/use-sign-out.ts';
import { localStore } from '#web/store.ts';
import { useToast } from '#web/ui/toast.tsx';
import { sureLineOf } from './payment-seen.tsx';
import { approvePaid, decisionReads } from './use-decide.ts';

/** A decision that is not sent yet, so that it can be taken back (P16.16). */
export interface DeferredDecision {
  ticketId: number;
  status: Decision;
  reason?: string | undefined;
  /** The line that surely pays it, which an approval uses up. */
  lineId?: number | undefined;
  /** Milliseconds since 1970. */
  dueAt: number;
  /** The server may know it: it is sent until it is answered, and taken back no more. */
  isSent?: boolean;
}

/** Time to take a decision back; also between two tries without an answer. */
export const undoMs = 5_000;

const keyOf = (userId: number) => `guichet_decisions:${userId}`;

/** Those of this administrator that a closed tab left as well. */
function read(userId: number): DeferredDecision[] {
  try {
    return (JSON.parse(localStore.read(keyOf(userId)) ?? '[]') as DeferredDecision[]) ?? [];
  } catch {
    return [];
  }
}

/**
 * Decisions of pending tickets that are sent after `undoMs`: they are kept in the browser, and sent at once when its page
 * is left or its session is ended. The same decision sent twice changes nothing (P9.7).
 */
export function useDeferredDecisions() {
  const { call, currentUserId, userId = 0 } = useCalls();
  const refresh = useRefresh();
  const replace = useReplaceRows(listTickets);
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [waiting, setWaiting] = useState(() => read(userId));
  const sending = useRef(new Set<number>());

  // Another tab of the browser may have changed the stored ones.
  const update = useCallback(
    (change: (stored: DeferredDecision[]) => DeferredDecision[]) => {
      const next = change(read(userId));
      localStore.keep(keyOf(userId), JSON.stringify(next));
      setWaiting(next);
    },
    [userId],
  );
  const forget = (ticketId: number) => update((stored) => stored.filter((each) => each.ticketId !== ticketId));
  const change = (ticketId: number, fields: Partial<DeferredDecision>) =>
    update((stored) => stored.map((each) => (each.ticketId === ticketId ? { ...each, ...fields } : each)));

  const request = ({ ticketId, status, reason }: DeferredDecision, keepalive = false) =>
    call(changeTicketStatus, {
      params: { id: String(ticketId) },
      body: { status, expectedStatus: 'pending', ...(reason && { reason }) },
      keepalive,
    });
  /** Sends it with the page, which hears no answer. */
  const sendLast = async (decision: DeferredDecision): Promise<void> => {
    const { ticketId, status, lineId } = decision;
    change(ticketId, { isSent: true });
    if (status === 'rejected' || lineId === undefined) await request(decision, true);
    else await call(approvePayments, { body: { pairs: [{ lineId, ticketId }] }, keepalive: true });
  };

  async function send(decision: DeferredDecision): Promise<void> {
    const { ticketId, status } = decision;
    if (sending.current.has(ticketId)) return;
    sending.current.add(ticketId);
    try {
      const lineId =
        status === 'rejected'
          ? undefined
          : (decision.lineId ?? sureLineOf(await call(readTicketPayment, { params: { id: String(ticketId) } })));
      // It may have been taken back meanwhile, or in another tab.
      if (!read(userId).some((each) => each.ticketId === ticketId)) return setWaiting(read(userId));
      change(ticketId, { isSent: true });
      if (lineId === undefined) replace([await request(decision)]);
      else {
        const why = (await approvePaid(call, [{ lineId, ticketId }])).get(ticketId);
        if (why) toast({ title: `Ticket n°\u00a0${ticketId} non approuvé`, description: why, destructive: true });
      }
      forget(ticketId);
    } catch (error) {
      const isPutOff = error instanceof NoAnswer || (error instanceof ApiError && error.status >= 500);
      if (isPutOff) change(ticketId, { dueAt: Date.now() + undoMs });
      // It waits for the next sign-in.
      else if (!hasCode(error, 'NOT_SIGNED_IN')) {
        forget(ticketId);
        toastFailure(error, {
          fallback: "Le statut n'a pas pu être modifié.",
          prefix: `Ticket n°\u00a0${ticketId}\u00a0:`,
        });
      }
    } finally {
      sending.current.delete(ticketId);
    }
    await refresh(...decisionReads);
  }

  const isSignedIn = () => currentUserId() === userId;
  const latest = useRef({ waiting, send, sendLast, isSignedIn });
  latest.current = { waiting, send, sendLast, isSignedIn };
  const nextDue = Math.min(...waiting.map(({ dueAt }) => dueAt));
  useEffect(() => {
    if (!Number.isFinite(nextDue)) return;
    const timer = setTimeout(
      () => {
        for (const decision of latest.current.waiting)
          if (decision.dueAt <= nextDue) void latest.current.send(decision);
      },
      // Never longer, even if the clock was put back since.
      Math.min(undoMs, Math.max(0, nextDue - Date.now())),
    );
    return () => clearTimeout(timer);
  }, [nextDue]);
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => key === keyOf(userId) && setWaiting(read(userId));
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [userId]);
  useEffect(() => {
    const onLeave = () => {
      const { waiting, sendLast } = latest.current;
      const stored = new Set(read(userId).map(({ ticketId }) => ticketId));
      for (const decision of waiting) if (stored.has(decision.ticketId)) sendLast(decision).catch(() => {});
    };
    const onSignOut = (event: Event) => {
      const { detail } = event as CustomEvent<(sent: Promise<unknown>) => void>;
      for (const decision of latest.current.waiting) detail(latest.current.send(decision));
    };
    addEventListener('pagehide', onLeave);
    addEventListener(leavingEvent, onSignOut);
    return () => {
      removeEventListener('pagehide', onLeave);
      removeEventListener(leavingEvent, onSignOut);
      // Another tab of the panel is shown, where no timer of this one runs; after a lost session they wait for the next sign-in.
      const { waiting, send, isSignedIn } = latest.current;
      if (isSignedIn()) for (const decision of waiting) void send(decision);
    };
  }, [userId]);

  return {
    waiting,
    /** The last one that can be taken back. */
    last: waiting.filter(({ isSent }) => !isSent).at(-1),
    defer: (decision: Omit<DeferredDecision, 'dueAt'>) =>
      update((stored) => [
        ...stored.filter(({ ticketId }) => ticketId !== decision.ticketId),
        { ...decision, dueAt: Date.now() + undoMs },
      ]),
    /** Takes a decision back; false where it is sent. */
    undo(ticketId: number): boolean {
      const stored = read(userId).find((each) => each.ticketId === ticketId);
      if (!stored || stored.isSent) return false;
      forget(ticketId);
      return true;
    },
  };
}
