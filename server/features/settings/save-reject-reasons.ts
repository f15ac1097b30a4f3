import { isDeepStrictEqual } from 'node:util';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockRejectReasons, replaceRejectReasons } from './store.ts';

/** Replaces the reasons for a rejection. */
export async function saveRejectReasons(write: AuditedWrite, reasons: string[]): Promise<void> {
  await write(async (tx, note) => {
    const before = await lockRejectReasons(tx);
    if (isDeepStrictEqual(before, reasons)) return note({ unchanged: true });
    await replaceRejectReasons(tx, reasons);
    note({ before: { count: before.length }, details: { count: reasons.length } });
  });
}
