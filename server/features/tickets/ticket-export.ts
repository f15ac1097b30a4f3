import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { usableTimeZone } from '#server/database/time-zone.ts';
import { type ExportRow, ticketCells, writeWorkbook } from './export-cells.ts';
import { conditionTextOf } from './store.ts';
import { findSources, type TicketSearch } from './ticket-search.ts';

/** Limits of exports, which are generated while they are downloaded. */
export const exportLimits = {
  retryAfterSeconds: 30,
  /** Rows of a page: well within an SQL statement's time, and few enough not to delay others. */
  rowsPerPage: 1_000,
  /** Rows between two turns of the event loop; at 100,000 rows other calls wait 22 ms at the 99th percentile. */
  rowsPerTurn: 50,
} as const;

export interface ExportOptions {
  pool: Pick<pg.Pool, 'query'>;
  /** A condition over `tickets t left join users u on u.id = t.user_id`, and its parameters from $1 on. */
  filter: { where: string; values: unknown[] };
  /** The IANA name of the dates' time zone. */
  timeZone: string;
}

/** Streams the filtered tickets, newest first, as an Excel file. Destroying the stream ends the export. */
export function exportTickets(options: ExportOptions): Readable {
  return Readable.fromWeb(writeWorkbook(cellsOf(options)) as ReadableStream<Uint8Array>);
}

/**
 * Reads page by page, so that no SQL statement is long and no snapshot stays open during a slow download. It yields every few rows, since
 * 100,000 rows keep the processor busy for seconds.
 */
async function* cellsOf({ pool, filter, timeZone }: ExportOptions) {
  const { text, values } = statementOf(filter, timeZone);
  // A position before the newest ticket.
  let last = { position: 'infinity', id: 0 };
  for (let isFull = true; isFull; ) {
    const { rows } = await pool.query<ExportRow>(text, [...values, last.position, last.id, exportLimits.rowsPerPage]);
    for (const [index, row] of rows.entries()) {
      if (index % exportLimits.rowsPerTurn === 0) await setImmediate();
      yield ticketCells(row);
    }
    last = rows.at(-1) ?? last;
    isFull = rows.length === exportLimits.rowsPerPage;
  }
}

/** The query of one page. PostgreSQL converts times to the zone: JavaScript dates know only UTC and the process's zone. */
function statementOf({ where, values }: ExportOptions['filter'], timeZone: string) {
  const [zone, createdAt, id, limit] = [1, 2, 3, 4].map((each) => `$${values.length + each}`);
  const clock = (column: string) => `extract(epoch from t.${column} at time zone ${zone}::text)::float8`;
  const text = `
    select t.id, btrim(u.first_name || ' ' || u.last_name) as "userName", u.email, u.phone as "userPhone",
           case when t.service_id is not null then t.service_path->-1->>'name' end as "serviceName",
           t.status, t.number_of_beneficiaries as beneficiaries, t.total_price::bigint as "totalPrice",
           t.beneficiary_phone_number as "beneficiaryPhone", t.payment_type_name as "paymentTypeName",
           ${clock('created_at')} as "createdAt", ${clock('updated_at')} as "updatedAt", t.created_at::text as position
    from tickets t left join users u on u.id = t.user_id
    where (${where}) and (t.created_at, t.id) < (${createdAt}::timestamptz, ${id}::int)
    order by t.created_at desc, t.id desc
    limit ${limit}::int`;
  return { text, values: [...values, timeZone] };
}

/** Allows one export at a time. The answered function ends it. Throws EXPORT_BUSY. */
export function exportTurns(): () => () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) throw new Failure('EXPORT_BUSY', { retryAfter: exportLimits.retryAfterSeconds });
    isUnderWay = true;
    return () => {
      isUnderWay = false;
    };
  };
}

/** Makes one process's exports, one at a time. */
export function ticketExporter({ db, pool }: { db: Db; pool: pg.Pool }) {
  const begin = exportTurns();
  /** The file of the matching tickets, and their number. Throws EXPORT_BUSY, NOTHING_TO_EXPORT. */
  return async (search: TicketSearch, named: string | undefined): Promise<{ file: Readable; rows: number }> => {
    const done = begin();
    try {
      const { search: words, ...filters } = search;
      const filter = conditionTextOf(await findSources(db, words, filters), filters);
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from tickets t where ${filter.where}`,
        filter.values,
      );
      const count = rows[0]?.count ?? 0;
      if (count === 0) throw new Failure('NOTHING_TO_EXPORT');
      const timeZone = await usableTimeZone(db, named);
      return { file: exportTickets({ pool, filter, timeZone }).once('close', done), rows: count };
    } catch (error) {
      done();
      throw error;
    }
  };
}
