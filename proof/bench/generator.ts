import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { percentile } from './figures.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** A request without its conditions: the request line and headers, each with its line end, and a body. */
export interface Target {
  head: string;
  body?: string;
}

/** A set of targets, told once. */
export interface Load {
  set: string;
  port: number;
  /** The address of this machine that its connections come from; 127.0.0.1 when left out. */
  from?: string;
  targets: Target[];
  /** Each target is asked with the ETag of its last answer, as by a browser's poll. */
  conditional?: boolean;
  /** With a new Idempotency-Key each time. */
  keyed?: boolean;
}

/** Each connection sends its next request when it has its answer: for so long, or, without `forMs`, each target once. */
export interface Closed {
  set: string;
  connections: number;
  forMs?: number;
}

/** Requests leave by schedule, whatever became of those before: the targets of each set in turn, in even steps. */
export interface Open {
  streams: { set: string; perSecond: number }[];
  connections: number;
  forMs: number;
}

export interface Outcome {
  /** Answers by status, broken connections by their reason, and what was not answered a second after the end. */
  by: Record<string, number>;
  answered: number;
  seconds: number;
  perSecond: number;
  /** Milliseconds; of an open loop since the request was due. */
  latencies: { p50: number; p99: number; longest: number };
  /** On the wire, headers included, on average. */
  bytesEach: number;
  /** Of the generator itself. */
  cpuSeconds: number;
}

/** What the process that sends requests is told; it answers an outcome to the last two. It ends with its parent. */
export type Task = { load: Load } | { closed: Closed } | { open: Open };

type Set = Load & { etags: (string | undefined)[] };
const sets = new Map<string, Set>();

process.once('disconnect', () => process.exit());
process.on('message', async (task: Task) => {
  if ('load' in task) sets.set(task.load.set, { ...task.load, etags: [] });
  else process.send?.(await ('closed' in task ? runClosed(task.closed) : runOpen(task.open)));
});

/** A connection that is kept, for one request at a time. It opens when it is needed, and again after its end. */
function keepConnection(port: number, from = '127.0.0.1') {
  let socket: net.Socket | undefined;
  let settle = (_: Answer | Error) => {};
  const open = () => {
    const own = net.connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    let held: Buffer | undefined;
    let reason = new Error('the connection ended before the answer');
    own.on('data', (chunk: Buffer) => {
      held = held ? Buffer.concat([held, chunk]) : chunk;
      const answer = readAnswer(held);
      if (!answer) return;
      held = undefined;
      settle(answer);
    });
    own.on('error', (error) => {
      reason = error;
    });
    own.on('close', () => {
      socket = undefined;
      settle(reason);
    });
    return own;
  };
  return {
    ask: (request: string) =>
      new Promise<Answer | Error>((resolve) => {
        settle = resolve;
        socket ??= open();
        socket.write(request);
      }),
    close: () => void socket?.destroy(),
  };
}
type Connection = ReturnType<typeof keepConnection>;

/** Asks for targets, and counts what comes back. */
function keepLedger() {
  const by: Record<string, number> = {};
  const latencies: number[] = [];
  let bytes = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = (name: string, times = 1) => {
    if (times > 0) by[name] = (by[name] ?? 0) + times;
  };
  return {
    start,
    async ask(connection: Connection, set: Set, index: number, since = performance.now()): Promise<void> {
      const { head, body } = set.targets[index] as Target;
      const etag = set.etags[index];
      const condition = set.conditional && etag ? `if-none-match: ${etag}\r\n` : '';
      const key = set.keyed ? `idempotency-key: ${randomUUID()}\r\n` : '';
      const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body ?? '')}\r\n`;
      const answer = await connection.ask(`${head}${condition}${key}${body ? type : ''}\r\n${body ?? ''}`);
      latencies.push(performance.now() - since);
      if (answer instanceof Error) return count(answer.message);
      count(String(answer.status));
      bytes += answer.bytes;
      if (answer.status === 200) set.etags[index] = answer.etag;
    },
    sum(unanswered = 0): Outcome {
      count('unanswered', unanswered);
      const { user, system } = process.cpuUsage(cpu);
      const [answered, seconds] = [latencies.length, (performance.now() - start) / 1_000];
      const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => percentile(latencies, share));
      const rates = { answered, seconds, perSecond: answered / seconds, bytesEach: bytes / answered };
      return { by, ...rates, latencies: { p50, p99, longest }, cpuSeconds: (user + system) / 1e6 };
    },
  };
}

async function runClosed({ set: name, connections, forMs }: Closed): Promise<Outcome> {
  const set = sets.get(name) as Set;
  const { ask, start, sum } = keepLedger();
  let next = 0;
  const isOver = () => (forMs === undefined ? next >= set.targets.length : performance.now() - start >= forMs);
  const work = async () => {
    const connection = keepConnection(set.port, set.from);
    while (!isOver()) {
      next += 1;
      await ask(connection, set, (next - 1) % set.targets.length);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return sum();
}

/**
 * Latency counts from when a request was due, not from when a connection was free for it: else a server that holds everybody up
 * would be measured by the few requests that got through (coordinated omission).
 */
function runOpen({ streams, connections, forMs }: Open): Promise<Outcome> {
  const all = streams.map(({ set, perSecond }) => ({ set: sets.get(set) as Set, everyMs: 1_000 / perSecond, sent: 0 }));
  const opened = Array.from({ length: connections }, () => keepConnection(all[0]?.set.port ?? 0));
  const free = [...opened];
  const due: { set: Set; index: number; since: number }[] = [];
  const { ask, start, sum } = keepLedger();
  let front = 0;
  const send = async (connection: Connection) => {
    for (let next = due[front]; next; next = due[front]) {
      front += 1;
      await ask(connection, next.set, next.index, next.since);
    }
    free.push(connection);
  };
  return new Promise((resolve) => {
    const tick = () => {
      const elapsed = performance.now() - start;
      for (const stream of all)
        for (; stream.sent * stream.everyMs < Math.min(elapsed, forMs); stream.sent += 1) {
          const index = stream.sent % stream.set.targets.length;
          due.push({ set: stream.set, index, since: start + stream.sent * stream.everyMs });
        }
      while (front < due.length && free.length > 0) void send(free.pop() as Connection);
      const unanswered = connections - free.length + due.length - front;
      // The last ones have a second to be answered in.
      if (elapsed < forMs || (unanswered > 0 && elapsed < forMs + 1_000)) return void setTimeout(tick, 1);
      const outcome = sum(unanswered);
      for (const connection of opened) connection.close();
      resolve(outcome);
    };
    tick();
  });
}
