import type { Db } from '#server/database/connect.ts';
import { pushLimits } from '#server/process/sending-limits.ts';
import { type Delivery, deliver } from './deliver.ts';
import { isOfService } from './services.ts';
import {
  deleteSubscription,
  findNews,
  listSubscriptions,
  type PushJob,
  type PushNews,
  type PushSubscription,
  queuePush,
  requirePushKeys,
} from './store.ts';

const verbs: Record<string, string> = { success: 'a été approuvée', error: 'a été rejetée' };

/** The JSON for the browser's service worker. A lock screen shows it, so it has no name, amount, service or reason. */
function pushText({ id, ticketId, type, title }: PushNews): string {
  const verb = verbs[type];
  const body = verb
    ? `Votre demande n°\u00a0${ticketId} ${verb}.`
    : `Il y a du nouveau pour votre demande n°\u00a0${ticketId}.`;
  return JSON.stringify({ title, body, notification: id, ticket: ticketId });
}

export interface PushTools {
  db: Db;
  services: readonly string[];
  /** Who we are to push services. */
  subject: string;
  log: Record<'info' | 'warn', (details: object, message: string) => void>;
  /** Does what may be done twice, however often the database is away meanwhile. */
  outlast<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Tells each browser of a person what is newest about their ticket, unless it is read or a day old. A gone browser is
 * forgotten; a later one is retried, `pushLimits.tries` times in all. After a crash a browser may be told twice.
 */
export async function sendPush(tools: PushTools, job: PushJob): Promise<void> {
  const { db, services, subject, log, outlast } = tools;
  const { userId, ticketId, again } = job;
  const news = await outlast(() => findNews(db, userId, ticketId));
  if (!news?.isNew || (again && again.newsId !== news.id)) return;
  const subscriptions = await outlast(() => listSubscriptions(db, userId, again?.subscriptionId));
  if (subscriptions.length === 0) return;
  const keys = await outlast(() => requirePushKeys(db));
  const attempt = again?.attempt ?? 1;

  const tell = async (subscription: PushSubscription) => {
    const forget = () => outlast(() => deleteSubscription(db, userId, subscription.endpoint));
    // Of a service that the product knew when it was kept.
    if (!isOfService(subscription.endpoint, services)) return forget();
    const push = { subscription, text: pushText(news), topic: `ticket-${ticketId}`, keys, subject };
    const delivery = await deliver(push);
    const isLast = delivery.outcome === 'later' && attempt >= pushLimits.tries;
    // The address is the right to push to that browser: only whose service it is gets into the log.
    const details = { service: new URL(subscription.endpoint).host, answer: delivery.answer, ticketId, attempt };
    if (delivery.outcome === 'refused' || isLast) log.warn(details, 'push given up');
    else log.info(details, `push ${delivery.outcome}`);
    if (delivery.outcome === 'gone') await forget();
    if (delivery.outcome !== 'later' || isLast) return;
    const next = { newsId: news.id, subscriptionId: subscription.id, attempt: attempt + 1 };
    await outlast(() => db.ask(queuePush({ userId, ticketId, again: next }, pauseAfter(attempt, delivery))));
  };
  await Promise.all(subscriptions.map(tell));
}

/** Seconds until the next try: what the service asks for, and at least our own pause, within bounds. */
function pauseAfter(attempt: number, { retryAfter = 0 }: Delivery): number {
  const own = pushLimits.firstPauseSeconds * 4 ** (attempt - 1);
  return Math.min(Math.max(own, retryAfter), pushLimits.longestPauseSeconds);
}
