import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { readStatement, type Statement } from './read-statement.ts';
import { type RefusalReason, StatementRefusal, statementLimits } from './statement-limits.ts';
import type { StatementModel } from './statement-model.ts';

export interface StatementOrder {
  bytes: Uint8Array;
  models: readonly StatementModel[];
}

/** A refusal alone; or the rows in chunks, each after a word that the one before has been taken, then the summary. */
export type StatementMessage =
  | { refusal: RefusalReason }
  | Pick<Statement, 'rows'>
  | { summary: Omit<Statement, 'rows'> };

const port = parentPort as MessagePort;
const post = (message: StatementMessage) => port.postMessage(message);
const { bytes, models } = workerData as StatementOrder;
try {
  const { rows, ...summary } = await readStatement(bytes, models);
  for (let at = 0; at < rows.length; at += statementLimits.rowsPerChunk) {
    post({ rows: rows.slice(at, at + statementLimits.rowsPerChunk) });
    await once(port, 'message');
  }
  post({ summary });
} catch (error) {
  if (!(error instanceof StatementRefusal)) throw error;
  post({ refusal: error.reason });
}
