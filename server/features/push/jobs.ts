import type { Job } from 'graphile-worker';
import webPush from 'web-push';
import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { pushLimits } from './limits.ts';
import { isOfService, pushServices as knownServices, pushSubject } from './services.ts';
import {
  deleteSubscription,
  findPush,
  type Push,
  type PushJob,
  type PushKeys,
  pushJob,
  requirePushKeys,
} from './store.ts';

interface Tools {
  db: Db;
  log: Record<'info' | 'warn', (details: object, message: string) => void>;
  /** Origins of push services, for tests; by default those of the browsers' makers. */
  pushServices?: readonly string[] | undefined;
  /** The site's address, if it is known. */
  publicUrl?: string | undefined;
}

export const sendPushJob = defineJob({ ...pushJob, run: sendPush });

/**
 * Pushes the newest notification of a ticket to a browser, unless it is read or a day old. A browser that no longer exists is deleted.
 * Throws if the service may accept it later: the queue retries. After a crash a browser may get it twice.
 */
async function sendPush(
  { db, log, pushServices = knownServices, publicUrl }: Tools,
  payload: PushJob,
  job: Pick<Job, 'attempts' | 'max_attempts' | 'created_at'>,
): Promise<void> {
  const push = await findPush(db, payload, job.created_at);
  if (!push) return;
  const forget = () => deleteSubscription(db, push.userId, push.endpoint);
  // The list of services may have changed since the subscription.
  if (!isOfService(push.endpoint, pushServices)) return forget();
  const answer = await deliver(push, { keys: await requirePushKeys(db), subject: pushSubject(publicUrl) });
  // The address gives the right to push to that browser, so only its host is logged.
  const details = { service: new URL(push.endpoint).host, answer, ticketId: push.ticketId, attempt: job.attempts };
  if (answer === 404 || answer === 410) {
    log.info(details, 'push gone');
    return forget();
  }
  if (typeof answer === 'number' && answer < 300) return log.info(details, 'push sent');
  const isLater = typeof answer === 'string' || answer === 429 || answer >= 500;
  if (isLater && job.attempts < job.max_attempts) throw new Error(`push service answered ${answer}`);
  log.warn(details, 'push given up');
}

const verbs: Record<string, string> = { success: 'a été approuvée', error: 'a été rejetée' };

/** The JSON for the browser's service worker. A lock screen shows it, so it has no name, amount, service or reason. */
function pushText({ newsId, ticketId, type, title }: Push): string {
  const verb = verbs[type];
  const body = verb
    ? `Votre demande n°\u00a0${ticketId} ${verb}.`
    : `Il y a du nouveau pour votre demande n°\u00a0${ticketId}.`;
  return JSON.stringify({ title, body, notification: newsId, ticket: ticketId });
}

/**
 * Sends a message to its push service, encrypted (RFC 8291) and signed (RFC 8292). Answers the HTTP status, or the error that kept the
 * service from answering; never an address.
 */
async function deliver(push: Push, { keys, subject }: { keys: PushKeys; subject: string }): Promise<number | string> {
  const { endpoint, p256dh, auth, ticketId } = push;
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, pushText(push), {
    TTL: pushLimits.lifetimeSeconds,
    urgency: 'normal',
    // A newer push of this ticket replaces it while the browser is away.
    topic: `ticket-${ticketId}`,
    contentEncoding: 'aes128gcm',
    vapidDetails: { subject, ...keys },
  });
  // `fetch` sets it itself.
  const { 'Content-Length': _, ...headers } = request.headers as Record<string, string>;
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: request.body as Buffer<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(pushLimits.requestMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { name, cause } = error as Error;
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
  }
}
