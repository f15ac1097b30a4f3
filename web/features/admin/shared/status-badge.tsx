import type { AdminTicket } from '#contract/tickets.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { Badge } from '#web/ui/badge.tsx';

/** The status of a ticket, dimmed as long as its decision is not answered. */
export function StatusBadge({ status, isWaiting }: { status: AdminTicket['status']; isWaiting: boolean }) {
  const { label, tone } = ticketStatusLabel(status);
  return (
    <span className={isWaiting ? 'opacity-90' : undefined}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}
