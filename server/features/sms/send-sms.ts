import type { Db } from '#server/database/connect.ts';
import type { SmsProvider } from './provider.ts';
import { closeSms, findQueuedSms, maximumAttempts } from './store.ts';

/**
 * Sends a queued message, once more if the process dies between sending and noting it. A provider's refusal is thrown,
 * so that the job runs again, until the last attempt; then the message is failed. Its body is wiped in every end.
 */
export async function sendSms(
  { db, provider }: { db: Db; provider: SmsProvider },
  { id, attempt }: { id: number; attempt: number },
): Promise<void> {
  const message = await findQueuedSms(db, id);
  if (!message?.body) return;
  const end = { provider: provider.name, attempts: attempt };
  if (message.expired) return closeSms(db, id, { status: 'expired', ...end });
  try {
    await provider.send({ to: message.recipient, text: message.body });
  } catch (error) {
    if (attempt < maximumAttempts) throw error;
    await closeSms(db, id, { status: 'failed', ...end });
    throw error;
  }
  await closeSms(db, id, { status: 'sent', ...end });
}
