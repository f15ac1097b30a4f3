import path from 'node:path';
import { type Ends, startChild } from './children.ts';
import type { Closed, Load, Open, Outcome, Task } from './generator.ts';

/** Starts a process that sends requests, so that it shares no event loop with what it measures; for one task at a time. */
export function startGenerator(ends: Ends) {
  const child = startChild(ends, path.join(import.meta.dirname, 'generator.ts'));
  const ask = (task: Task) => {
    child.send(task);
    return child.hear<Outcome>();
  };
  return {
    load: (load: Load) => child.send({ load } satisfies Task),
    closed: (closed: Closed) => ask({ closed }),
    open: (open: Open) => ask({ open }),
  };
}
export type Generator = ReturnType<typeof startGenerator>;

/** The head of a request as a browser sends it. */
export function headOf(method: string, path: string, cookie: string): string {
  const headers = ['host: localhost', 'accept: application/json', 'accept-encoding: gzip, deflate, br'];
  return [`${method} ${path} HTTP/1.1`, ...headers, `cookie: ${cookie}`].map((line) => `${line}\r\n`).join('');
}
