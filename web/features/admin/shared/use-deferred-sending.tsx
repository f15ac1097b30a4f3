import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { countProposals, listPayments, listProposals, readTicketPayment } from '#contract/payments.ts';
import { countPendingTickets, type DecisionResult, listTickets, readTicket } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCalls } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { leavingEvent } from '#web/session/use-sign-out.ts';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { type Toast, useToast } from '#web/ui/toast.tsx';
import { Key } from './keys.tsx';
import { type Decided, sendDecision } from './send-decision.ts';

/** A decision that is asked for. */
export interface Asked extends Decided {
  /** Tickets that were shown with a payment that is sure. */
  paidIds?: readonly number[] | undefined;
  onShown?: () => void;
  /** These tickets are as they were before: it was taken back, or not done. */
  onBack?: (ids: readonly number[], isUndone: boolean) => void;
}

/** A decision that is shown and not answered yet. */
interface Entry extends Asked {
  timer: number;
  /** On the clock of `performance.now()`. */
  dueAt: number;
  /** It is taken back no more. */
  isSent: boolean;
}

/** Time to take a decision back, as long as a toast is shown. */
const undoMs = 5_000;

/** What decisions change. */
const reads = [
  listTickets,
  readTicket,
  countPendingTickets,
  listProposals,
  countProposals,
  listPayments,
  readTicketPayment,
];

const idsOf = ({ tickets }: Decided) => tickets.map(({ id }) => id);
/** 'Ticket n° 12 :' or '54 tickets :' */
const nameOf = (tickets: readonly { id: number }[]) =>
  `${tickets.length === 1 ? `Ticket n°\u00a0${tickets[0]?.id}` : formatCounted(tickets.length, 'ticket')}\u00a0:`;

/**
 * Decisions that are shown, each with a timer before its one call, in memory alone. They are sent at once when the page is
 * left, the panel is closed or the session is ended here. `showResults` shows what became of each ticket.
 */
export function useDeferredSending(showResults: (results: readonly DecisionResult[]) => void) {
  const { call, currentUserId, userId } = useCalls();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const held = useRef(entries);
  const keep = useCallback((next: readonly Entry[]) => {
    held.current = next;
    setEntries(next);
  }, []);
  const remove = useCallback((entry: Entry) => keep(held.current.filter((each) => each !== entry)), [keep]);

  const send = useCallback(
    async (entry: Entry, keepalive = false): Promise<void> => {
      if (entry.isSent) return;
      entry.isSent = true;
      clearTimeout(entry.timer);
      try {
        const results = await sendDecision(call, entry, keepalive);
        const refused = results.flatMap(({ id, outcome }) => (outcome === 'refused' ? id : []));
        if (refused.length > 0) entry.onBack?.(refused, false);
        const news = newsOf(entry, results, () => showResults(results));
        if (news) toast(news);
      } catch (error) {
        remove(entry);
        entry.onBack?.(idsOf(entry), false);
        if (hasCode(error, 'NOT_SIGNED_IN')) toast(lost([entry]));
        else toastFailure(error, { fallback: "Le statut n'a pas pu être modifié.", prefix: nameOf(entry.tickets) });
      }
      // Until they are read again the rows show what was decided.
      await refresh(...reads);
      remove(entry);
    },
    [call, refresh, toast, toastFailure, showResults, remove],
  );

  const undo = useCallback(() => {
    const open = held.current.filter(({ isSent }) => !isSent);
    const [last, before] = [open.at(-1), open.at(-2)];
    if (!last) return;
    clearTimeout(last.timer);
    remove(last);
    last.onBack?.(idsOf(last), true);
    // The one before can be taken back as well, for as long as it waits.
    if (before) toast({ ...said(before, undo), ms: Math.max(0, before.dueAt - performance.now()) });
    else toast({ title: 'Décision annulée', description: `${nameOf(last.tickets)} rien n'est envoyé.`, neutral: true });
  }, [remove, toast]);

  const add = useCallback(
    (asked: Asked) => {
      const ids = new Set(held.current.flatMap(idsOf));
      if (idsOf(asked).some((id) => ids.has(id))) return;
      if (navigator.onLine === false)
        return toast({
          title: 'Hors ligne',
          description: `${nameOf(asked.tickets)} rien n'est décidé.`,
          destructive: true,
        });
      const entry: Entry = { ...asked, timer: 0, dueAt: performance.now() + undoMs, isSent: false };
      entry.timer = window.setTimeout(() => void send(entry), undoMs);
      keep([...held.current, entry]);
      asked.onShown?.();
      toast(said(entry, undo));
    },
    [keep, send, toast, undo],
  );

  useSendOnLeaving(held, send, () => currentUserId() === userId);
  return { entries, add, undo };
}

function useSendOnLeaving(
  held: RefObject<readonly Entry[]>,
  send: (entry: Entry, keepalive: boolean) => Promise<void>,
  isSignedIn: () => boolean,
): void {
  const toast = useToast();
  const latest = useRef({ send, isSignedIn });
  latest.current = { send, isSignedIn };
  useEffect(() => {
    const sendAll = (keepalive: boolean) => held.current.map((entry) => latest.current.send(entry, keepalive));
    const onLeave = () => void sendAll(true);
    const onSignOut = (event: Event) => {
      const { detail } = event as CustomEvent<(sent: Promise<unknown>) => void>;
      for (const sent of sendAll(false)) detail(sent);
    };
    // Before the page goes: a browser without static routes loses what passes the service worker after that.
    addEventListener('beforeunload', onLeave);
    addEventListener('pagehide', onLeave);
    addEventListener(leavingEvent, onSignOut);
    return () => {
      removeEventListener('beforeunload', onLeave);
      removeEventListener('pagehide', onLeave);
      removeEventListener(leavingEvent, onSignOut);
      if (latest.current.isSignedIn()) return void sendAll(false);
      const open = held.current.filter(({ isSent }) => !isSent);
      for (const { timer } of open) clearTimeout(timer);
      if (open.length > 0) toast(lost(open));
    };
  }, [held, toast]);
}

/** The specification's toast of a change, with the way back. */
function said({ tickets, status }: Decided, undo: () => void): Toast {
  const { label } = ticketStatusLabel(status);
  const many = `${formatCounted(tickets.length, `ticket ${label.toLowerCase()}`)}.`;
  return {
    title: 'Statut mis à jour',
    description: tickets.length === 1 ? `${nameOf(tickets)} ${label}.` : many,
    action: {
      words: (
        <span>
          Annuler <Key>Z</Key>
        </span>
      ),
      onPress: undo,
    },
  };
}

/** What was not done as it was shown. */
function newsOf({ paidIds = [] }: Asked, results: readonly DecisionResult[], show: () => void): Toast | undefined {
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  const [first] = refused;
  if (first && results.length === 1)
    return { title: 'Erreur', description: `${nameOf(refused)} ${first.message ?? ''}`, destructive: true };
  if (first)
    return {
      title: 'Erreur',
      description: `Pas de changement pour ${formatCounted(refused.length, 'ticket')} sur ${formatCount(results.length)}.`,
      destructive: true,
      action: { words: 'Voir', onPress: show },
    };
  const unpaid = results.filter(({ id, lineId }) => lineId === undefined && paidIds.includes(id));
  if (unpaid.length === 0) return undefined;
  const description = `${nameOf(unpaid)} le paiement vu n'était plus libre.`;
  return { title: 'Approuvé sans paiement', description, destructive: true };
}

const lost = (those: readonly Entry[]): Toast => ({
  title: 'Session expirée',
  description: `${nameOf(those.flatMap(({ tickets }) => tickets))} la décision n'est pas envoyée. Veuillez vous reconnecter.`,
  destructive: true,
});
