import path from 'node:path';
import { startChild } from '../children.ts';
import type { Stage } from '../stage.ts';
import type { Closed, Load, Open, Outcome } from './task.ts';

export interface Generator {
  pid: number;
  /** Tells it a set of targets, in place of what it knew under that name. */
  load(set: Omit<Load, 'kind'>): void;
  /** Each of the connections asks when it was answered; answers what came of it. */
  closed(task: Omit<Closed, 'kind'>): Promise<Outcome>;
  /** Asks by schedule; answers what came of it. */
  open(task: Omit<Open, 'kind'>): Promise<Outcome>;
}

/** Starts the process that sends requests. */
export async function startGenerator(stage: Stage): Promise<Generator> {
  const child = startChild(stage, path.join(import.meta.dirname, 'generator.ts'));
  const ask = (task: Closed | Open) => {
    child.send(task);
    return child.hear<Outcome>();
  };
  return {
    pid: child.pid,
    load: (set) => child.send({ kind: 'load', ...set } satisfies Load),
    closed: (task) => ask({ kind: 'closed', ...task }),
    open: (task) => ask({ kind: 'open', ...task }),
  };
}
