import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { tellAlarmEndJob, tellAlarmsJob } from '#server/features/alarms/store.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { watchCertificate, watchShared } from './checks.ts';
import { type AlarmChannels, callWebhook, notifyAlarmEnd, notifyAlarms, webhookJob } from './notify.ts';
import { isUp } from './store.ts';

/** The watched conditions and the recipients, from the settings. */
export interface Watching {
  channels: AlarmChannels;
  publicUrl?: string | undefined;
  backupFolder?: string | undefined;
}

interface Tools {
  db: Db;
  watching: Watching;
}

// What a stop left out is not made up for: the next minute comes.
const options = { backfillPeriod: 0 };

export const watchJob = defineJob({
  name: 'watch',
  cron: { match: watchLimits.sharedCrontab, options },
  run: ({ db, watching: { backupFolder } }: Tools) => watchShared({ db, backupFolder }),
});

export const watchCertificateJob = defineJob({
  name: 'watch_certificate',
  cron: { match: watchLimits.certificateCrontab, options },
  run: ({ db, watching: { publicUrl } }: Tools) => watchCertificate({ db, publicUrl }),
});

export const notifyAlarmsJob = defineJob({
  ...tellAlarmsJob,
  run: ({ db, watching }: Tools) => notifyAlarms(db, watching.channels),
});

export const notifyAlarmEndJob = defineJob({
  ...tellAlarmEndJob,
  run: ({ db, watching }: Tools, ended) => notifyAlarmEnd(db, watching.channels, ended),
});

export const callWebhookJob = defineJob({
  ...webhookJob,
  async run({ db, watching: { channels, publicUrl } }: Tools, news) {
    // Queued by a process that had one set, this one may have none.
    if (!channels.webhook) return;
    // An alarm that ended while the webhook refused is over: its end was notified, maybe before.
    if (news.state === 'raised' && !(await isUp(db, news.key))) return;
    await callWebhook(channels.webhook, { ...news, url: publicUrl });
  },
});
