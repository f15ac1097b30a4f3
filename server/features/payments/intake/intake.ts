import type { PaymentInput } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { paymentFeedLimits } from './limits.ts';
import { recordLines, type ToldLine } from './lines.ts';
import { type Operator, openOperators } from './operators/open-operators.ts';
import { fold } from './operators/patterns.ts';
import { type Reading, readMessage, readOutgoing } from './operators/read-message.ts';
import { openShapes } from './operators/taught-shapes.ts';
import { openSeal, type Seal } from './seal.ts';
import { findTaughtWallet } from './shapes.ts';
import {
  type AccountRow,
  findSim,
  keepMessage,
  lockAccount,
  type MessageRow,
  otherSim,
  setMessageRead,
} from './store.ts';

/** The tools that read messages. */
export interface MessageReading {
  operators: readonly Operator[];
  seal: Seal;
}

/** Reads the operators' files; `key` is the seal's. Throws a sentence about a faulty file. */
export const openMessageReading = (key: Buffer): MessageReading => ({
  operators: openOperators(),
  seal: openSeal(key),
});

/** The patterns for an account's messages: the built-in ones, and the taught shapes of its wallet. */
export async function readersOf(
  db: Db,
  operators: readonly Operator[],
  account: Pick<AccountRow, 'country' | 'paymentTypeId'>,
): Promise<readonly Operator[]> {
  const wallet = await findTaughtWallet(db, account);
  return wallet && wallet.shapes.length > 0 ? [...operators, openShapes(operators, wallet, wallet.shapes)] : operators;
}

/** A message that arrives; a pasted one has no source. */
export interface Arrived extends Pick<MessageRow, 'accountId' | 'sourceId' | 'sender' | 'sentAt'> {
  text: string;
  /** The SIM of its source that received it. */
  sim?: string | null;
  /** Its original stamp, which distinguishes equal messages; `sentAt` is the corrected time. */
  stampedAt?: Date | null;
  /** Why it cannot be read. */
  why?: string;
  /** Its number among equal texts that were pasted together, from 1. */
  copy?: number;
}

/** A message's text in one spelling, equal for all its copies. */
export const plainText = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/**
 * Stores a message and reads it, in the caller's transaction; answers its state, or undefined for a known message. Equal contents are one
 * message, by any way they come. A text without reference and balance also counts its minute or, if pasted, its day and place. Throws
 * PAYMENT_ACCOUNT_NOT_FOUND.
 */
export async function takeMessage(
  { operators, seal }: MessageReading,
  tx: Db,
  { text, copy = 1, why, stampedAt = null, ...arrived }: Arrived,
): Promise<MessageRow['state'] | undefined> {
  const { sourceId, sender } = arrived;
  // Locked first: another message of the same payment may come meanwhile.
  const account = await lockAccount(tx, arrived.accountId);
  const readers = await readersOf(tx, operators, account);
  const read = readMessage(text, { operators: readers, sender, country: account.country });
  const isTold = read.reference !== undefined || read.balanceAfter !== undefined;
  const pasted = sourceId === null ? `${new Date().toISOString().slice(0, 10)} ${copy}` : '';
  const place = stampedAt ? Math.floor(stampedAt.getTime() / 60_000) : pasted;
  const contentHash = seal.digest(`${plainText(text)}|${isTold ? '' : place}`);
  const message = await keepMessage(tx, { ...arrived, contentHash, sealedText: seal.seal(text) });
  if (!message) return undefined;
  const judged: Judged = why
    ? { state: 'unread', why }
    : await judgeKept(tx, readers, { account, message, text, read });
  if (judged.line) await recordLines(tx, account.id, inputOf(message), [judged.line]);
  return setMessageRead(tx, message.id, judged);
}

/** A message's new state, and its line. */
interface Judged extends Pick<MessageRow, 'state'>, Partial<Pick<MessageRow, 'why' | 'parser'>> {
  line?: ToldLine;
}

/** A message of an account with its reading. */
interface ReadMessage {
  account: AccountRow;
  message: MessageRow;
  text: string;
  read: Reading;
}

const inputOf = ({ sourceId }: MessageRow): PaymentInput => (sourceId === null ? 'paste' : 'sms');

/** Judges a stored message. A message to another SIM than the account's does not count. */
async function judgeKept(tx: Db, operators: readonly Operator[], given: ReadMessage): Promise<Judged> {
  const { sim, sourceId } = given.message;
  const own = sim !== null && sourceId !== null ? await findSim(tx, sourceId) : undefined;
  if (!own || own.sim === sim) return judge(operators, given);
  if (own.isSimChosen) return { state: 'ignored', why: otherSim };
  const asked = 'Choisissez dans Comptes celle qui reçoit les paiements.';
  return { state: 'unread', why: `Ce SMS vient d'une autre SIM de ce téléphone (${sim}). ${asked}` };
}

/** Makes a line of a payment, and refuses one from a sender that may not send. */
function judge(
  operators: readonly Operator[],
  { account, message, text, read: { parser, ...read } }: ReadMessage,
): Judged {
  const isPasted = message.sourceId === null;
  const isAllowed = mayTell(message.sender, account.allowedSenders, operators, read.operator);
  const at = toldAt(message);
  if (read.kind !== 'payment') {
    const context = { operators, country: account.country };
    const sent = isPasted || isAllowed ? readOutgoing(text, read, context) : undefined;
    // A pasted message without a time in its text has no known time.
    const isLine = sent && !isFuture(sent, message) && (sent.paidAt || !isPasted);
    return { state: read.kind, why: read.why, parser, ...(isLine && { line: lineOf(sent, at, isAllowed) }) };
  }
  if (isFuture(read, message)) return { state: 'unread', why: 'Ce SMS dit une date du futur.', parser };
  if (!isPasted && !isAllowed) {
    const unknown = message.sender === null ? "Le téléphone n'a pas dit l'expéditeur." : 'Expéditeur inconnu.';
    return { state: 'refused', why: `${unknown} Un SMS peut être imité.`, parser };
  }
  const line = lineOf(read, at, isAllowed);
  // A pasted message without reference and time could be any payment, so a person enters its time.
  if (isPasted && !line.reference && !read.paidAt)
    return { state: 'unread', why: "Ce SMS ne dit ni référence ni heure : notez l'heure du paiement.", parser };
  return { state: 'parsed', line, parser };
}

/**
 * Reads stored messages of a locked account again, by these operators only, if their texts still exist. It stores their new states, and
 * answers them with their lines.
 */
export async function readAgain(
  { operators, seal }: MessageReading,
  tx: Db,
  account: AccountRow,
  messages: readonly MessageRow[],
): Promise<Judged[]> {
  const all: Judged[] = [];
  for (const message of messages) {
    const read = openKept({ operators, seal }, account, message);
    if (!read) continue;
    const judged = await judgeKept(tx, operators, read);
    if (judged.line) await recordLines(tx, account.id, inputOf(message), [judged.line]);
    await setMessageRead(tx, message.id, judged);
    all.push(judged);
  }
  return all;
}

/** The line of a stored message, in any state. */
export function lineOfKept(reading: MessageReading, account: AccountRow, message: MessageRow): ToldLine | undefined {
  const read = openKept(reading, account, message);
  return read && judge(reading.operators, read).line;
}

function openKept(
  { operators, seal }: MessageReading,
  account: AccountRow,
  message: MessageRow,
): ReadMessage | undefined {
  const text = message.sealedText === null ? undefined : seal.open(message.sealedText);
  if (text === undefined) return undefined;
  return {
    account,
    message,
    text,
    read: readMessage(text, { operators, sender: message.sender, country: account.country }),
  };
}

/** Letters of every alphabet are kept, and the sign for a lost one, so that look-alike names differ. */
const plainName = (name: string) => fold(name).replace(/[^\p{L}\p{N}\ufffd]/gu, '');

/** Whether a sender may send: the account allows it or, if it names no senders, its operator does. */
export function mayTell(sender: string | null, ofAccount: string[], operators: readonly Operator[], operator?: string) {
  const ofOperator = operators.filter((each) => each.operator === operator).flatMap(({ senders }) => senders);
  const allowed = (ofAccount.length > 0 ? ofAccount : ofOperator).map(plainName);
  return sender !== null && allowed.includes(plainName(sender));
}

/** The time of a message without one in its text: when it was sent, if that is plausible, else when it came. */
function toldAt({ sentAt, receivedAt }: MessageRow): Date {
  const lateMs = receivedAt.getTime() - (sentAt?.getTime() ?? Number.NaN);
  return sentAt && lateMs >= -paymentFeedLimits.clockMs && lateMs <= paymentFeedLimits.lateMs ? sentAt : receivedAt;
}

/** Whether the time in a message's text lies in the future. */
const isFuture = ({ paidAt = '' }: Reading, { receivedAt }: MessageRow) =>
  Date.parse(paidAt) > receivedAt.getTime() + paymentFeedLimits.futureMs;

/** The line of a message that is a payment. */
export function lineOf(read: Reading, toldAt: Date, senderMay: boolean): ToldLine {
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
    senderMay,
    shapeId: read.shapeId ?? null,
  };
}
