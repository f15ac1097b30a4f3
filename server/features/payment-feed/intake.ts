import type { CountryCode } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import { recordLines, type ToldLine } from './lines.ts';
import { type Operator, openOperators } from './operators/open-operators.ts';
import { fold } from './operators/patterns.ts';
import { type Reading, readMessage, readOutgoing } from './operators/read-message.ts';
import { openSeal, type Seal } from './seal.ts';
import {
  keepMessage,
  lockAccount,
  lockWaitingMessage,
  type MessageRow,
  readMessageJob,
  setMessageRead,
} from './store.ts';

/** What a message is read with. */
export interface MessageReading {
  operators: readonly Operator[];
  seal: Seal;
}

/** Reads the operators' files; `key` is the seal's. Throws a sentence about a file's fault. */
export const openMessageReading = (key: Buffer): MessageReading => ({
  operators: openOperators(),
  seal: openSeal(key),
});

/** A message; a pasted one has no source. */
export interface Arrived extends Pick<MessageRow, 'accountId' | 'sourceId' | 'sender' | 'sentAt'> {
  country: CountryCode;
  text: string;
  /** Of equal texts that were pasted together, which one it is, from 1. */
  copy?: number;
}

/** A message's text without what copies of it differ by. */
export const plainText = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/**
 * Keeps a message to be read by a job; answers its id where it is new. The same content is one message, by whatever way it came;
 * where it has neither reference nor balance, its minute, or its day and its place among pasted ones, tells it from another one.
 */
export async function takeMessage(
  { operators, seal }: MessageReading,
  db: Db,
  arrived: Arrived,
): Promise<number | undefined> {
  const { country, sourceId, sender, text, sentAt, copy = 1 } = arrived;
  const read = readMessage(text, { operators, sender, country });
  const isTold = read.reference !== undefined || read.balanceAfter !== undefined;
  const pasted = sourceId === null ? `${new Date().toISOString().slice(0, 10)} ${copy}` : '';
  const place = sentAt ? Math.floor(sentAt.getTime() / 60_000) : pasted;
  const contentHash = seal.digest(`${plainText(text)}|${isTold ? '' : place}`);
  return keepMessage(db, { ...arrived, contentHash, sealedText: seal.seal(text) });
}

/**
 * Reads a kept message in the caller's transaction: a payment becomes a line, and who may not send is refused. Answers what
 * became of it; nothing where it was read before.
 */
export async function readKeptMessage(
  { operators, seal }: MessageReading,
  tx: Db,
  id: number,
): Promise<MessageRow['state'] | undefined> {
  const message = await lockWaitingMessage(tx, id);
  if (!message) return undefined;
  const text = message.sealedText === null ? undefined : seal.open(message.sealedText);
  if (text === undefined)
    return setMessageRead(tx, id, { state: 'unread', why: 'Le message ne peut plus être ouvert.' });
  // Before any look at its lines: another message of the same payment may be read meanwhile.
  const account = await lockAccount(tx, message.accountId);
  const context = { operators, sender: message.sender, country: account.country };
  const { parser = null, ...read } = readMessage(text, context);
  const noteRead = (state: MessageRow['state'], why: string | null = null) =>
    setMessageRead(tx, id, { state, parser, why });
  const isPasted = message.sourceId === null;
  const isAllowed = mayTell(message.sender, account.allowedSenders, operators, read.operator);
  const input = isPasted ? 'paste' : 'sms';
  const at = toldAt(message.sentAt, message.receivedAt);
  if (read.kind !== 'payment') {
    const sent = isPasted || isAllowed ? readOutgoing(text, read, context) : undefined;
    // When a pasted one was that tells no time, nothing says.
    if (sent && (sent.paidAt || !isPasted)) await recordLines(tx, account.id, input, [lineOf(sent, at, isAllowed)]);
    return noteRead(read.kind, read.why);
  }
  if (!isPasted && !isAllowed) return noteRead('refused', 'Expéditeur inconnu. Un SMS peut être imité.');
  const line = lineOf(read, at, isAllowed);
  // Nothing tells a pasted message without a reference and a time from another payment: a person says when it was.
  if (isPasted && !line.reference && !read.paidAt)
    return noteRead('unread', "Ce SMS ne dit ni référence ni heure : notez l'heure du paiement.");
  await recordLines(tx, account.id, input, [line]);
  return noteRead('parsed');
}

export const readPaymentMessageJob = defineJob({
  ...readMessageJob,
  run: async ({ db, payments }: { db: Db; payments: MessageReading }, { id }) => {
    await db.transaction(async (tx) => {
      await readKeptMessage(payments, tx, id);
    });
  },
});

/** Of any alphabet, every letter counts: without the foreign ones a name that only looks like another would be it. */
const plainName = (name: string) => fold(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a sender is one that the account, or else its operator, names. */
function mayTell(sender: string | null, ofAccount: string[], operators: readonly Operator[], operator?: string) {
  const ofOperator = operators.filter((each) => each.operator === operator).flatMap(({ senders }) => senders);
  const allowed = (ofAccount.length > 0 ? ofAccount : ofOperator).map(plainName);
  return sender !== null && allowed.includes(plainName(sender));
}

/** The time of a message that tells none: the phone's, unless its clock is wrong by more than a day. */
function toldAt(sentAt: Date | null, receivedAt: Date): Date {
  const apart = sentAt ? Math.abs(sentAt.getTime() - receivedAt.getTime()) : Number.POSITIVE_INFINITY;
  return sentAt && apart <= paymentFeedLimits.clockMs ? sentAt : receivedAt;
}

/** The line of a message that is a payment. */
export function lineOf(read: Reading, toldAt: Date, isTrusted: boolean): ToldLine {
  return {
    direction: read.direction ?? 'in',
    state: 'announced',
    gross: read.gross ?? 0,
    fee: read.fee ?? null,
    balanceAfter: read.balanceAfter ?? null,
    reference: read.reference || null,
    ourReference: read.ourReference ?? null,
    payer: read.payer ?? null,
    paidAt: read.paidAt ? new Date(read.paidAt) : toldAt,
    isTrusted,
  };
}
