import type { Db } from '#server/database/connect.ts';
import { float, int, nullable } from '#server/database/row-kinds.ts';
import { none, type Query, statement } from '#server/database/statement.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { signInLimits } from '#server/process/limits.ts';

/** What the failed sign-ins of an account are counted under. */
export function accountKey(user: Pick<UserRow, 'id'>): string {
  return `user:${user.id}`;
}

interface Source {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in to this account before. */
  device: string | undefined;
}

/** A counter, and which tries it counts: the ones after `above` and up to `upTo`, as numbered by the first counter of its list. */
export interface AttemptCounter {
  account: string;
  source: string;
  /** How often may be tried: so many times at once, then ever more slowly, in seconds. */
  pace: { free: number; firstSeconds: number; mostSeconds: number; forgetSeconds: number };
  above: number;
  upTo: number;
}

/** The key of an address over all accounts, and of an account over all browsers that it does not know. */
const any = 'any';
const everyTry = { above: 0, upTo: 2_147_483_647 };

/**
 * What a try at an account counts under, the source's own first. A known browser has its own allowance, so that strangers
 * never delay the owner. Other sources' first tries count apart: a newcomer does not queue behind long-time guessers.
 */
function countersOf(account: string, { address, device }: Source): AttemptCounter[] {
  const { browser, address: ofAddress, newcomers, account: ofAccount, triesAsNewcomer } = signInLimits;
  if (device) return [{ ...everyTry, account, source: `device:${device}`, pace: browser }];
  const fromHere = `address:${address}`;
  return [
    { ...everyTry, account, source: fromHere, pace: browser },
    { ...everyTry, account: any, source: fromHere, pace: ofAddress },
    { ...everyTry, account, source: 'new', pace: newcomers, upTo: triesAsNewcomer },
    { ...everyTry, account, source: any, pace: ofAccount, above: triesAsNewcomer },
  ];
}

// The clock and not the transaction's start: who waited here for another one's try comes after it.
const pause = `case when p.failures < p.free then '-infinity'::timestamptz
  else clock_timestamp() + make_interval(secs => least(p.most, p.first * power(2, least(p.failures - p.free, 20)))) end`;
const take = (asked: string) => `
    insert into sign_in_attempts as a (account, source, failures, next_at, forget_at)
    select asked.account, asked.source, 1, '-infinity', clock_timestamp() + make_interval(secs => forget) from ${asked}
    order by place
    on conflict (account, source) do update set
      failures = case when a.forget_at <= clock_timestamp() then 1 else a.failures + 1 end,
      next_at = (
        select ${pause} from (
          select free, first, most,
                 case when a.forget_at <= clock_timestamp() then 1 else a.failures + 1 end as failures
          from asked where (asked.account, asked.source) = (a.account, a.source)) p),
      forget_at = excluded.forget_at
    where a.next_at <= clock_timestamp() or a.forget_at <= clock_timestamp()
    returning failures`;
// The first counter's new value decides which other counters count a try, so that a burst is not all "the first".
const taking = statement({ nth: nullable(int), taken: int, wait: nullable(float) })<[asked: string]>(`
  with asked as (
    select * from jsonb_to_recordset($1::jsonb) as asked (account text, source text, free int, first float8, most float8,
      forget float8, above int, up_to int, place int)),
  known as (select * from sign_in_attempts join asked using (account, source) where forget_at > clock_timestamp()),
  next as (select coalesce((select failures from known where place = 1), 0) + 1 as nth),
  paused as (
    select next_at from known, next where next_at > clock_timestamp() and nth > above and nth <= up_to),
  first as (${take('asked where place = 1 and not exists (select from paused)')}),
  others as (${take('asked, first where place > 1 and first.failures > above and first.failures <= up_to')})
  select (select failures from first) as nth, (select count(*)::int from others) + 1 as taken,
         (select max(extract(epoch from next_at - clock_timestamp()))::float8 from paused) as wait`);

/**
 * Counts a try before it is made: answers its counters, or the seconds until there is one. One statement locks in their
 * order, so two never deadlock. In a burst some counters may count a refused try, which errs on the side of waiting.
 */
export async function beginAttempt(
  db: Db,
  account: string,
  source: Source,
): Promise<{ counted: readonly AttemptCounter[] } | { wait: number }> {
  const counters = countersOf(account, source);
  const asked = counters.map(({ pace, upTo, ...counter }, place) => ({
    ...counter,
    free: pace.free,
    first: pace.firstSeconds,
    most: pace.mostSeconds,
    forget: pace.forgetSeconds,
    up_to: upTo,
    place: place + 1,
  }));
  const [[row]] = await db.ask(taking(JSON.stringify(asked)));
  const nth = row?.nth ?? 0;
  const counted = counters.filter(({ above, upTo }) => nth > above && nth <= upTo);
  return nth > 0 && row?.taken === counted.length ? { counted } : { wait: Math.max(row?.wait ?? 1, 0.001) };
}

/** Gives back a try that was no failure; a source with tries left waits no longer. */
const givingBack = statement(none)<[account: string, source: string, free: number]>(`
  update sign_in_attempts set
    failures = greatest(failures - 1, 0),
    next_at = case when failures - 1 < $3::int then '-infinity' else next_at end
  where account = $1 and source = $2`);
const forgetting = statement(none)<[account: string, source: string]>(
  'delete from sign_in_attempts where account = $1 and source = $2',
);

/** The try was the owner's: from here nothing is held against it, and the others' failures stay counted. */
export function recordSuccess([own, ...shared]: readonly AttemptCounter[]): Query<never>[] {
  const given = shared.map(({ account, source, pace }) => givingBack(account, source, pace.free));
  return own ? [forgetting(own.account, own.source), ...given] : given;
}
