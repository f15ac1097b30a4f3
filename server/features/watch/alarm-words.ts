import type { Alarm } from '#server/features/alarms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { foldToGsm7 } from './fold-to-gsm7.ts';

/** The news of an alarm: raised at a level, or ended. */
export interface AlarmNotification extends Pick<Alarm, 'key' | 'level' | 'message'> {
  /** ISO 8601. */
  since: string;
  state: 'raised' | 'ended';
}

export function notificationOf(
  { key, level, message, createdAt }: Alarm,
  state: AlarmNotification['state'],
): AlarmNotification {
  return { key, level, message, since: createdAt.toISOString(), state };
}

const openings = { critical: 'Guichet, urgent', warning: 'Guichet, attention', ended: 'Guichet, fini' } as const;

/** An alarm as one SMS of 160 characters at most, all of the GSM-7 alphabet. */
export function smsOf({ level, message, state }: AlarmNotification): string {
  const text = foldToGsm7(`${openings[state === 'ended' ? 'ended' : level]} : ${message}`);
  const { smsCharacters } = tellLimits;
  return text.length <= smsCharacters ? text : `${text.slice(0, smsCharacters - 3).trimEnd()}...`;
}
