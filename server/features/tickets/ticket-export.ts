import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { usableTimeZone } from '#server/database/time-zone.ts';
import { exportLimits } from '#server/process/limits.ts';
import type { ExportOrder } from './export-worker.ts';
import { conditionTextOf } from './store.ts';
import { findSources, type TicketSearch } from './ticket-search.ts';

export interface ExportOptions {
  /** How to reach the database; `pool.options` will do. */
  config: pg.ClientConfig;
  /** Ends the export's query when the download was given up. */
  pool: pg.Pool;
  /** A condition over `tickets t left join users u on u.id = t.user_id`, and its parameters from $1 on. */
  filter: { where: string; values: unknown[] };
  /** The IANA name of the time zone whose clock the dates show. */
  timeZone: string;
}

/** The filtered tickets, newest first, as an Excel file that a thread writes; destroying the stream ends both. */
export function exportTickets({ config, pool, filter, timeZone }: ExportOptions): Readable {
  const { readable, writable } = new TransformStream<Uint8Array>({}, { highWaterMark: exportLimits.piecesAhead });
  const name = `guichet-export ${randomUUID()}`;
  const order: ExportOrder = {
    config: { ...settingsOf(config), application_name: name },
    statement: statementOf(filter, timeZone),
    file: writable,
  };
  const worker = new Worker(new URL('./export-worker.ts', import.meta.url), {
    workerData: order,
    transferList: [writable],
    resourceLimits: {
      maxYoungGenerationSizeMb: exportLimits.youngMegabytes,
      maxOldGenerationSizeMb: exportLimits.oldMegabytes,
    },
  });
  const pieces = readable.getReader();
  let isDone = false;
  const stop = async () => {
    await worker.terminate();
    // PostgreSQL would finish a query whose asker is gone. Once this fails, its time limit ends it.
    const left = 'select pg_terminate_backend(pid, $2) from pg_stat_activity where application_name = $1';
    if (!isDone) await pool.query(left, [name, exportLimits.endMs]).catch(() => {});
  };
  const file = new Readable({
    highWaterMark: 0,
    read() {
      pieces.read().then(
        ({ done, value = null }) => {
          isDone = done;
          file.push(value);
        },
        (error: Error) => file.destroy(error),
      );
    },
    destroy(error, callback) {
      void stop().then(() => callback(error));
    },
  });
  worker
    .on('error', (error) => file.destroy(error as Error))
    .on('exit', (code) => code && file.destroy(new Error('the thread that writes the file ended before it')));
  return file;
}

/** The settings in a form that a thread can receive, with the password, which a pool does not enumerate. */
function settingsOf({ connectionString, host, port, user, password, database, ssl }: pg.ClientConfig): pg.ClientConfig {
  return { connectionString, host, port, user, password, database, ssl };
}

/** The query of one page. PostgreSQL reads the zone's clock: JavaScript's dates know two zones, UTC and the process's. */
function statementOf({ where, values }: ExportOptions['filter'], timeZone: string): ExportOrder['statement'] {
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

/** Makes the exports of one process, two at a time, each with its own thread and connection. */
export function ticketExporter({ db, pool }: { db: Db; pool: pg.Pool }) {
  let underWay = 0;
  /** The file of the tickets that match, and how many they are. Throws EXPORT_BUSY, NOTHING_TO_EXPORT. */
  return async (search: TicketSearch, named: string | undefined): Promise<{ file: Readable; rows: number }> => {
    if (underWay >= exportLimits.atOnce)
      throw new Failure('EXPORT_BUSY', { retryAfter: exportLimits.retryAfterSeconds });
    underWay += 1;
    const done = () => {
      underWay -= 1;
    };
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
      return { file: exportTickets({ config: pool.options, pool, filter, timeZone }).once('close', done), rows: count };
    } catch (error) {
      done();
      throw error;
    }
  };
}
