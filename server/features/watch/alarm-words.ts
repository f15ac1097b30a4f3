import * as z from 'zod';
import { type Alarm, tellAlarmEndJob } from '#server/features/alarms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { foldToGsm7 } from './fold-to-gsm7.ts';

/** The news of an alarm: raised at a level, or ended; `since` in ISO 8601. */
export const alarmNotification = tellAlarmEndJob.payload.extend({ state: z.enum(['raised', 'ended']) });
export type AlarmNotification = z.output<typeof alarmNotification>;

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
