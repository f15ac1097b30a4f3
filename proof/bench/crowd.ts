import type pg from 'pg';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { cpuSeconds, residentMegabytes } from './children.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { type Generator, startGenerator } from './load/start-generator.ts';
import { headOf, type Outcome } from './load/task.ts';
import { type OpenProduct, openPool, openProduct } from './open-product.ts';
import { addPeople, cookieOf, idsOf, type People } from './people.ts';
import type { Stage } from './stage.ts';
import { between, countStatements, loadCounter, type StatementCounter, total } from './statements.ts';
import { openWriter, type Written } from './writer.ts';

/** How much smaller than asked for it may be made from the command line. */
export const crowdOptions = { people: { type: 'string' }, seconds: { type: 'string' } } as const;

/** The lists that an open screen polls, and how often (P23.1), in seconds. */
export const lists = {
  tickets: { every: 5, path: (id: number) => `/api/tickets/user/${id}` },
  notifications: { every: 10, path: (id: number) => `/api/notifications/user/${id}` },
  unread: { every: 30, path: (id: number) => `/api/notifications/user/${id}/unread-count` },
} as const;
export type ListName = keyof typeof lists;
export const listNames = Object.keys(lists) as ListName[];

const connections = 256;
const writesPerSecond = 20;

export interface Crowd {
  product: OpenProduct;
  /** Its data folder. */
  folder: string;
  generator: Generator;
  people: People;
  statements: StatementCounter;
  /** Begins to write beside the polls, so many times a second. */
  startWriting(perSecond?: number): () => Promise<Written>;
}

/** Everybody is signed in, one in ten with twenty tickets; a process of its own asks for them, and has asked for all once. */
export async function gather(
  stage: Stage,
  { people: wanted = '30000' }: { people?: string | undefined },
  settings: Record<string, string> = {},
  open = openProduct,
): Promise<Crowd> {
  const folder = makeFolder(stage);
  const count = Number(wanted);
  let people: People = { first: 1, count: 0 };
  let superuser: pg.ClientConfig = {};
  await fill(stage, folder, { users: 1_000, tickets: 20_000 }, async (pool, role) => {
    superuser = role;
    await loadCounter(superuser);
    people = await addPeople(pool, { count, busy: Math.ceil(count / 10) });
  });
  const product = await open(stage, folder, settings);
  const statements = await countStatements(stage, superuser, product.database);
  const writer = await openWriter(product, openPool(stage, product.database), people);
  const generator = await startGenerator(stage);
  for (const list of listNames) {
    const head = (id: number) => headOf('GET', lists[list].path(id), `${sessionCookie}=${cookieOf(id)}`);
    const targets = idsOf(people).map((id) => ({ head: head(id) }));
    generator.load({ set: list, port: product.port, conditional: true, targets });
  }
  const crowd = {
    product,
    folder,
    generator,
    people,
    statements,
    startWriting: (perSecond = writesPerSecond) => writer.start(perSecond),
  };
  await askAll(crowd);
  return crowd;
}

/** Each list of each person once, as fast as it goes. */
export async function askAll({ generator }: Crowd): Promise<void> {
  for (const set of listNames) await generator.closed({ set, connections, stop: { afterTurns: 1 } });
}

export interface Polled extends Outcome {
  wanted: number;
  /** Of all processes together with PostgreSQL's, in shares of one processor. */
  cpu: { server: number; postgres: number; generator: number };
  /** Statements of the product. */
  ran: { query: string; calls: number }[];
  /** Megabytes at most. */
  resident: number;
}

/** Polls by schedule for so long, each list at its period. */
export async function poll({ product, generator, people, statements }: Crowd, seconds: number): Promise<Polled> {
  const streams = listNames.map((set) => ({ set, perSecond: people.count / lists[set].every }));
  let resident = 0;
  const looks = setInterval(() => {
    resident = Math.max(resident, residentMegabytes(product.pid));
  }, 250);
  const cpu = () => ({ server: cpuSeconds(product.pid), postgres: product.postgresSeconds() });
  const [before, ranBefore] = [cpu(), await statements.read()];
  const outcome = await generator.open({ streams, connections, forMs: seconds * 1_000 });
  const [after, ranAfter] = [cpu(), await statements.read()];
  clearInterval(looks);
  return {
    ...outcome,
    wanted: streams.reduce((sum, { perSecond }) => sum + perSecond, 0),
    cpu: {
      server: (after.server - before.server) / outcome.seconds,
      postgres: (after.postgres - before.postgres) / outcome.seconds,
      generator: outcome.cpuSeconds / outcome.seconds,
    },
    ran: between(ranBefore, ranAfter),
    resident,
  };
}

export interface Day {
  /** With the writes beside. */
  busy: Polled;
  written: Written;
  /** Without: everybody has what there is. */
  quiet: Polled;
}

/** A crowd polls, with writes beside at first and then, when all is known to everybody, without. */
export async function crowd(stage: Stage, values: { people?: string; seconds?: string }): Promise<Day> {
  return pollAndWrite(await gather(stage, values), values);
}

export async function pollAndWrite(all: Crowd, { seconds = '40' }: { seconds?: string | undefined }): Promise<Day> {
  const stop = all.startWriting();
  const busy = await poll(all, Number(seconds));
  const written = await stop();
  await askAll(all);
  return { busy, written, quiet: await poll(all, Number(seconds)) };
}

export function crowdRows({ busy, written, quiet }: Day): Rows {
  const errors = (polled: Polled) =>
    Object.entries(polled.by).reduce((sum, [status, times]) => sum + (/^(200|304)$/.test(status) ? 0 : times), 0);
  const failed = Object.values(written.failed).reduce((sum, times) => sum + times, 0);
  const load = (polled: Polled) => ({
    answers: JSON.stringify(polled.by),
    'due but unanswered': polled.left,
    'CPU: server': round(polled.cpu.server),
    'CPU: PostgreSQL': round(polled.cpu.postgres),
    'CPU: generator': round(polled.cpu.generator),
  });
  const perSecond = ({ ran, seconds }: Polled) => total(ran) / seconds;
  const writes = written.done / busy.seconds;
  console.table(
    quiet.ran.slice(0, 5).map(({ query, calls }) => ({
      'without writes, a second': round(calls / quiet.seconds),
      ran: query.slice(0, 90),
    })),
  );
  return {
    [`polls/s of ${Math.round(busy.wanted)} wanted, with writes`]: figure(
      busy.perSecond,
      { atLeast: Math.floor(busy.wanted * 0.99) },
      load(busy),
    ),
    'p50 (ms)': figure(busy.p50),
    'p99 (ms)': figure(busy.p99, { below: 50 }, { longest: round(busy.longest) }),
    errors: figure(errors(busy) + errors(quiet) + failed, { atMost: 0 }, { answers: JSON.stringify(written.failed) }),
    'writes/s': figure(writes, undefined, { 'p99 (ms)': round(percentile(written.latencies, 0.99)) }),
    'statements/s with writes': figure(perSecond(busy)),
    'statements for each write and what it invalidates': figure((perSecond(busy) - perSecond(quiet)) / writes),
    [`polls/s of ${Math.round(quiet.wanted)} wanted, without writes`]: figure(quiet.perSecond, undefined, load(quiet)),
    'p99 without writes (ms)': figure(quiet.p99),
    'statements/s beyond the writes': figure(perSecond(quiet), { below: 5 }),
    'resident memory at most (MB)': figure(Math.max(busy.resident, quiet.resident), { below: 400 }),
    'bytes of an answer': figure(quiet.bytesEach),
  };
}
