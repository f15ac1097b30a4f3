import type { CronItem, TaskList } from 'graphile-worker';
import type { Db } from '#server/database/connect.ts';
import { tellAlarmEndTask, tellAlarmsTask } from '#server/features/alarms/store.ts';
import type { AlarmNotification } from '#server/features/watch/alarm-words.ts';
import { callWebhook } from '#server/features/watch/call-webhook.ts';
import { notifyAlarmEnd } from '#server/features/watch/notify-alarm-end.ts';
import { notifyAlarms } from '#server/features/watch/notify-alarms.ts';
import { type AlarmChannels, webhookTask } from '#server/features/watch/queue-alarm-notification.ts';
import { isUp } from '#server/features/watch/store.ts';
import { watchCertificate } from '#server/features/watch/watch-certificate.ts';
import { watchShared } from '#server/features/watch/watch-shared.ts';
import { watchLimits } from '#server/process/watch-limits.ts';

/** The watched conditions and the recipients, from the settings; without them the conditions that need none, and no recipient. */
export interface Watching {
  channels?: AlarmChannels;
  publicUrl?: string | undefined;
  backupFolder?: string | undefined;
}

/** The jobs that watch and tell; each is done by one process of several. */
export function watchJobs({ db, channels = { phones: [] }, publicUrl, backupFolder }: Watching & { db: Db }): TaskList {
  return {
    watch: () => watchShared({ db, backupFolder }),
    watch_certificate: () => watchCertificate({ db, publicUrl }),
    [tellAlarmsTask]: () => notifyAlarms(db, channels),
    [tellAlarmEndTask]: (payload) => notifyAlarmEnd(db, channels, payload as Omit<AlarmNotification, 'state'>),
    [webhookTask]: async (payload) => {
      const news = payload as AlarmNotification;
      // Queued by a process that had one set, this one may have none.
      if (!channels.webhook) return;
      // An alarm that ended while the webhook refused is over: its end was notified, maybe before.
      if (news.state === 'raised' && !(await isUp(db, news.key))) return;
      await callWebhook(channels.webhook, { ...news, url: publicUrl });
    },
  };
}

/** When they run by themselves. What a stop left out is not made up for: the next minute comes. */
export const watchTimes: CronItem[] = [
  { task: 'watch', match: watchLimits.sharedCrontab, options: { backfillPeriod: 0 } },
  { task: 'watch_certificate', match: watchLimits.certificateCrontab, options: { backfillPeriod: 0 } },
];
