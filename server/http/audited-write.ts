import type { AuditField } from '#contract/audit-words.ts';
import type { Db } from '#server/database/connect.ts';

type Noted = Partial<Record<AuditField, string | number | boolean | null>>;

/** What a command knows of its write beyond the call: on which row, and what stood there before. */
export interface WriteNote {
  /** The row's id, where the path does not name it. */
  target?: number;
  /** Plain values as they were, by field. */
  before?: Noted;
  /** Further facts, by field. */
  details?: Noted;
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
