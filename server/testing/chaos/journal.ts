/** How old an answer may be. */
const promisedMs = 1_000;

interface Entry {
  value: number;
  acknowledgedAt: number;
  /** The process through which it was written; none is by hand. */
  through: number | undefined;
}

/** A number of the database that only grows: what was acknowledged of it, and so what an answer must show. */
export class Counter {
  readonly #entries: Entry[] = [];

  acknowledge(value: number, through?: number): void {
    this.#entries.push({ value, acknowledgedAt: performance.now(), through });
  }

  /** The least that this process may answer to a request that was sent then. */
  floor(process: number, sentAt: number): number {
    // Newest first: they only grow.
    const bound = this.#entries.findLast(
      ({ acknowledgedAt, through }) =>
        acknowledgedAt <= sentAt - promisedMs || (through === process && acknowledgedAt <= sentAt),
    );
    return bound?.value ?? 0;
  }
}

/** Somebody's right that ends once, such as by the end of their session. */
export interface Barrier {
  name: string;
  cookie: string;
  url: string;
  /** The status once it has ended. */
  after: 401 | 403;
  askedAt: number;
  endedAt: number;
  through: number | undefined;
  /** Processes that were seen to refuse. */
  closedAt: Set<number>;
  /** Processes that were seen to let them in. */
  openAt: Set<number>;
}

/** What is wrong with this answer of a process to who has, or had, the right. */
export function checkBarrier(
  gate: Barrier,
  process: number,
  { status, sentAt, doneAt }: { status: number; sentAt: number; doneAt: number },
): string | undefined {
  const isIn = status === 200 || status === 304;
  if (isIn) gate.openAt.add(process);
  else if (status === gate.after) gate.closedAt.add(process);
  const late = Math.round(sentAt - gate.endedAt);
  const atOnce = gate.through === process && sentAt >= gate.endedAt;
  if (isIn && (atOnce || sentAt >= gate.endedAt + promisedMs)) return `${gate.name}: let in ${late} ms after the end`;
  if (status === gate.after && doneAt < gate.askedAt) return `${gate.name}: refused before the end`;
  if (!isIn && status !== gate.after) return `${gate.name}: answered ${status}`;
  return undefined;
}
