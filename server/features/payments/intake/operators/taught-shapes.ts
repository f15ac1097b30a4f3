import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CountryCode } from '#contract/phone.ts';
import { findWallet } from '#contract/wallets.ts';
import type { Confirmed } from './make-template.ts';
import type { Operator } from './open-operators.ts';
import { compilePattern, fold } from './patterns.ts';
import { isSamePayment, type Reading, readMessage } from './read-message.ts';

/** A wallet in a country, by the names of its payment type. */
export interface NamedWallet {
  country: CountryCode;
  /** The name of the payment type, and of the operator whose SIM dials its code. */
  names: readonly (string | null)[];
}

/** The taught shapes of a wallet, to add to the built-in patterns. An unreadable template is left out. */
export function openShapes(
  operators: readonly Operator[],
  { country, names }: NamedWallet,
  shapes: readonly { id: number; template: string }[],
): Operator {
  const wallet = findWallet(...names)?.name;
  const isOf = ({ operator }: Operator) => wallet !== undefined && findWallet(operator)?.name === wallet;
  const known = operators.find((each) => each.country === country && isOf(each)) ?? operators.find(isOf);
  const messages = shapes.flatMap(({ id, template }) => {
    const pattern = patternOf(template);
    const message = { name: String(id), version: 1, kind: 'payment' as const, text: template };
    return pattern ? [{ ...message, parser: `apprise/${id}`, pattern, shapeId: id }] : [];
  });
  return { operator: known?.operator ?? names[0] ?? '', country, senders: [], messages };
}

function patternOf(template: string) {
  try {
    return compilePattern(template);
  } catch {
    return undefined;
  }
}

/** The sample SMS of the built-in patterns, including those that are no payments. */
function readKnownMessages(): string[] {
  const files = globSync('*/cases/*.txt', { cwd: import.meta.dirname });
  return files.map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n---\n')[0] ?? '');
}

const fewestLetters = 12;
const goesOut =
  /\bvous avez (?:bien )?(?:transfere|envoye|paye|retire|achete|depense)\b|\bvotre (?:paiement|transfert|envoi|retrait|achat)\b/;
const begun = (text: string) => `«\u00a0${text.replace(/\s+/g, ' ').slice(0, 60).trim()}…\u00a0»`;
/** A shape before it has an id. */
const untaught = -1;

/**
 * Why a template may not be taught, in French; undefined if it may. It must read its own message back. It must not change the reading of
 * the samples, nor of this shop's messages that were no payments (`ignored`).
 */
export function faultOfShape(
  { template, text, confirmed }: { template: string; text: string; confirmed: Confirmed },
  { operators, wallet, ignored }: { operators: readonly Operator[]; wallet: NamedWallet; ignored: readonly string[] },
): string | undefined {
  const shape = openShapes(operators, wallet, [{ id: untaught, template }]);
  const [message] = shape.messages;
  if (!message || message.pattern.letters < fewestLetters)
    return `Cette forme est trop générale\u00a0: il faut au moins ${fewestLetters} lettres qui ne changent pas d'un message à l'autre.`;
  if (!/\{(?:reference|payeur)\}/.test(template))
    return 'Une forme a besoin de la référence ou du numéro du payeur, pour distinguer deux paiements.';
  if (goesOut.test(fold(template))) return "Ce message dit que de l'argent est sorti de ce compte.";
  const read = (given: string, by: readonly Operator[]) =>
    readMessage(given, { operators: by, country: wallet.country });
  if (!isConfirmed(read(text, [shape]), confirmed))
    return 'Cette forme ne relit pas son propre message avec ces valeurs.';
  const isRead = (known: string) => message.pattern.match(fold(known)) !== undefined;
  for (const known of readKnownMessages()) {
    const [before, after] = [read(known, operators), read(known, [...operators, shape])];
    if (before.kind === 'ignored' && isRead(known)) return wrongly(known);
    if (!isSamePayment(before, after))
      return `Cette forme lirait autrement un message déjà connu\u00a0: ${begun(known)}`;
  }
  const wrong = ignored.find(isRead);
  return wrong && wrongly(wrong);
}

const wrongly = (text: string) =>
  `Cette forme lirait comme un paiement un message qui n'en est pas un\u00a0: ${begun(text)}`;

function isConfirmed(read: Reading, { gross, payer, reference, balanceAfter }: Confirmed): boolean {
  // For a masked number the person confirmed only that there is one.
  const isPayer = payer ? read.payer === payer : !read.payer?.startsWith('+');
  const isBalance = (balanceAfter ?? undefined) === read.balanceAfter;
  return read.gross === gross && isPayer && read.reference === reference && isBalance;
}
