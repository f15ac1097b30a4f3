import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { percentile } from './figures.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/**
 * A process of its own that sends requests and measures the answers, so that it shares no event loop with what it measures
 * (`start-generator.ts`). It does what it is told by messages, and ends with its parent.
 */
export interface Target {
  /** The request line and headers, each with its line end. */
  head: string;
  body?: string;
}

/** A set of targets, told once. */
export interface Load {
  kind: 'load';
  set: string;
  port: number;
  targets: Target[];
  /** Each target is asked with the ETag of its last answer, as by a browser's poll. */
  conditional?: boolean;
  /** With a new Idempotency-Key each time. */
  keyed?: boolean;
}

/** Each connection sends its next request when it has its answer: for so long, or each target once. */
export interface Closed {
  kind: 'closed';
  set: string;
  connections: number;
  /** Without it each target is asked once. */
  forMs?: number;
}

/** Requests leave by schedule, whatever became of those before: the targets of each set in turn, in even steps. */
export interface Open {
  kind: 'open';
  streams: { set: string; perSecond: number }[];
  connections: number;
  forMs: number;
}

export interface Outcome {
  /** Answers by status, and broken connections by their reason. */
  by: Record<string, number>;
  answered: number;
  seconds: number;
  perSecond: number;
  /** Milliseconds; of an open loop since the request was due. */
  latencies: { p50: number; p99: number; longest: number };
  /** Of an open loop: due by its end, and not answered within a second more. */
  left: number;
  /** On the wire, headers included, on average. */
  bytesEach: number;
  /** Of the generator itself. */
  cpuSeconds: number;
}

type Set = Load & { etags: (string | undefined)[] };
const sets = new Map<string, Set>();

process.once('disconnect', () => process.exit());
process.on('message', async (task: Load | Closed | Open) => {
  if (task.kind === 'load') sets.set(task.set, { ...task, etags: [] });
  else process.send?.(await (task.kind === 'closed' ? runClosed(task) : runOpen(task)));
});

function find(name: string): Set {
  const set = sets.get(name);
  if (!set) throw new Error(`no set called ${name}`);
  return set;
}

/** A connection that is kept, for one request at a time. It opens when it is needed, and again after its end. */
class Connection {
  readonly #port: number;
  #socket: net.Socket | undefined;
  #answered: ((answer: Answer | Error) => void) | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  ask(request: string): Promise<Answer | Error> {
    this.#socket ??= this.#open();
    this.#socket.write(request);
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): net.Socket {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    let held: Buffer | undefined;
    let reason = new Error('the connection ended before the answer');
    socket.on('data', (chunk: Buffer) => {
      held = held ? Buffer.concat([held, chunk]) : chunk;
      try {
        const answer = readAnswer(held);
        if (!answer) return;
        held = undefined;
        if (answer.closes) this.#forget(socket);
        this.#answered?.(answer);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', (error) => {
      reason = error;
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#forget(socket);
      this.#answered?.(reason);
    });
    return socket;
  }

  #forget(socket: net.Socket): void {
    this.#socket = undefined;
    socket.destroy();
  }
}

/** Asks for targets, and counts what comes back. */
class Ledger {
  readonly #by: Record<string, number> = {};
  readonly #latencies: number[] = [];
  readonly #cpu = process.cpuUsage();
  readonly start = performance.now();
  #bytes = 0;

  async ask(connection: Connection, set: Set, index: number, since: number): Promise<void> {
    const { head, body } = set.targets[index] as Target;
    const etag = set.etags[index];
    const condition = set.conditional && etag ? `if-none-match: ${etag}\r\n` : '';
    const key = set.keyed ? `idempotency-key: ${randomUUID()}\r\n` : '';
    const size = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    const type = body === undefined ? '' : 'content-type: application/json\r\n';
    const answer = await connection.ask(`${head}${condition}${key}${type}${size}\r\n${body ?? ''}`);
    this.#latencies.push(performance.now() - since);
    const name = answer instanceof Error ? answer.message : String(answer.status);
    this.#by[name] = (this.#by[name] ?? 0) + 1;
    if (answer instanceof Error) return;
    this.#bytes += answer.bytes;
    if (answer.status === 200) set.etags[index] = answer.etag;
  }

  sum(left = 0): Outcome {
    const { user, system } = process.cpuUsage(this.#cpu);
    const [answered, seconds] = [this.#latencies.length, (performance.now() - this.start) / 1_000];
    const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => percentile(this.#latencies, share));
    return {
      by: this.#by,
      answered,
      seconds,
      perSecond: answered / seconds,
      latencies: { p50, p99, longest },
      left,
      bytesEach: this.#bytes / answered,
      cpuSeconds: (user + system) / 1e6,
    };
  }
}

async function runClosed({ set: name, connections, forMs }: Closed): Promise<Outcome> {
  const set = find(name);
  const ledger = new Ledger();
  const isOver = () => (forMs === undefined ? next >= set.targets.length : performance.now() - ledger.start >= forMs);
  let next = 0;
  const work = async () => {
    const connection = new Connection(set.port);
    while (!isOver()) {
      const index = next % set.targets.length;
      next += 1;
      await ledger.ask(connection, set, index, performance.now());
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return ledger.sum();
}

/**
 * Latency counts from when a request was due, not from when a connection was free for it: else a server that holds everybody up
 * would be measured by the few requests that got through (coordinated omission).
 */
function runOpen({ streams, connections, forMs }: Open): Promise<Outcome> {
  const all = streams.map(({ set, perSecond }) => ({ set: find(set), perSecond, sent: 0 }));
  const free = Array.from({ length: connections }, () => new Connection(all[0]?.set.port ?? 0));
  const opened = [...free];
  const due: { set: Set; index: number; since: number }[] = [];
  const ledger = new Ledger();
  let front = 0;
  let under = 0;
  const send = async (connection: Connection) => {
    under += 1;
    for (let next = due[front]; next; next = due[front]) {
      front += 1;
      await ledger.ask(connection, next.set, next.index, next.since);
    }
    under -= 1;
    free.push(connection);
  };
  return new Promise((resolve) => {
    const tick = () => {
      const elapsed = performance.now() - ledger.start;
      for (const stream of all)
        for (; (stream.sent * 1_000) / stream.perSecond < Math.min(elapsed, forMs); stream.sent += 1) {
          const since = ledger.start + (stream.sent * 1_000) / stream.perSecond;
          due.push({ set: stream.set, index: stream.sent % stream.set.targets.length, since });
        }
      while (front < due.length && free.length > 0) void send(free.pop() as Connection);
      const left = under + due.length - front;
      if (elapsed < forMs || (left > 0 && elapsed < forMs + 1_000)) return void setTimeout(tick, 1);
      const outcome = ledger.sum(left);
      for (const connection of opened) connection.close();
      resolve(outcome);
    };
    tick();
  });
}
