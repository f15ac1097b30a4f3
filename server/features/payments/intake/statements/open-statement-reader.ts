import { Worker } from 'node:worker_threads';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import type { Statement, StatementContext } from './read-statement.ts';
import { type RefusalReason, type StatementLimits, StatementRefusal, statementLimits } from './statement-limits.ts';
import type { StatementMessage, StatementOrder } from './statement-worker.ts';

export type StatementReader = (bytes: Uint8Array, context: StatementContext) => Promise<Statement>;

/**
 * Opens the reader of statement files: one file at a time, in a thread with limits of memory and time. It throws StatementRefusal for a
 * refused file, and IMPORT_BUSY if another file already waits.
 */
export function openStatementReader(limits: StatementLimits = statementLimits): StatementReader {
  const { waiting, retryAfterSeconds } = limits;
  const inTurn = concurrencyLimit({ atOnce: 1, waiting, retryAfterSeconds, code: 'IMPORT_BUSY' });
  return async (bytes, context) => {
    if (bytes.length > limits.fileBytes) throw new StatementRefusal('too-large');
    return inTurn(() => readInThread({ bytes, context }, limits));
  };
}

async function readInThread(workerData: StatementOrder, limits: StatementLimits): Promise<Statement> {
  const worker = new Worker(new URL('./statement-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: {
      maxYoungGenerationSizeMb: limits.youngMegabytes,
      maxOldGenerationSizeMb: limits.oldMegabytes,
    },
  });
  let fate: RefusalReason = 'crashed';
  const [began, rss] = [performance.now(), process.memoryUsage.rss()];
  const watch = setInterval(() => {
    if (performance.now() - began > limits.readMs) fate = 'too-slow';
    else if (process.memoryUsage.rss() - rss > limits.grownBytes) fate = 'too-large';
    else return;
    clearInterval(watch);
    void worker.terminate();
  }, limits.watchMs);
  try {
    return await new Promise<Statement>((resolve, reject) => {
      const rows: Statement['rows'] = [];
      worker.on('message', (message: StatementMessage) => {
        if ('rows' in message) {
          rows.push(...message.rows);
          worker.postMessage('taken');
        } else if ('summary' in message) resolve({ ...message.summary, rows });
        else reject(new StatementRefusal(message.refusal.reason, message.refusal));
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(new StatementRefusal(isMemory ? 'too-large' : 'crashed', { cause: error }));
      });
      worker.on('exit', () => reject(new StatementRefusal(fate)));
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
