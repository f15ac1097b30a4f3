import { isDeepStrictEqual } from 'node:util';
import type { SmsSettings } from '#contract/sms-panel.ts';
import { settleCapAlarms } from '#server/features/sms/cap-alarms.ts';
import { lockCapCounts } from '#server/features/sms/cap-store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockSettings, writeSettings } from './store.ts';

/** Replaces what is set of SMS. Messages that are queued meanwhile wait, and follow the new caps, as the alarms do. */
export async function saveSmsSettings(
  write: AuditedWrite,
  settings: SmsSettings,
  { limited }: { limited: boolean },
): Promise<void> {
  await write(async (tx, note) => {
    const before = await lockSettings(tx);
    if (isDeepStrictEqual(before, settings)) return note({ unchanged: true });
    // Before it is written: whoever queues holds the day's row, and reads what is set behind it.
    await lockCapCounts(tx);
    await writeSettings(tx, settings);
    await settleCapAlarms(tx, await lockCapCounts(tx), { raises: limited });
    note({ before: { ...before } });
  });
}
