import { createHmac } from 'node:crypto';
import { tellLimits } from '#server/process/watch-limits.ts';

export interface Webhook {
  url: string;
  /** Signs each call, where there is one. */
  secret?: string | undefined;
}

/**
 * Posts news of an alarm as JSON, with the instant as `sentAt`. With a secret, X-Guichet-Signature is `sha256=` and the HMAC of the body in hexadecimal. Throws unless the answer is 2xx within
 * 5 s; a redirect is none. The failure's words name no address, which may hold a key.
 */
export async function callWebhook({ url, secret }: Webhook, news: object, now = new Date()): Promise<void> {
  const body = JSON.stringify({ ...news, sentAt: now.toISOString() });
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(tellLimits.webhookMs),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Guichet',
      ...(secret && { 'x-guichet-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    },
    body,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook for alarms answered ${answer.status}`);
}
