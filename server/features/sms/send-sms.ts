import type { Db } from '#server/database/connect.ts';
import { jobLimits } from '#server/process/limits.ts';
import type { SmsProvider } from './provider.ts';
import { closeSms, findQueuedSms } from './store.ts';

export interface SendingTools {
  db: Db;
  provider: SmsProvider;
  /** Does what may be done twice, however often the database is away meanwhile. */
  outlast<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Hears how each attempt to send ended. */
  onOutcome?: ((gateway: string, outcome: string) => void) | undefined;
}

/**
 * Sends a queued message, once more if the process dies, or is cut off from the database until others take it for dead,
 * between sending and noting it; an outage of the database alone only delays the note. A provider's refusal is thrown, so
 * that the job runs again, until the last attempt; then the message is failed. Its body is wiped in every end.
 */
export async function sendSms(
  { db, provider, outlast, onOutcome }: SendingTools,
  { id, attempt }: { id: number; attempt: number },
): Promise<void> {
  const message = await outlast(() => findQueuedSms(db, id));
  if (!message?.body) return;
  const close = (status: 'sent' | 'failed' | 'expired') =>
    outlast(() => closeSms(db, id, { status, provider: provider.name, attempts: attempt }));
  if (message.expired) return close('expired');
  try {
    await provider.send({ to: message.recipient, text: message.body });
  } catch (error) {
    onOutcome?.(provider.name, 'failed');
    if (attempt < jobLimits.smsAttempts) throw error;
    await close('failed');
    throw error;
  }
  onOutcome?.(provider.name, 'sent');
  await close('sent');
}
