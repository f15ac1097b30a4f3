import { parentPort, workerData } from 'node:worker_threads';
import { readStatement, type StatementSummary } from './read-statement.ts';
import { statementLimits } from './statement-limits.ts';
import type { StatementModel } from './statement-model.ts';
import { type RefusalReason, StatementRefusal } from './statement-refusal.ts';

export interface StatementOrder {
  bytes: Uint8Array;
  models: readonly StatementModel[];
}

/** In this order: a refusal alone, or the summary, the rows in chunks of JSON, and the end. */
export type StatementMessage =
  | { refusal: RefusalReason }
  | { summary: StatementSummary }
  | { rows: string }
  | { done: true };

const post = (message: StatementMessage) => parentPort?.postMessage(message);
const { bytes, models } = workerData as StatementOrder;
try {
  const { rows, ...summary } = await readStatement(bytes, models);
  post({ summary });
  for (let at = 0; at < rows.length; at += statementLimits.rowsPerChunk)
    post({ rows: JSON.stringify(rows.slice(at, at + statementLimits.rowsPerChunk)) });
  post({ done: true });
} catch (error) {
  if (!(error instanceof StatementRefusal)) throw error;
  post({ refusal: error.reason });
}
