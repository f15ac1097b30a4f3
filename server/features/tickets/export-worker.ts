import { ReadableStream, type WritableStream } from 'node:stream/web';
import { workerData } from 'node:worker_threads';
import type pg from 'pg';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { limitTime } from '#server/database/timeouts.ts';
import { databaseLimits, exportLimits } from '#server/process/limits.ts';
import { type ExportRow, ticketCells, writeWorkbook } from './export-cells.ts';

export interface ExportOrder {
  config: pg.ClientConfig;
  /** The query of one page. After `values` come the created_at and id that rows are older than, and the limit. */
  statement: { text: string; values: unknown[] };
  /** Where the file goes, no faster than it is read at the other end; an error goes there too. */
  file: WritableStream<Uint8Array>;
}

/** Reads page by page, so that no statement is long and no snapshot stays open while the file is taken slowly. */
async function* readRows({ config, statement: { text, values } }: ExportOrder): AsyncGenerator<ExportRow> {
  const client = new PrimaryOnlyClient({ ...config, connectionTimeoutMillis: databaseLimits.connectMs });
  try {
    await client.connect();
    await limitTime(client);
    // A place before the newest ticket.
    let last = { position: 'infinity', id: 0 };
    for (;;) {
      const page = [...values, last.position, last.id, exportLimits.rowsPerPage];
      const { rows } = await client.query<ExportRow>(text, page);
      yield* rows;
      last = rows.at(-1) ?? last;
      if (rows.length < exportLimits.rowsPerPage) return;
    }
  } finally {
    await client.end().catch(() => {});
  }
}

async function* cellsOf(rows: AsyncIterable<ExportRow>) {
  for await (const row of rows) yield ticketCells(row);
}

/** Puts the pieces of a stream together into pieces of one length, but for the last: each costs both threads a turn. */
async function* repack(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
      chunk = new Uint8Array(exportLimits.pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

const order = workerData as ExportOrder;
// What fails is an error of the stream, which the other thread reads.
await ReadableStream.from(repack(writeWorkbook(cellsOf(readRows(order)))))
  .pipeTo(order.file)
  .catch(() => {});
