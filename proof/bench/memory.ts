import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { residentMegabytes } from './children.ts';
import { type Crowd, crowdOptions, crowdRows, gather, listNames, lists, pollAndWrite } from './crowd.ts';
import { figure, type Row, type Rows, round, slope } from './figures.ts';
import { freePort } from './free-port.ts';
import type { Stage } from './stage.ts';

const connections = 64;
const tenths = 10;
/** What a heap may wander by between two looks without growing. */
const wanders = 1.05;

/**
 * What the server's process has in memory: while thirty thousand people poll and others write, and over an hour's polls of
 * theirs, replayed as fast as they are answered: after the second tenth all is there that will be. `--people 3000` is an hour
 * of fewer people; `--seconds` is for the first half.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({ args: stage.args, options: crowdOptions });
  // Node's own inspector tells how large the heap is, after a collection, and adds some megabytes.
  const port = await freePort();
  const crowd = await gather(stage, values, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
  const inspect = await openInspector(stage, port);
  const day = crowdRows(await pollAndWrite(crowd, values));

  const looks: { x: number; resident: number; heap: number }[] = [];
  const start = performance.now();
  for (let tenth = 1; tenth <= tenths; tenth += 1) {
    await replay(crowd, 360);
    const heap = await inspect();
    looks.push({ x: tenth, resident: residentMegabytes(crowd.product.pid), heap });
    console.error(`${tenth} of ${tenths} tenths in ${Math.round((performance.now() - start) / 1_000)} s`);
  }
  const [second, last] = [looks[1], looks.at(-1)] as [(typeof looks)[0], (typeof looks)[0]];
  const of = (which: 'resident' | 'heap'): Row => ({
    'after the second tenth': round(second[which]),
    'after the last': round(last[which]),
    'a tenth adds (MB)': round(slope(looks.slice(1).map((look) => ({ x: look.x, y: look[which] })))),
  });
  return {
    ...day,
    'growth of the heap over the replay': figure(last.heap / second.heap, { atMost: wanders }, of('heap')),
    'growth of the resident memory': figure(last.resident / second.resident, { atMost: wanders }, of('resident')),
  };
}

/** So many seconds of everybody's polls: each list of each person as often as its period says. */
async function replay({ generator }: Crowd, seconds: number): Promise<void> {
  for (const set of listNames)
    await generator.closed({ set, connections, stop: { afterTurns: seconds / lists[set].every } });
}

/** Answers what collects the garbage and tells how much of the heap is in use then, in megabytes (2^20). */
async function openInspector({ ends }: Stage, port: number): Promise<() => Promise<number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  ends.add(() => socket.close());
  await once(socket, 'open');
  let id = 0;
  const ask = (method: string) => {
    id += 1;
    const own = id;
    return new Promise<{ usedSize: number }>((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const told = JSON.parse(String(data)) as { id?: number; result: { usedSize: number } };
        if (told.id !== own) return;
        socket.removeEventListener('message', hear);
        resolve(told.result);
      };
      socket.addEventListener('message', hear);
      socket.send(JSON.stringify({ id: own, method }));
    });
  };
  return async () => {
    await ask('HeapProfiler.collectGarbage');
    return (await ask('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
}
