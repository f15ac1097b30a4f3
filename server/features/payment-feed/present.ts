import type { PaymentAccount } from '#contract/payment-feed.ts';
import type { PaymentMessage } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import type { Seal } from './seal.ts';
import { countMessages, listAccounts, listSilentSources, listSources, type MessageRow } from './store.ts';

/** Every account with its sources, and what came of late. */
export async function readAccounts(db: Db): Promise<PaymentAccount[]> {
  const sources = await listSources(db);
  const counts = await countMessages(db);
  const silent = await listSilentSources(db);
  return (await listAccounts(db)).map(({ createdAt, updatedAt, ...account }) => ({
    ...account,
    messages: counts.get(account.id)?.messages ?? 0,
    unread: counts.get(account.id)?.unread ?? 0,
    sources: sources
      .filter(({ accountId }) => accountId === account.id)
      .map(({ id, kind, signingSecret, lastSeenAt, createdAt: since }) => ({
        id,
        kind,
        isSigned: signingSecret !== null,
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
        isSilent: silent.has(id),
        createdAt: since.toISOString(),
      })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

export function presentMessage(
  { id, accountId, sender, sealedText, why, receivedAt }: MessageRow,
  seal: Seal,
): PaymentMessage {
  const text = sealedText === null ? undefined : seal.open(sealedText);
  return { id, accountId, sender, text: text ?? null, why, receivedAt: receivedAt.toISOString() };
}
