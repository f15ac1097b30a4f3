import type { Db } from '#server/database/connect.ts';

/** What a command knows of its write beyond the call: on which row, and what stood there before. */
export interface WriteNote {
  /** The row's id, where the path does not name it. */
  target?: number;
  /** Plain values as they were, by field. */
  before?: Record<string, string | number | boolean | null>;
  /** Further facts, by field. */
  details?: Record<string, string | number | boolean | null>;
  /** Nothing was changed after all, so nothing is recorded. */
  unchanged?: boolean;
}

/** Does an administrator's write and records it, in one transaction: the one way in which their commands write. */
export type AuditedWrite = <T>(work: (tx: Db, note: (note: WriteNote) => void) => Promise<T>) => Promise<T>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's audited write, of the endpoint that this request calls. */
    write: AuditedWrite;
  }
}
