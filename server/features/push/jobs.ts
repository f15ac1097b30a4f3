import { defineJob } from '#server/database/define-job.ts';
import { type PushTools, sendPush } from './send-push.ts';
import { pushServices as knownServices, pushSubject } from './services.ts';
import { pushJob } from './store.ts';

interface Tools extends Pick<PushTools, 'db' | 'log' | 'outlast'> {
  /** Origins that pushes go to, for tests; those of the browsers' makers when left out. */
  pushServices?: readonly string[] | undefined;
  /** Of the site, if it is known. */
  publicUrl?: string | undefined;
}

export const sendPushJob = defineJob({
  ...pushJob,
  run: ({ pushServices: services = knownServices, publicUrl, ...tools }: Tools, job) =>
    sendPush({ ...tools, services, subject: pushSubject(publicUrl) }, job),
});
