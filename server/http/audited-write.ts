import type { AuditField } from '#contract/audit-words.ts';
import type { Db } from '#server/database/connect.ts';

type Noted = Partial<Record<AuditField, string | number | boolean | null>>;

/** Facts for the audit log that the call itself does not contain. */
export interface WriteNote {
  /** The row's id, if the path does not contain it. */
  target?: number;
  /** Earlier plain values, by field. */
  before?: Noted;
  /** Further facts, by field. */
  details?: Noted;
  /** Nothing has changed, so nothing is recorded. */
  unchanged?: boolean;
}

/** Runs an administrator's write and records it, in one transaction. Every write of the panel uses it. */
export type AuditedWrite = <T>(work: (tx: Db, note: (note: WriteNote) => void) => Promise<T>) => Promise<T>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's audited write for the endpoint of this request. */
    write: AuditedWrite;
  }
}
