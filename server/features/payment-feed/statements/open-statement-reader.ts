import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import type { StatementRow, StatementSummary } from './read-statement.ts';
import { type StatementLimits, statementLimits } from './statement-limits.ts';
import type { StatementModel } from './statement-model.ts';
import { type RefusalReason, StatementRefusal } from './statement-refusal.ts';
import type { StatementMessage, StatementOrder } from './statement-worker.ts';

/** Gets the rows of a file that was read whole, some thousands at a time, and the next ones when it is done with these. */
export type TakeRows = (rows: StatementRow[], summary: StatementSummary) => Promise<void> | void;

export type StatementReader = (
  bytes: Uint8Array,
  models: readonly StatementModel[],
  take: TakeRows,
) => Promise<StatementSummary>;

/**
 * Opens the one place where statement files are decoded: in a thread with limits of memory and time, one file at a time.
 * The reader throws StatementRefusal for a file, what `take` throws, and BUSY where files wait already.
 */
export function openStatementReader(limits: StatementLimits = statementLimits): StatementReader {
  const { waiting, retryAfterSeconds } = limits;
  const inTurn = concurrencyLimit({ atOnce: 1, waiting, retryAfterSeconds });
  return async (bytes, models, take) => {
    if (bytes.length > limits.fileBytes) throw new StatementRefusal('too-large');
    return inTurn(() => readInThread({ bytes, models }, take, limits));
  };
}

async function readInThread(order: StatementOrder, take: TakeRows, limits: StatementLimits) {
  const worker = new Worker(new URL('./statement-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: {
      maxYoungGenerationSizeMb: limits.youngMegabytes,
      maxOldGenerationSizeMb: limits.oldMegabytes,
    },
  });
  // An error that nobody listens to any more would end the process.
  worker.on('error', () => {});
  let fate: RefusalReason = 'crashed';
  const [began, rss] = [performance.now(), process.memoryUsage.rss()];
  const watch = setInterval(() => {
    if (performance.now() - began > limits.readMs) fate = 'too-slow';
    else if (process.memoryUsage.rss() - rss > limits.grownBytes) fate = 'too-large';
    else return;
    clearInterval(watch);
    void worker.terminate();
  }, limits.watchMs);
  worker.once('exit', () => clearInterval(watch));
  try {
    let summary: StatementSummary | undefined;
    for await (const message of messagesOf(worker)) {
      if ('refusal' in message) throw new StatementRefusal(message.refusal);
      if ('summary' in message) summary = message.summary;
      if ('rows' in message && summary) await take(JSON.parse(message.rows) as StatementRow[], summary);
      if ('done' in message && summary) return summary;
    }
    throw new StatementRefusal(fate);
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

/** Ends when the thread does. Throws StatementRefusal where an error ended it, memory for one. */
async function* messagesOf(worker: Worker): AsyncGenerator<StatementMessage> {
  const messages = on(worker, 'message', { close: ['exit'] });
  try {
    for await (const [message] of messages) yield message as StatementMessage;
  } catch (error) {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw new StatementRefusal(isMemory ? 'too-large' : 'crashed', error);
  }
}
