import type { Db } from '#server/database/connect.ts';
import { type Query, statement } from '#server/database/statement.ts';

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

/** A counter, and which tries it counts: the ones after `above` and up to `upTo`, as numbered by the first counter of its list. */
export type AttemptCounter = AttemptKey & { pace: Pace; above?: number; upTo?: number };

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
const taking = statement<{ nth: number | null; taken: number; wait: number | null }>(`
  with asked as (
    select * from unnest($1::text[], $2::text[], $3::int[], $4::float8[], $5::float8[], $6::float8[], $7::int[], $8::int[])
      with ordinality as asked (account, source, free, first, most, forget, above, up_to, place)),
  known as (select * from sign_in_attempts join asked using (account, source) where forget_at > clock_timestamp()),
  next as (select coalesce((select failures from known where place = 1), 0) + 1 as nth),
  paused as (
    select next_at from known, next where next_at > clock_timestamp() and nth > above and nth <= up_to),
  first as (${take('asked where place = 1 and not exists (select from paused)')}),
  others as (${take('asked, first where place > 1 and first.failures > above and first.failures <= up_to')})
  select (select failures from first) as nth, (select count(*)::int from others) + 1 as taken,
         (select max(extract(epoch from next_at - clock_timestamp()))::float8 from paused) as wait`);

/** The counters that counted a try, or the seconds until there is one. */
export type Taken = { counted: readonly AttemptCounter[] } | { wait: number };

const everyTry = 2_147_483_647;

/**
 * Takes a try under the first of these counters and under the others that count it, or takes none. It is one statement that
 * locks in their order, so that two of them never deadlock. In a burst some counters may count a try that others refused,
 * which errs on the side of waiting.
 */
export async function takeAttempts(db: Db, counters: readonly AttemptCounter[]): Promise<Taken> {
  const asked = counters.map(({ above = 0, upTo = everyTry, ...counter }) => ({ ...counter, above, upTo }));
  const [[row]] = await db.ask(
    taking(
      asked.map(({ account }) => account),
      asked.map(({ source }) => source),
      asked.map(({ pace }) => pace.free),
      asked.map(({ pace }) => pace.firstSeconds),
      asked.map(({ pace }) => pace.mostSeconds),
      asked.map(({ pace }) => pace.forgetSeconds),
      asked.map(({ above }) => above),
      asked.map(({ upTo }) => upTo),
    ),
  );
  const nth = row?.nth ?? 0;
  const counted = asked.filter(({ above, upTo }) => nth > above && nth <= upTo);
  return nth > 0 && row?.taken === counted.length ? { counted } : { wait: Math.max(row?.wait ?? 1, 0.001) };
}

const givingBack = statement(`
  update sign_in_attempts set
    failures = greatest(failures - 1, 0),
    next_at = case when failures - 1 < $3::int then '-infinity' else next_at end
  where account = $1 and source = $2`);

/** Gives back a try that was no failure; a source with tries left waits no longer. */
export function giveAttemptBack({ account, source, pace }: AttemptCounter): Query<never> {
  return givingBack(account, source, pace.free);
}

const forgetting = statement('delete from sign_in_attempts where account = $1 and source = $2');

/** Forgets the failures of an account from one source. */
export function forgetAttemptsFrom({ account, source }: AttemptKey): Query<never> {
  return forgetting(account, source);
}
