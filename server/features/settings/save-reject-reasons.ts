import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { saveRejectReasons as saveRejectReasonsEndpoint } from '#contract/settings.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockRejectReasons, type RejectReasonList, replaceRejectReasons } from './store.ts';

/** Replaces the reasons for a rejection. Throws CHANGED_MEANWHILE. */
export async function saveRejectReasons(
  write: AuditedWrite,
  { reasons, expectedUpdatedAt }: z.output<typeof saveRejectReasonsEndpoint.body>,
): Promise<RejectReasonList> {
  return write(async (tx, note) => {
    const before = await lockRejectReasons(tx);
    if (isDeepStrictEqual(before.reasons, reasons)) {
      note({ unchanged: true });
      return before;
    }
    requireUnchanged(before.updatedAt, expectedUpdatedAt);
    note({ before: { count: before.reasons.length }, details: { count: reasons.length } });
    return replaceRejectReasons(tx, before, reasons);
  });
}
