import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from './stage.ts';

/** Where Linux lets a superuser bound the memory of a group of processes, in the first version of its groups and the second. */
const kinds = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
] as const;

/** Processes that have so much memory between them, the kernel's cache of their files included, and are killed beyond it. */
export interface MemoryGroup {
  /** What is started meanwhile belongs to the group. */
  around<Result>(start: () => Promise<Result>): Promise<Result>;
  /** How many of them the kernel has killed for want of memory. */
  killed(): number;
}

/** Makes such a group, which goes when the bench ends, or answers undefined where this account may not. */
export function makeMemoryGroup({ ends }: Stage, bytes: number): MemoryGroup | undefined {
  for (const { root, limit, events } of kinds)
    try {
      const group = path.join(root, `guichet-bench-${process.pid}`);
      mkdirSync(group);
      ends.add(() => rmdirSync(group));
      writeFileSync(path.join(group, limit), String(bytes));
      const enter = (folder: string) => writeFileSync(path.join(folder, 'cgroup.procs'), String(process.pid));
      const before = ownGroup(root);
      return {
        async around(start) {
          // Children begin in the group of their parent, and stay there when it leaves.
          enter(group);
          try {
            return await start();
          } finally {
            enter(before);
          }
        },
        killed: () =>
          Number(/^oom_kill (\d+)$/m.exec(readFileSync(path.join(group, events), 'utf8'))?.[1] ?? Number.NaN),
      };
    } catch {
      // Not this kind, or not for this account.
    }
  return undefined;
}

function ownGroup(root: string): string {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const line =
    lines.find((each) => (root.endsWith('memory') ? each.includes(':memory:') : each.startsWith('0::'))) ?? '';
  return path.join(root, line.split(':').slice(2).join(':'));
}
