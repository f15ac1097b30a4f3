import type { Db } from '#server/database/connect.ts';
import { type Call, statement } from '#server/database/statement.ts';

/** How often may be tried: so many times at once, then ever more slowly, in seconds. */
export interface Pace {
  free: number;
  firstSeconds: number;
  mostSeconds: number;
  forgetSeconds: number;
}

export interface AttemptKey {
  account: string;
  source: string;
}

export type AttemptCounter = AttemptKey & { pace: Pace };

// The clock and not the transaction's start: who waited here for another one's try comes after it.
const pause = `case when p.failures < p.free then '-infinity'::timestamptz
  else clock_timestamp() + make_interval(secs => least(p.most, p.first * power(2, least(p.failures - p.free, 20)))) end`;
const taking = statement<{ taken: number; wait: number | null }>(`
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::int[], $4::float8[], $5::float8[], $6::float8[])
      as asked (account, source, free, first, most, forget)),
  paused as (
    select next_at from sign_in_attempts join asked using (account, source)
    where next_at > clock_timestamp() and forget_at > clock_timestamp()),
  taken as (
    insert into sign_in_attempts as a (account, source, failures, next_at, forget_at)
    select account, source, 1, '-infinity', clock_timestamp() + make_interval(secs => forget) from asked
    where not exists (select from paused)
    on conflict (account, source) do update set
      failures = case when a.forget_at <= clock_timestamp() then 1 else a.failures + 1 end,
      next_at = (
        select ${pause} from (
          select free, first, most,
                 case when a.forget_at <= clock_timestamp() then 1 else a.failures + 1 end as failures
          from asked where (asked.account, asked.source) = (a.account, a.source)) p),
      forget_at = excluded.forget_at
    where a.next_at <= clock_timestamp() or a.forget_at <= clock_timestamp()
    returning account, source)
  select (select count(*)::int from taken) as taken,
         (select max(extract(epoch from next_at - clock_timestamp()))::float8 from paused) as wait`);

/**
 * Takes a try under each of these keys, in one statement, and answers 0; or takes none and answers the seconds until there is
 * one. Of a burst some keys may count a try that others had no more: that errs on the side of waiting.
 */
export async function takeAttempts(db: Db, counters: readonly AttemptCounter[]): Promise<number> {
  // Always in this order, so that two of them never wait for each other.
  const ordered = counters.toSorted((a, b) => compare(a.account, b.account) || compare(a.source, b.source));
  const [[row]] = await db.ask(
    taking(
      ordered.map(({ account }) => account),
      ordered.map(({ source }) => source),
      ordered.map(({ pace }) => pace.free),
      ordered.map(({ pace }) => pace.firstSeconds),
      ordered.map(({ pace }) => pace.mostSeconds),
      ordered.map(({ pace }) => pace.forgetSeconds),
    ),
  );
  return row?.taken === counters.length ? 0 : Math.max(row?.wait ?? 1, 0.001);
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const givingBack = statement(`
  update sign_in_attempts set
    failures = greatest(failures - 1, 0),
    next_at = case when failures - 1 < $3::int then '-infinity' else next_at end
  where account = $1 and source = $2`);

/** Gives a try back that was no failure; whoever has tries left waits no longer. */
export function giveAttemptBack({ account, source, pace }: AttemptCounter): Call<never> {
  return givingBack(account, source, pace.free);
}

const forgetting = statement('delete from sign_in_attempts where account = $1 and source = $2');

/** Forgets the failures of an account from one source. */
export function forgetAttemptsFrom({ account, source }: AttemptKey): Call<never> {
  return forgetting(account, source);
}
