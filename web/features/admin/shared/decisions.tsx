import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { AdminTicket, DecisionResult, TicketStatus } from '#contract/tickets.ts';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { useKeys } from './keys.tsx';
import { ResultsDialog } from './results-dialog.tsx';
import type { Decided } from './send-decision.ts';
import { type Asked, useDeferredSending } from './use-deferred-sending.tsx';

/** What is decided of a ticket, and not answered yet. */
export interface Deciding extends Pick<Decided, 'status' | 'reason'> {
  /** Its status until then. */
  before: TicketStatus;
  /** The payment that it is approved by, where a person chose one. */
  lineId: number | undefined;
}

interface Decisions {
  /** By the ticket's id. */
  waiting: ReadonlyMap<number, Deciding>;
  /** A question or a result is shown. */
  isAsking: boolean;
  /** Shows a decision, and sends it after five seconds; an approval of more than one, or of a doubtful pair, is confirmed first. */
  decide: (asked: Asked) => void;
}

const DecisionsContext = createContext({} as Decisions);

/** The one way in which the panel decides tickets (P16.16). */
export const useDecisions = (): Decisions => use(DecisionsContext);

/** A ticket as it is decided here, where that is not answered yet. */
export const withDecision = <T extends AdminTicket>(
  ticket: T,
  decided: Pick<Deciding, 'status' | 'reason'> | undefined,
): T => (decided ? { ...ticket, status: decided.status, rejectReason: decided.reason ?? null } : ticket);

/** Holds the decisions of the whole panel, whichever of its tabs is shown, and hears Z. */
export function DecisionsProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asked>();
  const [results, setResults] = useState<readonly DecisionResult[]>();
  const { entries, add, undo } = useDeferredSending(setResults);
  useKeys((key) => key === 'z' && undo(), { inDialogs: true });
  const decide = useCallback(
    (asked: Asked) => {
      const { tickets, status, pairs = [] } = asked;
      const isDoubtful = pairs.some(({ doubts }) => doubts.length > 0);
      // A rejection of several is confirmed with its reason.
      if (status === 'approved' && (tickets.length > 1 || isDoubtful)) setAsking(asked);
      else add(asked);
    },
    [add],
  );
  const isAsking = asking !== undefined || results !== undefined;
  const value = useMemo(() => {
    const waiting = entries.flatMap(({ tickets, pairs, status, reason }) =>
      tickets.map(({ id, status: before }, place) => {
        const deciding: Deciding = { status, reason, before, lineId: pairs?.[place]?.line.id };
        return [id, deciding] as const;
      }),
    );
    return { waiting: new Map(waiting), isAsking, decide };
  }, [entries, isAsking, decide]);
  return (
    <DecisionsContext value={value}>
      {children}
      {asking && (
        <ApproveDialog
          {...asking}
          onClose={() => setAsking(undefined)}
          onConfirm={() => {
            setAsking(undefined);
            add(asking);
          }}
        />
      )}
      {results && (
        <ResultsDialog
          title={`${formatCounted(results.filter(({ outcome }) => outcome === 'changed').length, 'ticket')} mis à jour sur ${formatCount(results.length)}`}
          label="Résultat par ticket"
          rows={results.map((each) => ({ ...each, name: `n°\u00a0${formatCount(each.id)}` }))}
          onClose={() => setResults(undefined)}
        />
      )}
    </DecisionsContext>
  );
}
