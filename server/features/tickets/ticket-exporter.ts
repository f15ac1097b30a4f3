import type { Readable } from 'node:stream';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { exportLimits } from '#server/process/limits.ts';
import { exportFilterOf } from './export-filter.ts';
import { exportTickets } from './export-tickets.ts';
import type { TicketSearch } from './search-tickets.ts';

/**
 * Makes the exports of one process, two at a time: each has a thread and a connection of its own until its reader is done.
 */
export function ticketExporter({ db, pool }: { db: Db; pool: pg.Pool }) {
  let underWay = 0;
  /** The file of the tickets that match, and how many they are. Throws EXPORT_BUSY, NOTHING_TO_EXPORT. */
  return async (search: TicketSearch, timeZone: string): Promise<{ file: Readable; rows: number }> => {
    if (underWay >= exportLimits.atOnce)
      throw new Failure('EXPORT_BUSY', { retryAfter: exportLimits.retryAfterSeconds });
    underWay += 1;
    const done = () => {
      underWay -= 1;
    };
    try {
      const filter = await exportFilterOf(db, search);
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from tickets t where ${filter.where}`,
        filter.values,
      );
      const count = rows[0]?.count ?? 0;
      if (count === 0) throw new Failure('NOTHING_TO_EXPORT');
      return { file: exportTickets({ config: pool.options, pool, filter, timeZone }).once('close', done), rows: count };
    } catch (error) {
      done();
      throw error;
    }
  };
}
