import { defineJob } from '#server/database/define-job.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { checkBalances } from './gateway-alarms.ts';
import { type SendingTools, sendSms } from './send-sms.ts';
import { balanceJob } from './sending-store.ts';
import { smsJob } from './store.ts';

export const sendSmsJob = defineJob({
  ...smsJob,
  run: (tools: SendingTools, { id }, job) => sendSms(tools, { id, job: job.id }),
});

export const checkBalancesJob = defineJob({
  ...balanceJob,
  cron: { match: smsLimits.balanceCrontab, options: { backfillPeriod: 0, maxAttempts: 1, jobKey: balanceJob.name } },
  run: checkBalances,
});
