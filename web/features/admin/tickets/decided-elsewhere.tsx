import { readTicket, type TicketDetail } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { formatRelative } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { join } from '#web/ui/join.ts';
import { useNow } from '#web/ui/use-now.ts';

type Event = TicketDetail['events'][number];

/** What became of a ticket that left the queue: its last event; 'waits' if it waits all the same; undefined until it is read. */
export function useDecisionElsewhere(ticketId: number | undefined): Event | 'waits' | undefined {
  const { data } = useEndpoint(
    readTicket,
    { params: { id: String(ticketId) } },
    { enabled: ticketId !== undefined, pollEveryMs: pollEveryMs.adminTickets },
  );
  if (ticketId === undefined || !data) return undefined;
  return data.status === 'pending' ? 'waits' : data.events.at(-1);
}

/** 'Approuvé par Awa Traoré il y a 3 s' */
export function DecidedElsewhere({ status, actor, createdAt }: Event) {
  const by = actor ? ` par ${actor.firstName} ${actor.lastName}` : '';
  return (
    <p
      role="status"
      className={join(
        'rounded-xl px-3 py-2 font-semibold',
        status === 'approved' ? 'bg-leaf-pale text-leaf-dark' : 'bg-brick-pale text-brick',
      )}
    >
      <span>{`${ticketStatusLabel(status).label}${by}`}</span> <Ago instant={createdAt} />
    </p>
  );
}

const seconds = new Intl.RelativeTimeFormat('fr-FR', { style: 'short' });

/** 'il y a 3 s', counted on; not read out each second. */
function Ago({ instant }: { instant: string }) {
  const now = useNow(1_000);
  const since = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000));
  return (
    <span aria-hidden="true" className="tabular-nums">
      {since < 60 ? seconds.format(-since, 'second') : formatRelative(instant, now)}
    </span>
  );
}
