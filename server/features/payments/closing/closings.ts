import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import {
  type Closing,
  type ClosingFigures,
  type ClosingReasons,
  type readClosing as endpoint,
  hasMovement,
  linesListed,
} from '#contract/closings.ts';
import { hoursAhead } from '#contract/country-clock.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { requireRow, rows, type Sql, sql } from '#server/database/rows.ts';
import { type AccountRow, lockAccount, requireAccount } from '#server/features/payments/intake/store.ts';
import type { LineRow } from '#server/features/payments/matching/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { closeDay, type DayLine, nearMs } from './close-day.ts';
import { insertClosing, listLinesOfDay } from './store.ts';

interface Signature {
  by: string | null;
  at: Date;
  digest: string;
  figures: ClosingFigures;
  reasons: ClosingReasons;
}
interface Asked {
  digest: string;
  reasons: ClosingReasons;
  actorId: number;
}
type AccountDay = z.output<(typeof endpoint)['query']>;

/** Most tickets that are named. */
const ticketsNamed = 50;
/** Most signatures shown of a day. */
const signaturesShown = 20;
/** How far back an opening balance is searched. */
const week = sql`interval '7 days'`;
const near = sql`make_interval(secs => ${nearMs / 1_000})`;

/** The beginning and the end of a day in a country. */
function boundsOf(day: string, country: string): { from: Date; to: Date } {
  const from = Date.parse(`${day}T00:00Z`) - hoursAhead(country) * 3_600_000;
  return { from: new Date(from), to: new Date(from + 86_400_000) };
}

/** The figures of an account's day. Throws PAYMENT_ACCOUNT_NOT_FOUND. */
export async function readClosing(db: Db, { accountId, day }: AccountDay): Promise<Closing> {
  const account = await requireAccount(db, accountId);
  const figures = await readFigures(db, account, boundsOf(day, account.country));
  const digest = createHash('sha256').update(JSON.stringify(figures)).digest('base64url');
  const [last, ...earlier] = await rows<Signature>(
    db,
    sql`select nullif(btrim(u.first_name || ' ' || u.last_name), '') as by, c.signed_at as at, c.digest, c.figures, c.reasons
        from payment_closings c left join users u on u.id = c.signed_by
        where c.account_id = ${accountId} and c.day = ${day} order by c.id desc limit ${signaturesShown}`,
  );
  const shown = ({ by, at, figures }: Signature) => ({ by, at: at.toISOString(), figures });
  return {
    figures,
    isWhole: figures.last !== null && figures.gaps.length === 0,
    digest,
    signed: last ? { ...shown(last), changed: last.digest !== digest, reasons: last.reasons } : null,
    earlier: earlier.map(shown),
  };
}

/** An account's days from the first to the last one named, each with a movement or a signature. Throws PAYMENT_ACCOUNT_NOT_FOUND. */
export async function listClosings(
  db: Db,
  { accountId, from, to }: { accountId: number; from: string; to: string },
): Promise<{ day: string; closing: Closing }[]> {
  const days: { day: string; closing: Closing }[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const closing = await readClosing(db, { accountId, day });
    if (closing.signed || hasMovement(closing.figures)) days.push({ day, closing });
  }
  return days;
}

/** A day's lines in order, without failed ones, and their number. Throws PAYMENT_ACCOUNT_NOT_FOUND. */
export async function listClosingLines(
  db: Db,
  { accountId, day }: AccountDay,
): Promise<{ rows: LineRow[]; count: number }> {
  const { country } = await requireAccount(db, accountId);
  return listLinesOfDay(db, { accountId, ...boundsOf(day, country), limit: linesListed });
}

/**
 * Signs a day with the figures that the person saw, and locks the account's lines meanwhile. Throws PAYMENT_ACCOUNT_NOT_FOUND and
 * CLOSING_CHANGED. Throws INVALID for a day that has not begun, and for a gap or an unfinished day without a reason.
 */
export async function signClosing(
  write: AuditedWrite,
  { accountId, day, digest, reasons, actorId }: AccountDay & Asked,
): Promise<Closing> {
  return write(async (tx, note) => {
    const account = await lockAccount(tx, accountId);
    const { from, to } = boundsOf(day, account.country);
    const { hasBegun, isOver } = await requireRow<{ hasBegun: boolean; isOver: boolean }>(
      tx,
      sql`select ${from}::timestamptz <= now() as "hasBegun", ${to}::timestamptz <= now() as "isOver"`,
    );
    if (!hasBegun) throw new Failure('INVALID', { issues: [{ path: 'day', message: "Ce jour n'a pas commencé." }] });
    const seen = await readClosing(tx, { accountId, day });
    if (seen.digest !== digest) throw new Failure('CLOSING_CHANGED');
    const given = requireReasons(seen.figures, isOver, reasons);
    await insertClosing(tx, { accountId, day, digest, figures: seen.figures, reasons: given, signedBy: actorId });
    note({ target: accountId });
    return readClosing(tx, { accountId, day });
  });
}

/** The reasons that a day requires, and no others. */
function requireReasons({ gaps }: ClosingFigures, isOver: boolean, given: ClosingReasons): ClosingReasons {
  const reasonOf = new Map(given.gaps.map(({ lineId, reason }) => [lineId, reason]));
  const kept = {
    gaps: gaps.map(({ after }) => ({ lineId: after.id, reason: reasonOf.get(after.id) ?? '' })),
    ...(!isOver && { unfinished: given.unfinished ?? '' }),
  };
  const issues = kept.gaps.flatMap(({ lineId, reason }) =>
    reason ? [] : [{ path: `reasons.gaps.${lineId}`, message: 'Dites pourquoi il manque un message.' }],
  );
  if (kept.unfinished === '')
    issues.push({ path: 'reasons.unfinished', message: 'Dites pourquoi vous signez avant la fin de la journée.' });
  if (issues.length > 0) throw new Failure('INVALID', { issues });
  return kept;
}

type Tallies = Omit<ClosingFigures, keyof ReturnType<typeof closeDay>>;

async function readFigures(db: Db, account: AccountRow, bounds: { from: Date; to: Date }): Promise<ClosingFigures> {
  const { from, to } = bounds;
  const ofAccount = sql`l.account_id = ${account.id} and l.state <> 'failed'`;
  const lines = await rows<DayLine>(
    db,
    sql`select l.id, l.paid_at as "paidAt", l.reference, l.direction, l.gross, l.fee::float8 as fee,
          l.balance_after::float8 as "balanceAfter"
        from payment_lines l where ${ofAccount} and l.paid_at < ${to}::timestamptz + ${near}
          and l.paid_at >= coalesce((select max(l.paid_at) from payment_lines l where ${ofAccount}
            and l.balance_after is not null and l.paid_at < ${from} and l.paid_at >= ${from}::timestamptz - ${week}), ${from}) - ${near}`,
  );
  const tally = (which: Sql) =>
    sql`json_build_object('count', count(*) filter (where ${which}), 'sum', coalesce(sum(l.gross) filter (where ${which}), 0))`;
  const { tallies } = await requireRow<{ tallies: Tallies }>(
    db,
    sql`select json_build_object(
          'approved', ${tally(sql`t.status = 'approved'`)}, 'undecided', ${tally(sql`t.status <> 'approved'`)},
          'withoutTicket', ${tally(sql`t.id is null and not l.is_ignored and l.state <> 'reversed'`)},
          'ignored', ${tally(sql`t.id is null and l.is_ignored`)},
          'withoutPayment', (
            select json_build_object('count', count(*), 'sum', coalesce(sum(amount + commission), 0),
              'ticketIds', coalesce(to_json((array_agg(id order by id))[1:${ticketsNamed}::int]), '[]'))
            from (
              select t.id, t.amount, t.commission from ticket_events e join tickets t on t.id = e.ticket_id
                left join users u on u.id = t.user_id
              where e.status = 'approved' and e.created_at >= ${from} and e.created_at < ${to} and t.status = 'approved'
                and coalesce(t.payment_type_id, t.former_payment_type_id) = ${account.paymentTypeId ?? account.formerPaymentTypeId}::int
                and coalesce(u.country_code, t.former_country) = ${account.country}
                and t.amount + t.commission > 0
                and not exists (select from payment_matches m where m.ticket_id = t.id and m.undone_at is null)
                and not exists (select from ticket_events later where later.ticket_id = t.id and later.id > e.id and later.status = 'approved')
            ) unpaid)
        ) as tallies
        from payment_lines l left join payment_matches m on m.line_id = l.id and m.undone_at is null
          left join tickets t on t.id = m.ticket_id
        where ${ofAccount} and l.direction = 'in' and l.paid_at >= ${from} and l.paid_at < ${to}`,
  );
  return { ...closeDay(lines, bounds), ...tallies };
}
