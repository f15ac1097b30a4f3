import path from 'node:path';
import { type Ends, startChild } from './children.ts';
import type { Closed, Load, Open, Outcome } from './generator.ts';

export interface Generator {
  load(set: Omit<Load, 'kind'>): void;
  closed(task: Omit<Closed, 'kind'>): Promise<Outcome>;
  open(task: Omit<Open, 'kind'>): Promise<Outcome>;
}

/** Starts the process that sends requests, for one task at a time. */
export function startGenerator(ends: Ends): Generator {
  const child = startChild(ends, path.join(import.meta.dirname, 'generator.ts'));
  const ask = (task: Closed | Open) => {
    child.send(task);
    return child.hear<Outcome>();
  };
  return {
    load: (set) => child.send({ kind: 'load', ...set } satisfies Load),
    closed: (task) => ask({ kind: 'closed', ...task }),
    open: (task) => ask({ kind: 'open', ...task }),
  };
}

/** The head of a request as a browser sends it. */
export function headOf(method: string, path: string, cookie: string): string {
  const headers = ['host: localhost', 'accept: application/json', 'accept-encoding: gzip, deflate, br'];
  const lines = [`${method} ${path} HTTP/1.1`, ...headers, ...(cookie ? [`cookie: ${cookie}`] : [])];
  return lines.map((line) => `${line}\r\n`).join('');
}
