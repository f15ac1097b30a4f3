import { isDeepStrictEqual } from 'node:util';
import { messageLength, type ReadMessage } from '#contract/payments.ts';
import type { CountryCode } from '#contract/phone.ts';
import type { Message, Operator } from './open-operators.ts';
import { amount, type Captured, currency, fold } from './patterns.ts';
import {
  instantOfReference,
  readFrancs,
  readHundredths,
  readInstant,
  readPayer,
  readTicketNumber,
} from './read-values.ts';

/** A message's reading, with the name and version of its pattern, or the id of its taught shape. */
export type Reading = ReadMessage & { parser?: string; shapeId?: number | undefined };

export interface ReadingContext {
  operators: readonly Operator[];
  /** The SMS's sender and the account's country: they decide where patterns of several operators match. */
  sender?: string | null;
  country?: CountryCode | undefined;
}

interface Match {
  operator: Operator;
  message: Message;
  captured: Captured | 'ambiguous';
}

const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}]/u;
const money = ` ?${currency}(?![a-z])`;
/** Also matches if the next message follows without a space. */
const amountOfMoney = new RegExp(String.raw`\d${money}|\d ?(?:f ?cfa|xof)|xof ?\d`);
const balanceTold = /solde[a-z' ]{0,30}:? ?(?:\d[ .,]?\d|$)/;
const datedInside = /\b[a-z]{2}\d{6}\.\d{4}\./;
const named = new RegExp(
  String.raw`\b(?:id|tid|ref) ?:(?: ?[a-z0-9]|[ .]*$)|\btrans(?:action)? ?id\b|${datedInside.source}`,
);
const moment = /(\d{4}-\d\d-\d\d|\d{1,2}[/-]\d{1,2}[/-]\d{4}) (\d{1,2}:\d\d(?::\d\d)?)/;
const cancelled = /annul|rejet|rembours/;
/**
 * Whether a text may be a reference. Without a digit it may be a word of the message, unless it is as long as those of Telecel and Moov.
 */
const isReference = (text: string) => text.length >= (/\d/.test(text) ? 4 : 10);
const dated = /^[A-Z]{2}\d{6}(?:\.|$)/;
const glued = /^\d{6,}[A-Z]{3,}|^(?:T?ID|REF)\d|SOLDE$/;
const datedWhole = /^[A-Z]{2}\d{6}\.\d{4}\.(?:[A-Z]\d{4,6}|\d{7,11})$/;

/**
 * Reads one SMS: a payment if exactly one reading is best, 'ignored' if it is a known message of another kind, else 'unread'. Never
 * throws, and keeps no name.
 */
export function readMessage(text: string, context: ReadingContext): Reading {
  if (text.length > messageLength || invisible.test(text.trim())) return { kind: 'unread' };
  const folded = fold(text);
  const known = context.operators.flatMap((operator) => operator.messages.map((message) => ({ operator, message })));
  const matches = known.flatMap((each): Match[] => {
    const captured = each.message.pattern.match(folded);
    return captured ? [{ ...each, captured }] : [];
  });
  const ignored = matches.filter(({ message }) => message.kind === 'ignored');
  // A payment that runs into another message is read by a person.
  const beyond = ignored.length > 0 ? folded : folded.slice(1);
  if (known.some(({ message }) => message.kind === 'payment' && message.pattern.within(beyond)))
    return { kind: 'unread' };
  if (ignored.length === 0) return readPayment(matches, context);
  const [best] = narrow(ignored, context);
  return {
    kind: 'ignored',
    why: best?.message.why,
    operator: best?.operator.operator,
    direction: best?.message.direction,
    parser: best?.message.parser,
  };
}

const amountThen = new RegExp(`(${amount})${money}|xof (${amount})`);
const balanceFirst = new RegExp(`^[ .]*(?:(?:le|votre|nouveau) )*solde[a-z' ]{0,30}:? ?(${amount})${money}`);
const balances = new RegExp(String.raw`solde[a-z' ]{0,30}:? ?(${amount})(?:${money}|\.?$)`, 'g');
const charges = new RegExp(`(?:frais|taxe) ?:? ?(${amount})${money}`, 'g');
const transaction =
  /\b(?:(?:trans(?:action)?|txn) ?id|id(?: trans| de (?:la )?transaction)?) ?: ?(?=[a-z._]*\d)([a-z0-9._]{4,40})/;

/**
 * The outgoing payment in an ignored SMS that has an amount and exactly one balance. It is a step in the wallet's balances, and pays no
 * ticket. Undefined for any other SMS.
 */
export function readOutgoing(
  text: string,
  { operator, direction }: Reading,
  context: ReadingContext,
): ReadMessage | undefined {
  const country = context.country;
  const decimal = context.operators.find((each) => each.operator === operator && each.country === country)?.decimal;
  const folded = fold(text);
  const told = [...folded.matchAll(balances)];
  const paid = amountThen.exec(folded);
  if (direction !== 'out' || !country || !paid || told.length !== 1) return undefined;
  const gross = readFrancs(paid[1] ?? paid[2] ?? '', decimal);
  const balanceAfter = readHundredths(told[0]?.[1] ?? '', decimal);
  const fees = [...folded.matchAll(charges)].map(([, fee = '']) => readHundredths(fee, decimal) ?? 0);
  if (gross === undefined || balanceAfter === undefined) return undefined;
  const reference = transaction.exec(folded)?.[1]?.replace(/\.+$/, '').toUpperCase();
  const [, date, hour] = moment.exec(folded) ?? [];
  const paidAt = date && hour ? readInstant(date, hour, country) : reference && instantOfReference(reference, country);
  const fee = fees.length > 0 ? fees.reduce((sum, each) => sum + each) : undefined;
  return { kind: 'payment', direction, gross, fee, balanceAfter, reference, paidAt };
}

/** The reading of the built-in patterns, else of the taught shapes; 'unread' if both read it differently. */
function readPayment(matches: Match[], context: ReadingContext): Reading {
  const { taught = [], known = [] } = Object.groupBy(matches, ({ message }) => (message.shapeId ? 'taught' : 'known'));
  const [built, learnt] = [readBest(known, context), readBest(taught, context)];
  if (built && learnt && !isSamePayment(built, learnt)) return { kind: 'unread' };
  return built ?? learnt ?? { kind: 'unread' };
}

/** Whether two readings are one payment. */
export const isSamePayment = (one: Reading, other: Reading): boolean =>
  (['kind', 'gross', 'payer', 'reference'] as const).every((part) => one[part] === other[part]);

/** The reading of the best match; 'unread' for several different ones, undefined without a match. */
function readBest(matches: Match[], context: ReadingContext): Reading | undefined {
  const read = matches.flatMap((match) => {
    const payment = paymentOf(match, context.country);
    return payment || match.captured === 'ambiguous' ? [{ ...match, payment }] : [];
  });
  const [best, ...others] = narrow(read, context);
  if (!best) return undefined;
  if (!best.payment || others.some(({ payment }) => !isDeepStrictEqual(payment, best.payment)))
    return { kind: 'unread' };
  const { parser, shapeId } = best.message;
  return { ...best.payment, parser, ...(shapeId && { shapeId }) };
}

/** The matches that pass each test in turn, where any does. */
function narrow<M extends Match & { payment?: ReadMessage | undefined }>(
  matches: M[],
  { sender, country }: ReadingContext,
): M[] {
  const from = sender && nameOf(sender);
  const tests: ((match: M, kept: M[]) => unknown)[] = [
    ({ operator }) => operator.senders.some((each) => nameOf(each) === from),
    ({ operator }) => country !== undefined && operator.country === country,
    ({ operator, payment }) => operator.country && payment?.payer?.startsWith(operator.country),
    ({ message }, kept) => kept.every((each) => each.message.pattern.letters <= message.pattern.letters),
  ];
  return tests.reduce((kept, test) => {
    const passing = kept.filter((each) => test(each, kept));
    return passing.length > 0 ? passing : kept;
  }, matches);
}

function nameOf(sender: string): string {
  return fold(sender).replace(/[^a-z0-9]/g, '');
}

/**
 * The payment in a matched message; undefined if a part of it is impossible. Numbers and times are those of the account's country, since
 * an operator uses one pattern in several countries.
 */
function paymentOf({ operator, message, captured }: Match, accountCountry: CountryCode | undefined) {
  const { decimal } = operator;
  const country = accountCountry ?? operator.country;
  if (!country || !operator.country || captured === 'ambiguous') return undefined;
  const { nom = '', motif = '', reste = '' } = captured;
  const [sentence = '', last] = (captured.solde === undefined && balanceFirst.exec(reste)) || [];
  const solde = captured.solde ?? last;
  const after = reste.slice(sentence.length);
  // The text after a payment may be an advertisement. Another amount or reference in it may belong to another message.
  if (
    amountOfMoney.test(nom) ||
    [balanceTold, datedInside, moment].some((each) => each.test(motif)) ||
    [amountOfMoney, balanceTold, named, cancelled].some((each) => each.test(after))
  )
    return undefined;
  let whole = true;
  const take = <T>(text: string | undefined, read: (text: string) => T | undefined): T | undefined => {
    const value = text === undefined ? undefined : read(text);
    whole &&= text === undefined || value !== undefined;
    return value;
  };
  const gross = take(captured.montant, (text) => readFrancs(text, decimal));
  const fee = take(captured.frais, (text) => readHundredths(text, decimal));
  const balanceAfter = take(solde, (text) => readHundredths(text, decimal));
  const payer = take(captured.payeur, (text) => readPayer(text, country));
  const instant = take(captured.date, (text) => readInstant(text, captured.heure ?? '00:00', country));
  const reference = captured.reference?.toUpperCase();
  if (!whole) return undefined;
  // A part of Orange's reference is none, nor is a word that touches a number, nor one with a label before or after it.
  if (reference && (dated.test(reference) ? !datedWhole.test(reference) : glued.test(reference))) return undefined;
  // Without a reference, only the payer's country shows that this is not the first half of another country's message.
  if (reference ? !isReference(reference) : !payer?.startsWith(operator.country)) return undefined;
  const paidAt = captured.heure ? instant : reference && instantOfReference(reference, country);
  const ourReference = readTicketNumber(motif);
  const direction = message.direction ?? 'in';
  const read = {
    operator: operator.operator,
    direction,
    gross,
    fee,
    balanceAfter,
    reference,
    ourReference,
    payer,
    paidAt,
  };
  return { kind: 'payment', ...read } satisfies ReadMessage;
}
