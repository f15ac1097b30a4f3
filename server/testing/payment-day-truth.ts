import { type Day, type DayLine, type DayTicket, dayAccounts } from './payment-day.ts';
import { hasEvent, hasSms } from './payment-day-inputs.ts';

const plain = (reference: string | null) => reference?.toUpperCase().replace(/[^A-Z0-9]/g, '') || null;
const payersOf = ({ payerPhone, person }: DayTicket) => [payerPhone, person.phone].filter((each) => each !== null);
const minute = 60_000;

/** Whether anything tells of a line, and whether a statement or the wallet's server does. */
const isSettled = (line: DayLine) => dayAccounts[line.account].hasStatement || hasEvent(line);
export const isTold = (line: DayLine): boolean => isSettled(line) || hasSms(line);

/**
 * Whether a line that is proposed for a ticket was paid for it. A person's payments of one amount stand for each other: who
 * paid two orders of 500 francs paid either.
 */
export function isRight(line: DayLine | undefined, ticket: DayTicket): boolean {
  if (!line?.ticket) return false;
  const isSame = line.ticket.person.phone === ticket.person.phone && line.ticket.total === ticket.total;
  return line.gross === ticket.total && (line.ticket.key === ticket.key || isSame);
}

/**
 * Lines of which a statement or the wallet's server tells, and whose evidence suffices by the rules of the research page
 * (R0, R1, R2 and R2b), said once more here, without a look at how the product says them.
 */
export function sufficientLines(day: Day): ReadonlySet<number> {
  const claims = new Map<string, DayTicket[]>();
  for (const ticket of day.tickets) {
    const reference = plain(ticket.reference);
    if (reference) claims.set(reference, [...(claims.get(reference) ?? []), ticket]);
  }
  const told = day.lines.filter(isTold);
  const named = new Set<number>();
  for (const line of told) {
    const { ticket } = line;
    if (!ticket || line.gross !== ticket.total) continue;
    // MTN passes it on by SMS alone.
    const isNamed = line.isNamed && (line.account === 'wave' || hasSms(line));
    const claimants = claims.get(plain(line.reference) ?? '') ?? [];
    const declared = ticket.declaredAt ?? ticket.filedAt;
    const isInTime = line.at >= ticket.filedAt - 15 * minute && line.at <= declared + 15 * minute;
    const isDeclared =
      claimants.length === 1 && claimants[0] === ticket && isInTime && payersOf(ticket).includes(line.payer);
    if (isNamed || isDeclared) named.add(line.key);
  }
  const found = new Set(named);
  const free = told.filter(({ key, ticket }) => !named.has(key) || !ticket);
  const paid = new Set(told.filter(({ key }) => named.has(key)).map(({ ticket }) => ticket));
  const groups = Map.groupBy(free, ({ account, payer, gross }) => `${account} ${payer} ${gross}`);
  const byPayer = new Map<string, DayTicket[]>();
  for (const ticket of day.tickets)
    for (const payer of new Set(payersOf(ticket))) {
      const key = `${payer} ${ticket.total}`;
      byPayer.set(key, [...(byPayer.get(key) ?? []), ticket]);
    }
  for (const lines of groups.values()) {
    const [first] = lines as [DayLine];
    const tickets = (byPayer.get(`${first.payer} ${first.gross}`) ?? []).filter((ticket) => !paid.has(ticket));
    const fits = lines.every((line) =>
      tickets.every((ticket) => {
        const since = line.at - ticket.filedAt;
        const isOther =
          plain(ticket.reference) !== null &&
          line.reference !== null &&
          plain(ticket.reference) !== plain(line.reference);
        return since >= -5 * minute && since <= 24 * 60 * minute && !isOther;
      }),
    );
    const isClaimed = lines.some(({ reference }) => claims.has(plain(reference) ?? ''));
    if (lines.length !== tickets.length || !fits || isClaimed) continue;
    if (lines.every(({ ticket }) => ticket && tickets.includes(ticket))) for (const { key } of lines) found.add(key);
  }
  return new Set(told.filter((line) => isSettled(line) && found.has(line.key)).map(({ key }) => key));
}

/** What the database says of a line, with the ticket that it was matched with. */
export interface StoredLine {
  id: number;
  account: string;
  direction: string;
  state: string;
  gross: number;
  reference: string | null;
  ourReference: number | null;
  payer: string | null;
  paidAt: Date;
  balance: string | null;
  seenIn: number;
  isTrusted: boolean;
  anomaly: string | null;
  ticketId: number | null;
  rule: string | null;
}

/** Finds which line of the day a stored one is. */
export function lineFinder(
  day: Day,
): (stored: Pick<StoredLine, 'reference' | 'payer' | 'gross' | 'paidAt'>) => DayLine | undefined {
  const byReference = new Map(day.lines.flatMap((line) => (line.reference ? [[plain(line.reference), line]] : [])));
  const others = Map.groupBy(
    day.lines.filter(({ reference }) => !reference),
    ({ payer, gross }) => `${payer} ${gross}`,
  );
  return ({ reference, payer, gross, paidAt }) => {
    if (reference) return byReference.get(plain(reference));
    const near = others.get(`${payer} ${gross}`) ?? [];
    return near.toSorted((a, b) => Math.abs(a.at - paidAt.getTime()) - Math.abs(b.at - paidAt.getTime()))[0];
  };
}

/** The lines as they are, under the names of the day: equal texts are equal ends. What a wrong clock says is left out. */
export function spellEnd(
  day: Day,
  stored: readonly StoredLine[],
  nameOf: (ticketId: number) => number | undefined,
): string[] {
  const find = lineFinder(day);
  return stored
    .map((each) => {
      const line = find(each);
      const { direction, state, gross, payer, balance, seenIn, isTrusted, anomaly, rule } = each;
      const ticket = (id: number | null) => (id === null ? null : (nameOf(id) ?? '?'));
      const minutes = Math.round((each.paidAt.getTime() - day.now) / minute);
      return JSON.stringify({
        line: line?.key ?? '?',
        account: each.account,
        direction,
        state,
        gross,
        payer,
        balance,
        seenIn,
        isTrusted,
        anomaly,
        ourReference: ticket(each.ourReference),
        ticket: ticket(each.ticketId),
        rule,
        paidAt: line?.faults.has('clock off') ? '' : minutes,
      });
    })
    .toSorted();
}
