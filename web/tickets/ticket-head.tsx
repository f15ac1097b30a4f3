import type { ComponentProps, ReactNode } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { formatTotal, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { Badge } from '#web/ui/badge.tsx';
import { join } from '#web/ui/join.ts';
import { FreshTick } from './status-news.tsx';

/** A line with something at its right edge; with large text that stands below. */
export const edgeRow = 'flex flex-wrap items-baseline justify-end gap-x-3';

export const nameOf = ({ servicePath }: Pick<Ticket, 'servicePath'>) => keepUnits(servicePath.at(-1)?.name ?? '');
export const totalOf = ({ totalPrice, servicePath }: Pick<Ticket, 'totalPrice' | 'servicePath'>) =>
  formatTotal(Number(totalPrice), servicePath);
/** The names above a ticket's service, from the family on: 'Télécom et mobile → Burkina Faso → Orange'. */
export const pathAbove = ({ servicePath }: Pick<Ticket, 'servicePath'>) =>
  servicePath
    .slice(0, -1)
    .map(({ name }) => keepUnits(name))
    .join(' → ');

/** A ticket's service and total, and its status beside what is said of it: the same on every screen. */
export function TicketHead({
  ticket,
  level: Level,
  heading,
  name = <span>{nameOf(ticket)}</span>,
  children,
}: {
  ticket: Ticket;
  level: 'h2' | 'h3';
  /** Of the heading that takes a lost focus. */
  heading?: ComponentProps<'h3'>;
  name?: ReactNode;
  /** In small letters below the name. */
  children: ReactNode;
}) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const left = 'min-w-0 flex-1 basis-32';
  return (
    <>
      <div className={edgeRow}>
        <Level {...heading} className={join(left, 'font-bold text-large leading-snug')}>
          <FreshTick of={ticket} />
          {name}
        </Level>
        <Total ticket={ticket} />
      </div>
      <div className={edgeRow}>
        <p className={join(left, 'text-small text-soft tabular-nums leading-snug')}>{children}</p>
        <Badge tone={tone}>{label}</Badge>
      </div>
    </>
  );
}

/** A ticket's total in the face of amounts. */
export function Total({ ticket, className }: { ticket: Ticket; className?: string }) {
  return (
    <p className={join('max-w-44 text-right font-bold font-display text-large tabular-nums leading-snug', className)}>
      {spaceAmount(totalOf(ticket))}
    </p>
  );
}
