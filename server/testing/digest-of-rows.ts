import type pg from 'pg';
import { expect, vi } from 'vitest';

/**
 * What a refused call may well write to: attempts are counted, refusals recorded, and that announced. And what a job writes
 * whenever it likes, without changing any sum.
 */
const mayChange = [
  'sessions',
  'otp_flows',
  'otp_codes',
  'reset_tokens',
  'sms_messages',
  'rate_limits',
  'audit_log',
  'changes',
  'tallies',
  'tally_changes',
];

/** One text that changes with any other row of the product's tables, once what the calls before have sent is noted. */
export async function digestOfRows(pool: pg.Pool): Promise<string> {
  await vi.waitFor(
    async () => expect((await pool.query("select id from sms_messages where status = 'queued'")).rows).toEqual([]),
    { timeout: 10_000, interval: 10 },
  );
  const { rows: tables } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
    [mayChange],
  );
  if (tables.length < 8) throw new Error('where are the tables?');
  const parts = tables.map(({ name }) => `select string_agg(t::text, ' ' order by t::text) from ${name} t`);
  const { rows } = await pool.query<{ all: string }>(`select md5(concat_ws('|', (${parts.join('), (')}))) as all`);
  return rows[0]?.all ?? '';
}
