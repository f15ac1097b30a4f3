import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { type MessageReading, mayTell, readAgain, readersOf } from './intake.ts';
import { type Confirmed, partsOf, type TemplatePart, TemplateRefusal, templateOf } from './operators/make-template.ts';
import type { Operator } from './operators/open-operators.ts';
import { fold } from './operators/patterns.ts';
import { readMessage } from './operators/read-message.ts';
import { faultOfShape, openShapes } from './operators/taught-shapes.ts';
import { findTaughtWallet, insertShape, listTexts } from './shapes.ts';
import * as store from './store.ts';

/** Most shapes of one wallet in one country: each message is compared with all of them. */
const shapesAtMost = 40;
const isKnown = 'Les messages de cette forme sont déjà lus.';

const refuse = (path: string, message: string) => new Failure('INVALID', { issues: [{ path, message }] });

interface Lesson {
  account: store.AccountRow;
  /** An unread message, of this account or another one. */
  message: store.MessageRow;
  confirmed: Confirmed;
}

/**
 * Makes the shape of a message from the values that a person confirmed. Throws INVALID with the faulty field: a value that is not in the
 * text. Also for a shape that is too general, known, misreads its own message, or changes what is read today.
 */
async function makeShape({ operators, seal }: MessageReading, db: Db, { account, message, confirmed }: Lesson) {
  const text = message.sealedText === null ? undefined : seal.open(message.sealedText);
  const wallet = await findTaughtWallet(db, account);
  if (text === undefined) throw refuse('learn', "Le texte de ce message n'est plus lisible.");
  if (!wallet) throw refuse('learn', 'Le type de paiement de ce compte est supprimé.');
  if (wallet.shapes.length >= shapesAtMost)
    throw refuse('learn', `Ce type de paiement a déjà ${shapesAtMost} formes\u00a0: retirez-en une dans Comptes.`);
  const readers = [...operators, openShapes(operators, wallet, wallet.shapes)];
  if (readMessage(text, { operators: readers, country: account.country }).kind === 'payment')
    throw refuse('learn', isKnown);
  const parts = cutText(text, confirmed, account);
  const template = templateOf(parts);
  const ignored = (await listTexts(db, wallet, 'ignored')).flatMap(({ sealed }) => seal.open(sealed) ?? []);
  const fault = faultOfShape({ template, text, confirmed }, { operators: readers, wallet, ignored });
  if (fault) throw refuse('learn', fault);
  return { wallet, parts, template };
}

function cutText(text: string, confirmed: Confirmed, { country }: store.AccountRow): TemplatePart[] {
  try {
    return partsOf(text, confirmed, country);
  } catch (error) {
    throw error instanceof TemplateRefusal ? refuse(error.field, error.message) : error;
  }
}

/** The sender of a message, if it may not send for the account. */
function senderToAllow({ operators }: MessageReading, { account, message: { sender } }: Lesson, shapes: Operator) {
  const isAllowed = sender === null || mayTell(sender, account.allowedSenders, operators, shapes.operator);
  return isAllowed ? null : sender;
}

/** Unread messages of a wallet that have this shape. */
async function listAlike({ seal }: MessageReading, db: Db, wallet: store.Wallet, shape: Operator) {
  return (await listTexts(db, wallet, 'unread')).filter(({ sealed }) => {
    const text = seal.open(sealed);
    return text !== undefined && shape.messages.some(({ pattern }) => pattern.match(fold(text)));
  });
}

/** Previews a message's shape: its parts, how many unread messages have it, and the sender if it may not send. Throws as `makeShape`. */
export async function lookAtShape(tools: MessageReading, db: Db, lesson: Lesson) {
  const { wallet, parts, template } = await makeShape(tools, db, lesson);
  const shape = openShapes(tools.operators, wallet, [{ id: 0, template }]);
  const alike = await listAlike(tools, db, wallet, shape);
  return {
    parts: parts.map(({ text, placeholder = null }) => ({ text, placeholder })),
    waiting: alike.filter(({ id }) => id !== lesson.message.id).length,
    stranger: senderToAllow(tools, lesson, shape),
  };
}

/**
 * Stores the shape of a message that a person read, and allows its sender if asked. Then it reads the unread messages of the wallet's
 * accounts again; answers how many became lines. Throws as `makeShape`.
 */
export async function learnShape(
  tools: MessageReading,
  tx: Db,
  { allowSender, createdBy, ...lesson }: Lesson & { allowSender: boolean; createdBy: number },
): Promise<{ shape: number; template: string; read: number }> {
  const { wallet, template } = await makeShape(tools, tx, lesson);
  const id = await insertShape(tx, wallet, { template, createdBy });
  if (id === undefined) throw refuse('learn', isKnown);
  const shape = openShapes(tools.operators, wallet, [{ id, template }]);
  const added = allowSender ? senderToAllow(tools, lesson, shape) : null;
  if (added !== null) await allow(tools, tx, lesson.account, shape, added);
  const known = { ...tools, operators: await readersOf(tx, tools.operators, wallet) };
  const alike = Map.groupBy(await listAlike(tools, tx, wallet, shape), ({ accountId }) => accountId);
  let read = 0;
  for (const account of await store.lockWallet(tx, wallet)) {
    const waiting: store.MessageRow[] = [];
    for (const each of alike.get(account.id) ?? []) waiting.push(await store.lockUnread(tx, each.id));
    const judged = await readAgain(known, tx, account, waiting);
    read += judged.filter(({ state }) => state === 'parsed').length;
  }
  return { shape: id, template, read };
}

/** Allows a sender for an account. An account that names none first takes its operator's senders. */
async function allow(
  { operators }: MessageReading,
  tx: Db,
  { id, country, allowedSenders }: store.AccountRow,
  shape: Operator,
  sender: string,
): Promise<void> {
  const usual = operators.filter((each) => each.operator === shape.operator && each.country === country);
  const before = allowedSenders.length > 0 ? allowedSenders : usual.flatMap(({ senders }) => senders);
  await store.updateAccount(tx, id, { allowedSenders: [...before, sender] });
}
