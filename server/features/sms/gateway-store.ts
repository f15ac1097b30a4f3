import type { Db } from '#server/database/connect.ts';
import { type Call, statement } from '#server/database/statement.ts';

export interface GatewayState {
  name: string;
  /** Null for one that is no longer set. */
  position: number | null;
  failuresInARow: number;
  failure: string | null;
}

const saved = statement(`
  with gone as (
    update sms_gateways set position = null where position is not null and name <> all($1::text[])
  ), given as (
    select * from unnest($1::text[], $2::text[]) with ordinality as given (name, dial_codes, place)
  )
  insert into sms_gateways (name, dial_codes, position)
  select name, dial_codes, place::int - 1 from given order by name
  on conflict (name) do update set dial_codes = excluded.dial_codes, position = excluded.position
  where (sms_gateways.dial_codes, sms_gateways.position) is distinct from (excluded.dial_codes, excluded.position)`);

const locked = statement<GatewayState>(`
  select name, position, failures_in_a_row as "failuresInARow", failure
  from sms_gateways order by name for update`);

/** Every gateway there ever was, as nobody changes it until the transaction ends. */
export function lockGateways(): Call<GatewayState> {
  return locked();
}

/** Writes down which gateways are set, in the order of their places; all others lose theirs. */
export async function saveGateways(db: Db, gateways: readonly { name: string; dialCodes: string[] }[]): Promise<void> {
  const save = saved(
    gateways.map(({ name }) => name),
    gateways.map(({ dialCodes }) => dialCodes.join(',')),
  );
  // Rows are locked in one order by all who lock several, so that processes that start together do not wait for each other.
  await db.transaction(async (tx) => void (await tx.ask(locked(), save)));
}

const balance = statement(`update sms_gateways set balance = $2, balance_at = now() where name = $1`);

/** Writes down how many messages are still paid for. */
export async function saveBalance(db: Db, name: string, units: number): Promise<void> {
  await db.ask(balance(name, units));
}

const checkSoon = statement(
  `select graphile_worker.add_job('check_sms_balance', max_attempts => 1, job_key => 'check_sms_balance')`,
);

/** Has the balances looked at as soon as a worker is free, once for several processes that ask for it. */
export async function queueBalanceCheck(db: Db): Promise<void> {
  await db.ask(checkSoon());
}
