import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import * as z from 'zod';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })).min(1) });

/**
 * Whether the tables are those of this version: `behind` where migrations are still to run, `ahead` where a newer version has
 * run some that are not known here.
 */
export async function readMigrationState(pool: pg.Pool): Promise<'current' | 'behind' | 'ahead'> {
  const file = path.join(import.meta.dirname, 'migrations/meta/_journal.json');
  const known = journal.parse(JSON.parse(readFileSync(file, 'utf8'))).entries.map(({ when }) => when);
  const { rows } = await pool.query<{ done: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as done",
  );
  if (!rows[0]?.done) return 'behind';
  // Drizzle writes the time of a migration's making, not of its running.
  const { rows: run } = await pool.query<{ when: number }>(
    'select created_at::float8 as when from drizzle.__drizzle_migrations',
  );
  if (run.some(({ when }) => !known.includes(when))) return 'ahead';
  return known.every((when) => run.some((each) => each.when === when)) ? 'current' : 'behind';
}
