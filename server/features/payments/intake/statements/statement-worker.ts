import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { readStatement, type Statement, type StatementContext } from './read-statement.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';

export interface StatementOrder {
  bytes: Uint8Array;
  context: StatementContext;
}

/** A refusal; or the rows in chunks, each sent once the previous one is acknowledged, then the summary. */
export type StatementMessage =
  | { refusal: Pick<StatementRefusal, 'reason' | 'message'> }
  | Pick<Statement, 'rows'>
  | { summary: Omit<Statement, 'rows'> };

const port = parentPort as MessagePort;
const post = (message: StatementMessage) => port.postMessage(message);
const { bytes, context } = workerData as StatementOrder;
try {
  const { rows, ...summary } = await readStatement(bytes, context);
  for (let at = 0; at < rows.length; at += statementLimits.rowsPerChunk) {
    post({ rows: rows.slice(at, at + statementLimits.rowsPerChunk) });
    await once(port, 'message');
  }
  post({ summary });
} catch (error) {
  if (!(error instanceof StatementRefusal)) throw error;
  const { reason, message } = error;
  post({ refusal: { reason, message } });
}
