import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { SeekingClient } from '#server/database/seeking-client.ts';
import { limitTime } from '#server/database/timeouts.ts';
import { databaseLimits, exportLimits } from '#server/process/limits.ts';
import { type ExportRow, ticketCells, writeWorkbook } from './export-cells.ts';

/** What the worker is told at its start. */
export interface ExportOrder {
  config: pg.ClientConfig;
  /**
   * The query of one page, newest first, that answers `ExportRow`s. After `values` come three more parameters: the
   * created_at and id that the rows are older than, and how many rows to answer at most.
   */
  statement: { text: string; values: unknown[] };
}

/**
 * What the worker says: first which process of PostgreSQL serves it, then the file piece by piece, at last the number of
 * its tickets. The worker is only told numbers: how many more steps it may take. To begin is one, and so is each piece.
 */
export type ExportMessage = { pid: number } | { chunk: Uint8Array } | { done: number } | { error: string };

/** A place before the newest ticket. */
const start = ['infinity', 0] as const;

/** Asks page by page, so that no statement is long and no snapshot stays open while somebody's connection is slow. */
async function* readRows(client: pg.Client, { text, values }: ExportOrder['statement']): AsyncGenerator<ExportRow> {
  let [createdAt, id]: readonly [string, number] = start;
  for (;;) {
    const page = [...values, createdAt, id, exportLimits.rowsPerPage];
    const { rows } = await client.query<ExportRow>({ text, values: page, rowMode: 'array' });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < exportLimits.rowsPerPage) return;
    createdAt = last[12];
    id = last[0];
  }
}

/** Puts the pieces of a stream together into pieces of one length, but for the last. */
async function* repack(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunk = new Uint8Array(exportLimits.pieceBytes);
  let filled = 0;
  for await (const bytes of stream) {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + exportLimits.pieceBytes - filled);
      chunk.set(part, filled);
      taken += part.length;
      filled += part.length;
      if (filled < exportLimits.pieceBytes) continue;
      yield chunk;
      // The one before now belongs to the other thread.
      chunk = new Uint8Array(exportLimits.pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.slice(0, filled);
}

/** Answers what waits for leave to take one more step. */
function permits(port: MessagePort): () => Promise<void> {
  let left = 0;
  let wake = () => {};
  port.on('message', (more: number) => {
    left += more;
    wake();
  });
  return async () => {
    while (left === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    left -= 1;
  };
}

async function run(port: MessagePort, { config, statement }: ExportOrder): Promise<void> {
  const say = (message: ExportMessage, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);
  const permit = permits(port);
  const client = new SeekingClient({
    ...config,
    application_name: 'guichet-export',
    connectionTimeoutMillis: databaseLimits.connectMs,
  });
  // A connection that breaks between two queries fails the next one; unheard, it would end the thread without a word.
  client.on('error', () => {});
  let count = 0;
  async function* cells() {
    for await (const row of readRows(client, statement)) {
      count += 1;
      yield ticketCells(row);
    }
  }
  try {
    await client.connect();
    await limitTime(client);
    say({ pid: processIdOf(client) });
    // The other thread knows by now whom to stop: not before it may a query run.
    await permit();
    for await (const chunk of repack(writeWorkbook(cells()))) {
      await permit();
      say({ chunk }, [chunk.buffer]);
    }
    await client.end();
    say({ done: count });
  } catch (error) {
    say({ error: error instanceof Error ? error.message : String(error) });
    await client.end().catch(() => {});
  } finally {
    port.unref();
  }
}

/** node-postgres has it, and @types/pg does not. */
const processIdOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;

if (parentPort) await run(parentPort, workerData as ExportOrder);
