import { setTimeout as pause } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { AnswerCache } from '#server/cache/answer-cache.ts';
import { metricsLimits } from './limits.ts';

/** Figures of the product as a whole, read from the database. */
export interface DatabaseFigures {
  alarms: readonly { key: string; level: string }[];
  /** Due jobs that no process has taken. */
  jobsDue: number;
}

/** Sources that are read at each scrape, and only then. */
export interface MetricSources {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  feed: { isLive(): boolean };
  answers: { bytes: number; counts: AnswerCache['counts'] };
  readDatabase(): Promise<DatabaseFigures>;
}

export interface HandledRequest {
  /** The template, such as `/api/tickets/:id`, or one of a few words; never the requested path. */
  route: string;
  method: string;
  status: number;
  seconds: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of one process. Labels come from short lists, and never hold a person's number, name or path. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'guichet_http_request_duration_seconds',
    help: 'Requests that Fastify answered: until the answer was sent.',
    labelNames: ['route', 'method', 'status'],
    buckets: [...metricsLimits.buckets],
    registers,
  });
  const sms = new Counter({
    name: 'guichet_sms_attempts_total',
    help: 'Attempts to send an SMS, by gateway and outcome.',
    labelNames: ['gateway', 'outcome'],
    registers,
  });
  let readDatabase: MetricSources['readDatabase'] | undefined;
  let figures: DatabaseFigures | undefined;
  return {
    countRequest({ route, method, status, seconds }: HandledRequest): void {
      requests.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    /** Counts an attempt to send an SMS, by the gateway's name and the outcome. */
    countSms(gateway: string, outcome: string): void {
      sms.inc({ gateway, outcome });
    },
    watch(sources: MetricSources): void {
      readDatabase = sources.readDatabase;
      watchSources(registry, sources, () => figures);
    },
    /** All metrics in Prometheus' text format, with its media type. */
    async read(): Promise<{ text: string; type: string }> {
      figures = readDatabase && (await withinTime(readDatabase()));
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

function watchSources(
  registry: Registry,
  { pool, feed, answers }: MetricSources,
  figures: () => DatabaseFigures | undefined,
): void {
  /** Registers values that each scrape reads, with their labels. Those of the database are left out while it is down. */
  const watch = (
    Kind: typeof Gauge<string> | typeof Counter<string>,
    name: string,
    help: string,
    labelNames: string[],
    read: () => (readonly [labels: Record<string, string>, value: number])[],
  ) =>
    new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      collect(this: Gauge<string> | Counter<string>) {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  watch(Counter, 'guichet_http_memory_answers_total', 'Requests answered from memory.', ['status'], () => [
    [{ status: '200' }, answers.counts.whole],
    [{ status: '304' }, answers.counts.unchanged],
  ]);
  watch(Gauge, 'guichet_answer_cache_bytes', 'Bytes of answers kept, about.', [], () => [[{}, answers.bytes]]);
  watch(Gauge, 'guichet_database_connections', 'Connections of the pool, and what waits for one.', ['state'], () => [
    [{ state: 'idle' }, pool.idleCount],
    [{ state: 'busy' }, pool.totalCount - pool.idleCount],
    [{ state: 'awaited' }, pool.waitingCount],
  ]);
  watch(Gauge, 'guichet_feed_live', 'Whether changes arrive, so that answers may come from memory.', [], () => [
    [{}, feed.isLive() ? 1 : 0],
  ]);
  watch(Gauge, 'guichet_database_up', 'Whether the database answers, within two seconds.', [], () => [
    [{}, figures() ? 1 : 0],
  ]);
  watch(Gauge, 'guichet_jobs', 'Jobs of the queue that all processes share.', ['state'], () => {
    const due = figures()?.jobsDue;
    return due === undefined ? [] : [[{ state: 'due' }, due]];
  });
  watch(Gauge, 'guichet_alarm', 'Alarms, as the dashboard of the panel shows them.', ['key', 'level'], () =>
    (figures()?.alarms ?? []).map(({ key, level }) => [{ key, level }, 1] as const),
  );
}

/** The result, or undefined if the work fails or takes longer than `metricsLimits.figuresMs`. */
async function withinTime<T>(work: Promise<T>): Promise<T | undefined> {
  const late = pause(metricsLimits.figuresMs, undefined, { ref: false });
  return Promise.race([work.catch(() => undefined), late]);
}
