import { defineJob } from '#server/database/define-job.ts';
import { type SendingTools, sendSms } from './sms-sending.ts';
import { smsJob } from './store.ts';

export const sendSmsJob = defineJob({
  ...smsJob,
  run: (tools: SendingTools, { id }, job) => sendSms(tools, id, job),
});
