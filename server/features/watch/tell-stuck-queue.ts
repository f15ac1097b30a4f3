import type { Db } from '#server/database/connect.ts';
import { callWebhook, type Webhook } from './call-webhook.ts';
import { noteTold, noteUntold } from './store.ts';

/**
 * Tells that the queue stands still, if that is so and nobody was told, and not by the queue: one process calls the webhook
 * itself. Throws when the call fails; the next look tries again.
 */
export async function tellStuckQueue(db: Db, webhook: Webhook, publicUrl: string | undefined): Promise<void> {
  const alarm = await noteTold(db, 'queue');
  if (!alarm) return;
  const { key, level, message, createdAt } = alarm;
  const news = { key, level, message, since: createdAt.toISOString(), state: 'raised', url: publicUrl } as const;
  await callWebhook(webhook, news).catch(async (error: unknown) => {
    await noteUntold(db, key);
    throw error;
  });
}
