import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { AnswerCache } from '#server/cache/answer-cache.ts';
import { metricsLimits } from '#server/process/watch-limits.ts';

/** Figures of the product as a whole, read from the database. Ages are in seconds, undefined without an event. */
export interface DatabaseFigures {
  jobs: { waiting: number; running: number; failing: number; givenUp: number };
  oldestDueSeconds: number;
  alarms: { warning: number; critical: number };
  backupAgeSeconds: number | undefined;
  /** Messages of payments in the last day, by what became of them. */
  payments: Record<string, number>;
}

/** Sources that a scrape reads; they cost nothing between scrapes. */
export interface MetricSources {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  feed: { isLive(): boolean; secondsSinceLook(): number };
  answers: { size: number; bytes: number; counts: AnswerCache['counts'] };
  sessions: { size: number; bytes: number };
  readDatabase(): Promise<DatabaseFigures>;
}

export interface HandledRequest {
  /** The template, such as `/api/tickets/:id`, or one of a few words; never a path as it was requested. */
  route: string;
  method: string;
  status: number;
  seconds: number;
}

export interface Metrics {
  countRequest(handled: HandledRequest): void;
  /** An attempt to send an SMS, by the gateway's name in the settings and a word for how it ended. */
  countSms(gateway: string, outcome: string): void;
  watch(sources: MetricSources): void;
  /** All of it in Prometheus' text format, and that format's media type. */
  read(): Promise<{ text: string; type: string }>;
}

/** The metrics of one process. Labels come from short lists alone; none holds a number, a name or a path of anybody's. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'guichet_http_request_duration_seconds',
    help: 'Requests that Fastify answered: until the answer was sent.',
    labelNames: ['route', 'method', 'status'],
    buckets: [...metricsLimits.buckets],
    registers: [registry],
  });
  const sms = new Counter({
    name: 'guichet_sms_attempts_total',
    help: 'Attempts to send an SMS, by gateway and outcome.',
    labelNames: ['gateway', 'outcome'],
    registers: [registry],
  });
  const smsSeries = new Set<string>();
  let readDatabase: MetricSources['readDatabase'] | undefined;
  let figures: DatabaseFigures | undefined;
  return {
    countRequest({ route, method, status, seconds }) {
      requests.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    countSms(gateway, outcome) {
      const series = `${gateway} ${outcome}`;
      if (!smsSeries.has(series) && smsSeries.size >= metricsLimits.smsSeries)
        return sms.inc({ gateway: 'other', outcome: 'other' });
      smsSeries.add(series);
      sms.inc({ gateway, outcome });
    },
    watch(sources) {
      readDatabase = sources.readDatabase;
      watchSources(registry, sources, () => figures);
    },
    async read() {
      figures = readDatabase && (await withinTime(readDatabase()));
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

function watchSources(
  registry: Registry,
  { pool, feed, answers, sessions }: MetricSources,
  figures: () => DatabaseFigures | undefined,
): void {
  const registers = [registry];
  /** A number that is looked up when it is asked for; `undefined` leaves it out. */
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  /** Values that another module keeps, by a label. */
  const byLabel =
    (Kind: typeof Gauge<string> | typeof Counter<string>) =>
    (name: string, help: string, label: string, read: () => Record<string, number> | undefined) =>
      new Kind({
        name,
        help,
        labelNames: [label],
        registers,
        collect(this: Gauge<string> | Counter<string>) {
          this.reset();
          for (const [each, value] of Object.entries(read() ?? {})) this.inc({ [label]: each }, value);
        },
      });
  const [gauges, counters] = [byLabel(Gauge), byLabel(Counter)];

  counters(
    'guichet_http_memory_answers_total',
    'Requests answered from memory, in front of Fastify.',
    'status',
    () => ({
      '200': answers.counts.whole,
      '304': answers.counts.unchanged,
    }),
  );
  counters('guichet_answer_cache_reads_total', 'Reads whose answers are kept: known, or made anew.', 'result', () => {
    const { unchanged, whole, found, made } = answers.counts;
    return { hit: unchanged + whole + found, miss: made };
  });
  gauge('guichet_answer_cache_entries', 'Answers kept.', () => answers.size);
  gauge('guichet_answer_cache_bytes', 'Bytes of answers kept, about.', () => answers.bytes);
  gauge('guichet_session_cache_entries', 'Sessions kept.', () => sessions.size);
  gauge('guichet_session_cache_bytes', 'Bytes of sessions kept, about.', () => sessions.bytes);
  gauges('guichet_database_connections', 'Connections of the pool.', 'state', () => ({
    idle: pool.idleCount,
    busy: pool.totalCount - pool.idleCount,
  }));
  gauge('guichet_database_waiting', 'Who waits for a connection of the pool.', () => pool.waitingCount);
  gauge('guichet_feed_live', 'Whether changes are heard of, so that answers may come from memory.', () =>
    feed.isLive() ? 1 : 0,
  );
  gauge('guichet_feed_age_seconds', 'Since the last look at what changed; none while the feed is lost.', () => {
    const seconds = feed.secondsSinceLook();
    return Number.isFinite(seconds) ? seconds : undefined;
  });

  gauge('guichet_database_up', 'Whether the database answers, within two seconds.', () => (figures() ? 1 : 0));
  gauges('guichet_jobs', 'Jobs of the queue that all processes share.', 'state', () => {
    const jobs = figures()?.jobs;
    return jobs && { waiting: jobs.waiting, running: jobs.running, failing: jobs.failing, given_up: jobs.givenUp };
  });
  gauge(
    'guichet_jobs_oldest_due_seconds',
    'For how long the oldest message has been due whose job nobody has taken.',
    () => figures()?.oldestDueSeconds,
  );
  gauges('guichet_alarms', 'Alarms that are up, as the dashboard shows them.', 'level', () => figures()?.alarms);
  gauges(
    'guichet_payment_messages_day',
    'Messages of payments in the last day, by what became of them.',
    'state',
    () => figures()?.payments,
  );
  gauge(
    'guichet_backup_age_seconds',
    'Since the last good backup ended; none before the first.',
    () => figures()?.backupAgeSeconds,
  );
}

/** What it resolves with, or nothing if it fails or does not come in `metricsLimits.figuresMs`. */
async function withinTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, metricsLimits.figuresMs, undefined);
  });
  return Promise.race([work.catch(() => undefined), tooLate]).finally(() => clearTimeout(timer));
}
