import type { ReadMessage } from '#contract/payments.ts';
import { hostile, imitations, makeMessages, type SyntheticMessage } from './payment-messages.ts';
import { Dice, type Paid } from './payment-sms.ts';

/** A word, or a value whole, with what stands after it. */
interface Token {
  text: string;
  value?: 'gross' | 'payer' | 'reference';
  gap: string;
}
/** A message under change: what it says now, or null where it no longer says that a payment came in. */
interface Mutant {
  tokens: Token[];
  told: Paid[] | null;
}

const spread = (digits: string, between: string) => [...digits].join(between);
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The words of a message; of a payment its amount, number and reference are one word each. */
function tokensOf({ text, told, isPayment }: SyntheticMessage): Token[] {
  const [paid] = isPayment ? told : [];
  const sources: [NonNullable<Token['value']>, string][] = [];
  if (paid) {
    const rest = String.raw`(?:[.,]0{1,2})?(?=\s?(?:F|XOF|CFA))`;
    sources.push(['gross', `${spread(String(paid.gross), '[ .,\u00a0\u202f]?')}${rest}`]);
    if (paid.payer)
      sources.push(['payer', String.raw`\+?(?:${paid.payer.slice(1, 4)})?${spread(paid.payer.slice(4), ' ?')}`]);
    if (paid.reference) sources.push(['reference', literal(paid.reference)]);
  }
  const named = sources.map(([name, source]) => `(?<${name}>(?<!\\d)${source}(?!\\d))`);
  const pattern = new RegExp([...named, String.raw`(?<word>[\p{L}\p{M}]+|\d+|[^\s])`].join('|'), 'gu');
  const found = [...text.matchAll(pattern)];
  const tokens = found.map((each, index): Token => {
    const value = sources.map(([name]) => name).find((name) => each.groups?.[name] !== undefined);
    const end = each.index + each[0].length;
    return { text: each[0], ...(value && { value }), gap: text.slice(end, found[index + 1]?.index ?? text.length) };
  });
  if (paid && tokens.filter(({ value }) => value === 'gross').length === 0) throw new Error(`no amount in ${text}`);
  return tokens;
}

const spell = (tokens: readonly Token[]) => tokens.map(({ text, gap }) => text + gap).join('');

/** Another digit in a value: the message says another one then. */
function replaceDigit({ tokens, told }: Mutant, dice: Dice): Mutant {
  const at = dice.pick(tokens.flatMap(({ value, text }, index) => (value && /\d/.test(text) ? [index] : [])));
  const token = tokens[at];
  if (!token?.value || !told) return { tokens, told };
  const decimals = token.value === 'gross' ? (/[.,]\d\d?$/.exec(token.text)?.[0] ?? '') : '';
  const whole = token.text.slice(0, token.text.length - decimals.length);
  const places = [...whole.matchAll(/\d/g)].map(({ index }) => index);
  // A number keeps its country and the beginning of an operator; a reference its date.
  const place = token.value === 'gross' ? dice.pick(places) : (places.at(-1) as number);
  const other = whole.slice(0, place) + dice.below(10) + whole.slice(place + 1);
  const text = other + decimals;
  const changed = tokens.map((each) =>
    each.value === token.value && each.text === token.text ? { ...each, text } : each,
  );
  const digits = other.replace(/\D/g, '');
  const values = {
    gross: (paid: Paid) => ({ ...paid, gross: Number(digits) }),
    payer: (paid: Paid) => ({ ...paid, payer: paid.payer && paid.payer.slice(0, -1) + digits.slice(-1) }),
    reference: (paid: Paid) => ({ ...paid, reference: text }),
  };
  return { tokens: changed, told: told.map(values[token.value]) };
}

const verbs = ['envoyé', 'transfere', 'retiré', 'payé', 'perdu'];
const denials = ['Transaction annulee', 'Paiement rejeté', 'Echec du paiement', 'Montant remboursé', 'a echoue'];
const junk = [...'.,:;()-/ \n|*#abzé', 'F', 'ID', 'Ref'];

/** Changes that a wire, a forger or an operator makes. */
const changes: Record<string, (mutant: Mutant, dice: Dice, others: readonly SyntheticMessage[]) => Mutant> = {
  'a word is lost': ({ tokens, told }, dice) => {
    const at = dice.below(tokens.length);
    const lost = tokens[at]?.value;
    const without = tokens.toSpliced(at, 1);
    if (without.some(({ value }) => value === lost)) return { tokens: without, told };
    if (lost !== 'gross' && lost !== 'payer' && lost !== 'reference') return { tokens: without, told };
    if (lost === 'gross') return { tokens: without, told: null };
    return { tokens: without, told: told?.map((paid) => ({ ...paid, [lost]: null })) ?? null };
  },
  'a word comes twice': ({ tokens, told }, dice) => {
    const at = dice.pick(tokens.flatMap(({ value }, index) => (value === 'gross' ? [] : [index])));
    return { tokens: tokens.toSpliced(at, 0, { ...(tokens[at] as Token), gap: ' ' }), told };
  },
  'two words change places': ({ tokens, told }, dice) => {
    const at = dice.below(tokens.length - 1);
    const [one, two] = [tokens[at] as Token, tokens[at + 1] as Token];
    // Digits side by side are another number, as which it may be read.
    if (/\d/.test(one.text) || /\d/.test(two.text)) return { tokens, told };
    return { tokens: tokens.toSpliced(at, 2, { ...two, gap: one.gap || ' ' }, { ...one, gap: two.gap }), told };
  },
  'something is put in': ({ tokens, told }, dice) => {
    const text = dice.pick([...hostile, ...imitations, ...denials.slice(4), 'Ref', 'FCFA', 'solde']);
    const free = tokens.flatMap((each, index) =>
      each.value || tokens[index + 1]?.value || /\d/.test(each.text) ? [] : [index + 1],
    );
    return { tokens: tokens.toSpliced(dice.pick(free.length > 0 ? free : [0]), 0, { text, gap: ' ' }), told };
  },
  'a sign is another one': ({ tokens, told }, dice) => {
    const at = dice.pick(tokens.flatMap(({ text, value }, index) => (value || /\d/.test(text) ? [] : [index])));
    const token = tokens[at];
    // Beside a value it would be a part of it.
    const isFree = [at - 1, at + 1].every((near) => !tokens[near]?.value && !/\d/.test(tokens[near]?.text ?? ''));
    if (!token || !isFree) return { tokens, told };
    const place = dice.below(token.text.length + 1);
    const text = token.text.slice(0, place) + dice.pick(junk) + token.text.slice(place + dice.below(2));
    return { tokens: tokens.toSpliced(at, 1, { ...token, text }), told };
  },
  'a digit is another one': replaceDigit,
  'money went out': ({ tokens, told }, dice) => {
    const at = tokens.slice(0, 6).findIndex(({ text }) => /^re[cç]u$/i.test(text));
    if (at < 0) return { tokens, told };
    return { tokens: tokens.toSpliced(at, 1, { ...(tokens[at] as Token), text: dice.pick(verbs) }), told: null };
  },
  'it is denied': ({ tokens }, dice) => {
    const text = dice.pick(denials);
    const isAfter = dice.chance(0.5);
    return {
      tokens: isAfter ? [...tokens, { text: `. ${text}`, gap: '.' }] : [{ text, gap: ': ' }, ...tokens],
      told: null,
    };
  },
  'it is of other money': ({ tokens, told }, dice) => {
    const at = tokens.findIndex(({ value }) => value === 'gross');
    const unit = tokens.findIndex(({ text }, index) => index > at && /^(?:F|FCFA|CFA|XOF)$/i.test(text));
    if (at < 0 || unit < 0 || unit > at + 4) return { tokens, told };
    const text = dice.pick(['GNF', 'USD', 'points', 'Mo', 'minutes']);
    return { tokens: tokens.toSpliced(unit, 1, { ...(tokens[unit] as Token), text }), told: null };
  },
  'it is less than nothing': ({ tokens, told }) => {
    const at = tokens.findIndex(({ value }) => value === 'gross');
    return at < 0 ? { tokens, told } : { tokens: tokens.toSpliced(at, 0, { text: '-', gap: '' }), told: null };
  },
  'its end is cut off': ({ tokens, told }, dice) => {
    const kept = tokens.slice(0, 1 + dice.below(tokens.length));
    const isKept = (value: Token['value']) => kept.some((each) => each.value === value);
    if (!isKept('gross')) return { tokens: kept, told: null };
    const left = (paid: Paid) => ({
      ...paid,
      payer: isKept('payer') ? paid.payer : null,
      reference: isKept('reference') ? paid.reference : null,
    });
    return { tokens: kept, told: told?.map(left) ?? null };
  },
  'its sentences change places': ({ tokens, told }, dice) => {
    const ends = tokens.flatMap(({ text, gap }, index) => (text === '.' && gap ? [index + 1] : []));
    const bounds = [0, ...ends, tokens.length];
    const sentences = bounds.slice(1).map((end, index) => tokens.slice(bounds[index], end));
    return { tokens: dice.shuffle(sentences).flat(), told };
  },
  'another one is glued to it': ({ tokens, told }, dice, others) => {
    const other = dice.pick(others);
    const glue: Token = { text: '', gap: dice.pick(['', ' ', '. ', '\n', '\n\n']) };
    // A digit beside a digit would make another number of both.
    if (!glue.gap && /\d$/.test(spell(tokens)) && /^\d/.test(other.text)) glue.gap = ' ';
    const otherTokens = tokensOf(other).map(({ text, gap }) => ({ text, gap }));
    return { tokens: [...tokens, glue, ...otherTokens], told: [...(told ?? []), ...other.told] };
  },
};

export interface MutatedMessage extends Pick<SyntheticMessage, 'country' | 'sender' | 'text'> {
  how: string;
  told: readonly Paid[];
}

/** So many messages with one to three changes each, and what each may be read as at most; the same for the same seed. */
export function* mutateMessages(seed: number, count: number): Generator<MutatedMessage> {
  const dice = new Dice(seed);
  const messages = makeMessages(seed, { payments: 600, others: 200 }).filter(
    ({ text, isPayment, told }) => text.length < 2_000 && (isPayment || told.length === 0),
  );
  for (let made = 0; made < count; made += 1) {
    const message = dice.pick(messages);
    let mutant: Mutant = { tokens: tokensOf(message), told: message.isPayment ? message.told : null };
    const how = [message.shape];
    for (let left = 1 + dice.below(3); left > 0 && mutant.tokens.length > 1; left -= 1) {
      const name = dice.pick(Object.keys(changes));
      // What it says stays as it is where a copy of it would have to be changed as well.
      if (name === 'a digit is another one' && (!message.isPayment || how.length > 1)) continue;
      how.push(name);
      mutant = (changes[name] as (typeof changes)[string])(mutant, dice, messages);
      // Another change might take back what denies it.
      if (message.isPayment && mutant.told === null) break;
    }
    const { country, sender } = message;
    yield { country, sender, how: how.join(', '), text: spell(mutant.tokens), told: mutant.told ?? [] };
  }
}

/**
 * Whether a reading is a payment that the message says: the balance may be lost, and its number and reference only where they are. Where
 * its own reference is lost, the message says the one that was put in.
 */
export function isSaidBy({ text, told }: MutatedMessage, { gross, reference, payer }: ReadMessage): boolean {
  const by = (digits: string | null | undefined) => digits?.replace(/\D/g, '').slice(-8);
  const isPutIn = (part: string) => imitations.some((each) => each.endsWith(`: ${part}`) || each.endsWith(`:${part}`));
  const isHere = (part: string | null | undefined) =>
    Boolean(part && text.replace(/(?<=\d) (?=\d)/g, '').includes(part));
  return told.some(
    (paid) =>
      gross === paid.gross &&
      (reference
        ? reference === paid.reference?.toUpperCase() || (!paid.reference && isPutIn(reference))
        : !isHere(paid.reference)) &&
      (payer ? by(payer) === by(paid.payer) : !isHere(by(paid.payer))),
  );
}
