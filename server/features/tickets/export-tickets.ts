import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { exportLimits } from '#server/process/limits.ts';
import type { ExportMessage, ExportOrder } from './export-worker.ts';

export interface ExportOptions {
  /** How to reach the database; `pool.options` will do. */
  config: pg.ClientConfig;
  /** Ends the export's query when nobody wants the file any more. */
  pool: pg.Pool;
  /** A condition over `tickets t left join users u on u.id = t.user_id`, and its parameters from $1 on. */
  filter: { where: string; values: unknown[] };
  /** The IANA name of the time zone whose clock the dates show. */
  timeZone: string;
}

/**
 * The tickets that pass the filter, newest first, as an Excel file, which a thread of its own writes while it is read.
 * Destroying the stream ends the thread and its query before 'close'. Emits an error when the file cannot be written.
 */
export function exportTickets({ config, pool, filter, timeZone }: ExportOptions): Readable {
  const order: ExportOrder = { config: settingsOf(config), statement: statementOf(filter, timeZone) };
  const worker = new Worker(new URL('./export-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: {
      maxYoungGenerationSizeMb: exportLimits.youngMegabytes,
      maxOldGenerationSizeMb: exportLimits.oldMegabytes,
    },
  });
  const received: Uint8Array[] = [];
  let isWanted = false;
  let isDone = false;
  /** Set as long as a process of PostgreSQL works for us. */
  let pid: number | undefined;

  const readable = new Readable({
    read() {
      isWanted = true;
      give();
    },
    destroy(error, callback) {
      void stop().then(() => callback(error));
    },
  });
  const give = () => {
    if (readable.destroyed) return;
    for (let chunk = received[0]; isWanted && chunk; chunk = received[0]) {
      received.shift();
      worker.postMessage(1);
      isWanted = readable.push(chunk);
    }
    if (isDone && received.length === 0) readable.push(null);
  };
  const stop = async () => {
    await worker.terminate();
    // PostgreSQL would finish a query whose asker is gone. Once this fails, its time limit ends it.
    if (pid !== undefined)
      await pool.query('select pg_terminate_backend($1, $2)', [pid, exportLimits.endMs]).catch(() => {});
  };

  worker
    .on('message', (message: ExportMessage) => {
      if ('pid' in message) {
        pid = message.pid;
        worker.postMessage(1 + exportLimits.piecesAhead);
      } else if ('chunk' in message) {
        received.push(message.chunk);
        give();
      } else {
        pid = undefined;
        if ('error' in message) readable.destroy(new Error(message.error));
        isDone = true;
        give();
      }
    })
    .on('error', (error) => readable.destroy(error as Error))
    .on('exit', () => isDone || readable.destroy(new Error('the thread that writes the file ended before it')));
  return readable;
}

/** What a thread can be handed of the settings, passwords included, which a pool hides from whoever copies it whole. */
function settingsOf({ connectionString, host, port, user, password, database, ssl }: pg.ClientConfig): pg.ClientConfig {
  return { connectionString, host, port, user, password, database, ssl };
}

/** The query of one page. PostgreSQL reads the zone's clock: JavaScript's dates know two zones, UTC and the process's. */
function statementOf({ where, values }: ExportOptions['filter'], timeZone: string): ExportOrder['statement'] {
  const [zone, createdAt, id, limit] = [1, 2, 3, 4].map((each) => `$${values.length + each}`);
  const clock = (column: string) => `extract(epoch from t.${column} at time zone ${zone}::text)::float8`;
  const text = `
    select t.id, btrim(u.first_name || ' ' || u.last_name), u.email, u.phone,
           case when t.service_id is not null then t.service_path->-1->>'name' end,
           t.status, t.number_of_beneficiaries, t.total_price::bigint, t.beneficiary_phone_number, t.payment_type_name,
           ${clock('created_at')}, ${clock('updated_at')}, t.created_at::text
    from tickets t left join users u on u.id = t.user_id
    where (${where}) and (t.created_at, t.id) < (${createdAt}::timestamptz, ${id}::int)
    order by t.created_at desc, t.id desc
    limit ${limit}::int`;
  return { text, values: [...values, timeZone] };
}
