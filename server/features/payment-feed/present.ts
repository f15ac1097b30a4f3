import type { PaymentAccount } from '#contract/payment-feed.ts';
import type { PaymentMessage } from '#contract/payments.ts';
import type { Seal } from './seal.ts';
import type { AccountRow, MessageRow, SourceRow } from './store.ts';

export function presentAccount(
  { createdAt, updatedAt, ...account }: AccountRow,
  facts: {
    sources: readonly SourceRow[];
    counts: ReadonlyMap<number, { messages: number; unread: number }>;
    silent: ReadonlySet<number>;
  },
): PaymentAccount {
  const { messages = 0, unread = 0 } = facts.counts.get(account.id) ?? {};
  return {
    ...account,
    messages,
    unread,
    sources: facts.sources
      .filter(({ accountId }) => accountId === account.id)
      .map(({ id, kind, signingSecret, lastSeenAt, createdAt: since }) => ({
        id,
        kind,
        isSigned: signingSecret !== null,
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
        isSilent: facts.silent.has(id),
        createdAt: since.toISOString(),
      })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function presentMessage(
  { id, accountId, sender, sealedText, why, receivedAt }: MessageRow,
  seal: Seal,
): PaymentMessage {
  const text = sealedText === null ? undefined : seal.open(sealedText);
  return { id, accountId, sender, text: text ?? null, why, receivedAt: receivedAt.toISOString() };
}
