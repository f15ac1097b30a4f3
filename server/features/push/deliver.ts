import webPush from 'web-push';
import { pushLimits } from '#server/process/sending-limits.ts';
import type { PushKeys, PushSubscription } from './store.ts';

export interface Push {
  subscription: PushSubscription;
  text: string;
  /** What a newer push of the same replaces while the browser is away: at most 32 characters of base64url. */
  topic: string;
  keys: PushKeys;
  subject: string;
  timeoutMs?: number;
}

export interface Delivery {
  /** Gone is a browser that no longer listens; later is one whose service may take it yet. */
  outcome: 'sent' | 'gone' | 'refused' | 'later';
  /** The HTTP status, or what kept the service from answering; never an address. */
  answer: string;
  /** Seconds that the service asks us to wait. */
  retryAfter?: number | undefined;
}

/** Hands a message to a push service, encrypted (RFC 8291) and signed (RFC 8292). Never throws for its faults. */
export async function deliver({ subscription, text, topic, keys, subject, timeoutMs }: Push): Promise<Delivery> {
  const { endpoint, p256dh, auth } = subscription;
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    TTL: pushLimits.lifetimeSeconds,
    urgency: 'normal',
    topic,
    contentEncoding: 'aes128gcm',
    vapidDetails: { subject, ...keys },
  });
  // Said by fetch itself.
  const { 'Content-Length': _, ...headers } = request.headers as Record<string, string>;
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: request.body as Buffer<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs ?? pushLimits.requestMs),
    });
    // What it says beyond that is never looked at.
    await response.body?.cancel();
    return {
      outcome: outcomeOf(response.status),
      answer: String(response.status),
      retryAfter: secondsOf(response.headers.get('retry-after')),
    };
  } catch (error) {
    return { outcome: 'later', answer: reasonOf(error) };
  }
}

function outcomeOf(status: number): Delivery['outcome'] {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

/** A Retry-After: seconds, or an HTTP date (RFC 9110 §10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return name === 'TimeoutError' ? 'no answer in time' : (code ?? name);
}
