import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { clearAlarm, listAlarms, raiseAlarm } from '#server/features/alarms/store.ts';
import { sendingCaps } from '#server/process/sending-limits.ts';
import { type CapUse, listShut, type SmsClass } from './cap-shares.ts';

/** What is counted under beside the dial codes: every message. */
export const allMessages = 'all';

/** What a day brought, of a dial code such as '226' or of all, and how much it may bring. */
export interface CapCount extends CapUse {
  dialCode: string;
}

const levels = [...sendingCaps.warnedAtPercent, 100] as const;

/** The highest level that is reached, in percent; none of a cap of 0, which is set to send nothing. */
function levelOf({ queued, cap }: CapCount): number {
  return levels.findLast((percent) => cap > 0 && queued * 100 >= cap * percent) ?? 0;
}

/** The classes that a cap stops before it is reached. */
const shutEarly = (count: CapCount): SmsClass[] => (count.queued < count.cap ? listShut(count) : []);
const isNear = (count: CapCount) => levelOf(count) > 0 || shutEarly(count).length > 0;

const keyOf = (dialCode: string) => `sms-cap:${dialCode}`;

/**
 * After a message was counted: raises an alarm where it brought a cap to its next level or stopped a class, and takes yesterday's
 * back with a day's first one.
 */
export async function reviewCapAlarm(tx: Db, before: CapCount, count: CapCount): Promise<void> {
  if (levelOf(count) > levelOf(before) || shutEarly(count).length > shutEarly(before).length) await raise(tx, count);
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
  const keys = dialCodes.map(keyOf);
  for (const { key } of await listAlarms(tx)) if (keys.includes(key)) await clearAlarm(tx, key);
}

const classWords: Record<SmsClass, string> = {
  signup: 'aux nouvelles inscriptions',
  trusted: 'aux mots de passe oubliés et aux appareils connus',
  decision: 'aux décisions',
};

async function raise(tx: Db, count: CapCount): Promise<void> {
  const { dialCode, queued, cap } = count;
  const level = levelOf(count);
  const shut = shutEarly(count);
  const country = countries.find(({ code }) => code === `+${dialCode}`);
  const whither = country ? ` vers ${country.code} (${country.name})` : '';
  const advice = 'Si ce trafic est normal, relevez le plafond dans Paramètres, SMS.';
  const message =
    level === 100
      ? `Le plafond de ${cap} SMS par jour${whither} est atteint : plus aucun code ne part${whither} avant minuit UTC. ${advice}`
      : shut.length > 0
        ? `Jusqu’à minuit UTC aucun SMS ne part plus${whither} qui serve ${shut.map((each) => classWords[each]).join(' ou ')} ` +
          `(${queued} sur ${cap} sont partis) : ce qui reste du plafond est gardé pour les autres. ${advice}`
        : `${level} % des SMS permis par jour${whither} sont déjà partis (${queued} sur ${cap}). ${advice}`;
  await raiseAlarm(tx, {
    key: keyOf(dialCode),
    level: level === 100 || shut.length > 0 ? 'critical' : 'warning',
    message,
  });
}
