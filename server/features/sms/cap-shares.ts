import { sendingCaps } from '#server/process/sending-limits.ts';

/**
 * The classes of messages that share a cap: strangers' sign-ups; codes to verified numbers and to browsers that
 * signed in before; and decisions. Alarms and tests are none of these, and always go.
 */
export const smsClasses = ['signup', 'trusted', 'decision'] as const;
export type SmsClass = (typeof smsClasses)[number];

/** How many messages a day brought, all and of each class, how many it may bring, and whether decisions are sent. */
export interface CapUse extends Record<SmsClass, number> {
  queued: number;
  cap: number;
  sendsDecisions: boolean;
}

/** What of a cap is kept for a class, in whole messages. */
function keptOf({ cap, sendsDecisions }: CapUse, smsClass: SmsClass): number {
  if (smsClass === 'decision' && !sendsDecisions) return 0;
  return Math.floor((cap * sendingCaps.keptPercent[smsClass]) / 100);
}

/**
 * Whether a cap lets one more message of a class go: as long as the class has not used up what is kept for it, or the others
 * leave room in what is common to all. However they come, no class takes what is kept for another, nor any more than the cap.
 */
export function hasRoom(use: CapUse, smsClass: SmsClass): boolean {
  if (use.queued >= use.cap) return false;
  if (use[smsClass] < keptOf(use, smsClass)) return true;
  const kept = sum(smsClasses.map((each) => keptOf(use, each)));
  const beyond = sum(smsClasses.map((each) => Math.max(0, use[each] - keptOf(use, each))));
  const ofNoClass = use.queued - sum(smsClasses.map((each) => use[each]));
  return beyond + ofNoClass < use.cap - kept;
}

/** The classes of which no message goes any more, of those that are sent at all. */
export function listShut(use: CapUse): SmsClass[] {
  return smsClasses.filter((each) => !hasRoom(use, each) && (each !== 'decision' || use.sendsDecisions));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
