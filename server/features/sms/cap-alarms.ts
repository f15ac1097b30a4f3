import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { clearAlarms, raiseAlarm } from '#server/features/alarms/store.ts';
import { sendingCaps } from '#server/process/sending-limits.ts';

/** What is counted under beside the dial codes: every message. */
export const allMessages = 'all';

/** How many messages a day brought, of a dial code such as '226' or of all, and how many it may bring. */
export interface CapCount {
  dialCode: string;
  queued: number;
  cap: number;
}

const levels = [...sendingCaps.warnedAtPercent, 100] as const;

/** The highest level that is reached, in percent; none of a cap of 0, which somebody set to send nothing. */
function levelOf({ queued, cap }: CapCount): number {
  return levels.findLast((percent) => cap > 0 && queued * 100 >= cap * percent) ?? 0;
}

const keyOf = (dialCode: string) => `sms-cap:${dialCode}`;

/**
 * After a message was counted: raises an alarm where it brought a cap to its next level, and takes yesterday's back with a
 * day's first one.
 */
export async function reviewCapAlarm(tx: Db, count: CapCount): Promise<void> {
  const level = levelOf(count);
  if (level > levelOf({ ...count, queued: count.queued - 1 })) await raise(tx, count, level);
  else if (count.queued === 1)
    await clearAlarms(tx, (count.dialCode === allMessages ? everyCap : [count.dialCode]).map(keyOf));
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
  const near = counts.filter((count) => everyCap.includes(count.dialCode) && levelOf(count) > 0);
  const others = everyCap.filter((dialCode) => near.every((count) => count.dialCode !== dialCode));
  await clearAlarms(tx, others.map(keyOf));
  if (raises) for (const count of near) await raise(tx, count, levelOf(count));
}

async function raise(tx: Db, { dialCode, queued, cap }: CapCount, level: number): Promise<void> {
  const country = countries.find(({ code }) => code === `+${dialCode}`);
  const whither = country ? ` vers ${country.code} (${country.name})` : '';
  const advice = 'Si ce trafic est normal, relevez le plafond dans Paramètres, SMS.';
  const message =
    level === 100
      ? `Le plafond de ${cap} SMS par jour${whither} est atteint : plus aucun code ne part${whither} avant minuit UTC. ${advice}`
      : `${level} % des SMS permis par jour${whither} sont déjà partis (${queued} sur ${cap}). ${advice}`;
  await raiseAlarm(tx, { key: keyOf(dialCode), level: level === 100 ? 'critical' : 'warning', message });
}
