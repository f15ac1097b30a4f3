import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { saveSmsSettings as saveSmsSettingsEndpoint } from '#contract/sms.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockCapCounts, settleCapAlarms } from './caps.ts';
import { lockSettings, type SettingsRow, writeSettings } from './store.ts';

/** Replaces the settings. Messages queued meanwhile wait for it and follow the new caps. Throws CHANGED_MEANWHILE. */
export async function saveSmsSettings(
  write: AuditedWrite,
  { expectedUpdatedAt, ...settings }: z.output<typeof saveSmsSettingsEndpoint.body>,
  { limited }: { limited: boolean },
): Promise<SettingsRow> {
  return write(async (tx, note) => {
    const stored = await lockSettings(tx);
    const { updatedAt, ...before } = stored;
    if (isDeepStrictEqual(before, settings)) {
      note({ unchanged: true });
      return stored;
    }
    requireUnchanged(updatedAt, expectedUpdatedAt);
    // Before it is written: whoever queues holds the day's row, and reads what is set behind it.
    await lockCapCounts(tx);
    const written = await writeSettings(tx, settings);
    await settleCapAlarms(tx, await lockCapCounts(tx), { raises: limited });
    note({ before });
    return written;
  });
}
