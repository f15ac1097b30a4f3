import type { Db } from '#server/database/connect.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import { recordLines, type ToldLine } from './lines.ts';
import { type Operator, openOperators } from './operators/open-operators.ts';
import { fold } from './operators/patterns.ts';
import { type Reading, readMessage, readOutgoing } from './operators/read-message.ts';
import { openSeal, type Seal } from './seal.ts';
import { type AccountRow, keepMessage, lockAccount, type MessageRow, setMessageRead } from './store.ts';

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
  text: string;
  /** Which SIM of its source it came to. */
  sim?: string | null;
  /** As it is stamped, which tells equal messages apart; `sentAt` is that time put right. */
  stampedAt?: Date | null;
  /** Why nothing is to be read in it. */
  why?: string;
  /** Of equal texts that were pasted together, which one it is, from 1. */
  copy?: number;
}

/** A message's text without what copies of it differ by. */
export const plainText = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/**
 * Keeps a message and reads it, in the caller's transaction; answers what became of it, and nothing where it is known. The same
 * content is one message, by whatever way it came; where it has neither reference nor balance, its minute, or its day and its place
 * among pasted ones, tells it from another one. Throws PAYMENT_ACCOUNT_NOT_FOUND.
 */
export async function takeMessage(
  { operators, seal }: MessageReading,
  tx: Db,
  { text, copy = 1, why, stampedAt = null, ...arrived }: Arrived,
): Promise<MessageRow['state'] | undefined> {
  const { sourceId, sender } = arrived;
  // Before any look at its messages and lines: another message of the same payment may come meanwhile.
  const account = await lockAccount(tx, arrived.accountId);
  const read = readMessage(text, { operators, sender, country: account.country });
  const isTold = read.reference !== undefined || read.balanceAfter !== undefined;
  const pasted = sourceId === null ? `${new Date().toISOString().slice(0, 10)} ${copy}` : '';
  const place = stampedAt ? Math.floor(stampedAt.getTime() / 60_000) : pasted;
  const contentHash = seal.digest(`${plainText(text)}|${isTold ? '' : place}`);
  const message = await keepMessage(tx, { ...arrived, contentHash, sealedText: seal.seal(text) });
  if (!message) return undefined;
  if (why) return setMessageRead(tx, message.id, { state: 'unread', why });
  return noteReading(tx, operators, account, message, text, read);
}

/** Notes what a kept message of a locked account becomes: a payment is a line, and who may not send is refused. */
async function noteReading(
  tx: Db,
  operators: readonly Operator[],
  account: AccountRow,
  message: MessageRow,
  text: string,
  { parser, ...read }: Reading,
): Promise<MessageRow['state']> {
  const note = (state: MessageRow['state'], why: string | null = null) =>
    setMessageRead(tx, message.id, { state, parser: parser ?? null, why });
  const isPasted = message.sourceId === null;
  const isAllowed = mayTell(message.sender, account.allowedSenders, operators, read.operator);
  const input = isPasted ? 'paste' : 'sms';
  const at = toldAt(message);
  if (read.kind !== 'payment') {
    const context = { operators, country: account.country };
    const sent = isPasted || isAllowed ? readOutgoing(text, read, context) : undefined;
    // When a pasted one was that tells no time, nothing says.
    if (sent && !isFuture(sent, message) && (sent.paidAt || !isPasted))
      await recordLines(tx, account.id, input, [lineOf(sent, at, isAllowed)]);
    return note(read.kind, read.why);
  }
  if (isFuture(read, message)) return note('unread', 'Ce SMS dit une date du futur.');
  if (!isPasted && !isAllowed)
    return note(
      'refused',
      message.sender === null
        ? "Le téléphone n'a pas dit l'expéditeur. Un SMS peut être imité."
        : 'Expéditeur inconnu. Un SMS peut être imité.',
    );
  const line = lineOf(read, at, isAllowed);
  // Nothing tells a pasted message without a reference and a time from another payment: a person says when it was.
  if (isPasted && !line.reference && !read.paidAt)
    return note('unread', "Ce SMS ne dit ni référence ni heure : notez l'heure du paiement.");
  await recordLines(tx, account.id, input, [line]);
  return note('parsed');
}

/** Letters of every alphabet are kept, and what stands for one that is lost, so that names that look alike differ. */
const plainName = (name: string) => fold(name).replace(/[^\p{L}\p{N}\ufffd]/gu, '');

/** Whether a sender is one that the account, or else its operator, names. */
function mayTell(sender: string | null, ofAccount: string[], operators: readonly Operator[], operator?: string) {
  const ofOperator = operators.filter((each) => each.operator === operator).flatMap(({ senders }) => senders);
  const allowed = (ofAccount.length > 0 ? ofAccount : ofOperator).map(plainName);
  return sender !== null && allowed.includes(plainName(sender));
}

/** The time of a message that tells none: the one at which it was sent, however late it came, unless that cannot be. */
function toldAt({ sentAt, receivedAt }: MessageRow): Date {
  const lateMs = receivedAt.getTime() - (sentAt?.getTime() ?? Number.NaN);
  return sentAt && lateMs >= -paymentFeedLimits.clockMs && lateMs <= paymentFeedLimits.lateMs ? sentAt : receivedAt;
}

/** Whether the time in a message's own text is yet to come. */
const isFuture = ({ paidAt = '' }: Reading, { receivedAt }: MessageRow) =>
  Date.parse(paidAt) > receivedAt.getTime() + paymentFeedLimits.futureMs;

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
