import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { alarmKey, conditions, reachedPercent, updateAlarm } from '#server/features/alarms/conditions.ts';
import { clearAlarm, listAlarms } from '#server/features/alarms/store.ts';
import { type CapUse, listShut, type SmsClass } from './cap-shares.ts';

/** What is counted under beside the dial codes: every message. */
export const allMessages = 'all';

/** What a day brought, of a dial code such as '226' or of all, and how much it may bring. */
export interface CapCount extends CapUse {
  dialCode: string;
}

/** The classes that a cap stops before it is reached. */
const shutEarly = (count: CapCount): SmsClass[] => (count.queued < count.cap ? listShut(count) : []);
const factsOf = (count: CapCount) => ({ ...count, shut: shutEarly(count) });
const isNear = (count: CapCount) => conditions['sms-cap'].level(factsOf(count)) !== undefined;

/**
 * After a message was counted: raises an alarm where it brought a cap to its next level or stopped a class, and takes yesterday's
 * back with a day's first one.
 */
export async function reviewCapAlarm(tx: Db, before: CapCount, count: CapCount): Promise<void> {
  if (reachedPercent(count) > reachedPercent(before) || shutEarly(count).length > shutEarly(before).length)
    await raise(tx, count);
  else if (count.queued === 1) await takeBack(tx, count.dialCode === allMessages ? everyCap : [count.dialCode]);
}
const everyCap = [allMessages, ...countries.map(({ code }) => code.slice(1))];

/**
 * Takes back each cap's alarm that does not stand by these counts, and where it `raises` brings up those that do; a dial code
 * that is not among them has none.
 */
export async function settleCapAlarms(
  tx: Db,
  counts: readonly CapCount[],
  { raises }: { raises: boolean },
): Promise<void> {
  const near = counts.filter((count) => everyCap.includes(count.dialCode) && isNear(count));
  const others = everyCap.filter((dialCode) => near.every((count) => count.dialCode !== dialCode));
  await takeBack(tx, others);
  if (raises) for (const count of near) await raise(tx, count);
}

/** Takes back those of these caps' alarms that are up. */
async function takeBack(tx: Db, dialCodes: readonly string[]): Promise<void> {
  const keys = dialCodes.map((dialCode) => alarmKey('sms-cap', dialCode));
  for (const { key } of await listAlarms(tx)) if (keys.includes(key)) await clearAlarm(tx, key);
}

const raise = (tx: Db, count: CapCount) => updateAlarm(tx, 'sms-cap', factsOf(count), count.dialCode);
