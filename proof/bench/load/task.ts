/** A request that is sent again and again: what is the same each time. */
export interface Target {
  /** The request line and headers, each with its line end. */
  head: string;
  body?: string;
}

/** How all targets of a set are asked. */
export interface Manner {
  /** With the ETag of the answer before, as a browser's poll. */
  conditional?: boolean;
  /** With an Idempotency-Key of its own each time. */
  keyed?: boolean;
}

/** Sets of targets are told once; the generator remembers the ETags of each. */
export interface Load extends Manner {
  kind: 'load';
  set: string;
  port: number;
  targets: Target[];
}

/** Each connection sends its next request when it has its answer: for so long, or each target so many times. */
export interface Closed {
  kind: 'closed';
  set: string;
  connections: number;
  stop: { afterMs: number } | { afterTurns: number };
}

/** Requests leave by schedule, whatever became of those before. */
export interface Open {
  kind: 'open';
  streams: { set: string; perSecond: number }[];
  connections: number;
  forMs: number;
}

export type Task = Load | Closed | Open;

/** What became of the requests of a task. */
export interface Outcome {
  answered: number;
  /** Answers by status, and broken connections by their reason. */
  by: Record<string, number>;
  seconds: number;
  perSecond: number;
  /** In milliseconds; of an open loop from when the request was due. */
  p50: number;
  p99: number;
  longest: number;
  /** Of an open loop: due by its end, and not answered by then. */
  left: number;
  /** Of one answer on the wire, headers included, on the average. */
  bytesEach: number;
  /** Of the generator itself. */
  cpuSeconds: number;
}

/** The head of a request as a browser sends it. */
export function headOf(method: string, path: string, cookie: string): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'accept: application/json',
    'accept-encoding: gzip, deflate, br',
    ...(cookie ? [`cookie: ${cookie}`] : []),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}
