import type pg from 'pg';

/** What the product's jobs write to when they like. */
export const ofJobs = ['changes', 'change_feed', 'tallies', 'tally_changes'];

/** What a refused call may well write to: attempts are counted. */
const ofRefusals = [
  'sessions',
  'otp_flows',
  'otp_codes',
  'reset_tokens',
  'sms_messages',
  'sms_gateways',
  'rate_limits',
  ...ofJobs,
];

/**
 * Prepares one statement over all of the product's tables, but for some. What it answers asks for a text that changes with
 * any other row of them.
 */
export async function watchRows(pool: pg.Pool, mayChange = ofRefusals): Promise<() => Promise<string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
    [mayChange],
  );
  if (tables.length < 8) throw new Error('where are the tables?');
  const parts = tables.map(({ name }) => `select count(*), sum(hashtextextended(t::text, 0)) from ${name} t`);
  const text = `select array[${parts.map((part) => `(select row(a.*)::text from (${part}) a)`)}]::text as rows`;
  return async () => {
    const { rows } = await pool.query<{ rows: string }>({ name: 'digest of rows', text });
    return rows[0]?.rows ?? '';
  };
}
