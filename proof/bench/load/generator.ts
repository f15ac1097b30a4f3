import { randomUUID } from 'node:crypto';
import { percentile } from '../figures.ts';
import type { Answer } from './answer-reader.ts';
import { Line } from './line.ts';
import { openSchedule } from './schedule.ts';
import type { Closed, Load, Open, Outcome, Target, Task } from './task.ts';

/**
 * A process of its own that sends requests and measures the answers, so that it shares neither event loop nor processor with
 * what it measures. It does what it is told by messages, and ends with whoever started it.
 */
interface Set extends Load {
  etags: (string | undefined)[];
}
const sets = new Map<string, Set>();

process.on('message', (task: Task) => {
  if (task.kind === 'load') sets.set(task.set, { ...task, etags: [] });
  void (task.kind === 'load' ? undefined : run(task))?.then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit());

const find = (name: string): Set => {
  const set = sets.get(name);
  if (!set) throw new Error(`no set called ${name}`);
  return set;
};

function requestOf(set: Set, index: number): string {
  const { head, body } = set.targets[index] as Target;
  const etag = set.etags[index];
  const condition = set.conditional && etag ? `if-none-match: ${etag}\r\n` : '';
  const key = set.keyed ? `idempotency-key: ${randomUUID()}\r\n` : '';
  if (body === undefined) return `${head}${condition}${key}\r\n`;
  return `${head}${condition}${key}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Counts what comes back. */
function ledger() {
  const by: Record<string, number> = {};
  const latencies: number[] = [];
  let bytes = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  return {
    note(answer: Answer | Error, set: Set, index: number, since: number) {
      latencies.push(performance.now() - since);
      const name = answer instanceof Error ? answer.message : String(answer.status);
      by[name] = (by[name] ?? 0) + 1;
      if (answer instanceof Error) return;
      bytes += answer.bytes;
      if (set.conditional && answer.status === 200) set.etags[index] = answer.etag;
    },
    sum(left = 0): Outcome {
      const { user, system } = process.cpuUsage(cpu);
      const seconds = (performance.now() - start) / 1_000;
      return {
        answered: latencies.length,
        by,
        seconds,
        perSecond: latencies.length / seconds,
        p50: percentile(latencies, 0.5),
        p99: percentile(latencies, 0.99),
        longest: percentile(latencies, 1),
        left,
        bytesEach: bytes / latencies.length,
        cpuSeconds: (user + system) / 1_000_000,
      };
    },
  };
}

const run = (task: Closed | Open) => (task.kind === 'closed' ? runClosed(task) : runOpen(task));

function runClosed({ set: name, connections, stop }: Closed): Promise<Outcome> {
  const set = find(name);
  const count = ledger();
  const most = 'afterTurns' in stop ? stop.afterTurns * set.targets.length : Number.POSITIVE_INFINITY;
  const end = 'afterMs' in stop ? performance.now() + stop.afterMs : Number.POSITIVE_INFINITY;
  let next = 0;
  let busy = 0;
  return new Promise((resolve) => {
    const under = new Map<Line, { index: number; since: number }>();
    const sendOn = (line: Line) => {
      const since = performance.now();
      if (next >= most || since >= end) {
        line.close();
        if (busy === 0) resolve(count.sum());
        return;
      }
      const index = next++ % set.targets.length;
      under.set(line, { index, since });
      busy += 1;
      line.send(requestOf(set, index));
    };
    const done = (line: Line, answer: Answer | Error) => {
      const { index, since } = under.get(line) as { index: number; since: number };
      busy -= 1;
      count.note(answer, set, index, since);
      sendOn(line);
    };
    for (let each = 0; each < connections; each += 1) sendOn(new Line(set.port, done));
  });
}

interface Waiting {
  set: Set;
  index: number;
  since: number;
}

function runOpen({ streams, connections, forMs }: Open): Promise<Outcome> {
  const asked = streams.map(({ set }) => find(set));
  const schedule = openSchedule(
    streams.map(({ perSecond }, at) => ({ perSecond, targets: (asked[at] as Set).targets.length })),
  );
  const count = ledger();
  const start = performance.now();
  const under = new Map<Line, Waiting>();
  const queue: Waiting[] = [];
  let front = 0;
  const done = (line: Line, answer: Answer | Error) => {
    const { set, index, since } = under.get(line) as Waiting;
    under.delete(line);
    count.note(answer, set, index, since);
    const next = queue[front];
    if (next) {
      front += 1;
      sendOn(line, next);
    } else free.push(line);
  };
  const sendOn = (line: Line, waiting: Waiting) => {
    under.set(line, waiting);
    line.send(requestOf(waiting.set, waiting.index));
  };
  // One server: all sets of a task are of the same port.
  const lines = Array.from({ length: connections }, () => new Line((asked[0] as Set).port, done));
  const free = [...lines];
  return new Promise((resolve) => {
    const tick = () => {
      const elapsed = performance.now() - start;
      for (const { stream, target, at } of schedule.take(Math.min(elapsed, forMs))) {
        const waiting = { set: asked[stream] as Set, index: target, since: start + at };
        const line = free.pop();
        if (line) sendOn(line, waiting);
        else queue.push(waiting);
      }
      // The last ones have a second to be answered in.
      const left = under.size + queue.length - front;
      if (elapsed < forMs || (left > 0 && elapsed < forMs + 1_000)) return setTimeout(tick, 1);
      const outcome = count.sum(left);
      for (const line of lines) line.close();
      return resolve(outcome);
    };
    tick();
  });
}
