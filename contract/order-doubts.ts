import { fold } from './fold.ts';
import { ofName } from './of-name.ts';
import { type Country, countries, countryOf } from './phone.ts';
import { operatorOf } from './phone-operators.ts';
import { withArticle } from './read-phone.ts';
import type { Ticket } from './tickets.ts';
import { findWallet, listWallets } from './wallets.ts';

interface Order {
  serviceId: number;
  /** The names of the services down to the ordered one. */
  path: readonly string[];
  /** E.164. */
  beneficiary: string;
  /** CFA francs. */
  total: number;
  /** The country code of the person who orders. */
  payerCountry: string;
}

type Earlier = Pick<Ticket, 'id' | 'status' | 'serviceId' | 'beneficiaryPhoneNumber' | 'totalPrice'>;

const abroad = /\b(?:voisin|internationa)/;
/** Their country may be the sender's or the receiver's. */
const towards = /\bvers\b|\bsous.region/;
const airtime = /\b(?:credit|forfait|recharge|pass|unite)s?\b/;
const deposit = /\b(?:depot|rechargement)s?\b/;
/** Not onto a line or wallet. */
const elsewhere = /\bdepuis\b|\bbanque|\bbancaire/;

const wordsOf = (path: readonly string[]): string => path.map(fold).join(' / ');

/** The country that a path of services names; undefined if it names none, or several. */
export function countryOfPath(path: readonly string[]): Country | undefined {
  const words = wordsOf(path);
  const named = countries.filter(({ name }) => new RegExp(`\\b${fold(name)}\\b`).test(words));
  return named.length === 1 ? named[0] : undefined;
}

/** French sentences on what the person may not mean, to ask before the order is sent: none of them refuses it. */
export function findDoubts(order: Order, earlier: readonly Earlier[]): string[] {
  return [doubtTwice(order, earlier), doubtCountry(order), doubtOperator(order)].filter((doubt) => doubt !== undefined);
}

function doubtTwice({ serviceId, beneficiary, total }: Order, earlier: readonly Earlier[]): string | undefined {
  const same = earlier.find(
    (ticket) =>
      ticket.status === 'pending' &&
      ticket.serviceId === serviceId &&
      ticket.beneficiaryPhoneNumber === beneficiary &&
      ticket.totalPrice === String(total),
  );
  return same && `Vous avez déjà cette demande en attente (n°\u00a0${same.id}).`;
}

function doubtCountry({ path, beneficiary, payerCountry }: Order): string | undefined {
  const words = wordsOf(path);
  const own = countryOf(beneficiary);
  if (!own) return undefined;
  const isOf = `Ce numéro est ${own.iso === 'CI' ? 'de' : 'du'} ${own.name}`;
  // Credit for calls abroad is for a line at home.
  if (abroad.test(words))
    return own.code === payerCountry && !airtime.test(words)
      ? `${isOf}, votre pays, et le service est pour un autre pays.`
      : undefined;
  const named = countryOfPath(path);
  if (!named || named === own || towards.test(words)) return undefined;
  return `${isOf}, et le service est pour ${withArticle(named)}.`;
}

/** Only a prefix tells the operator, and the number may have been ported since. */
function doubtOperator({ path, beneficiary }: Order): string | undefined {
  const words = wordsOf(path);
  const operator = operatorOf(beneficiary);
  const named = new Set(listWallets(...path));
  const [wallet] = named;
  if (!operator || !wallet || named.size > 1 || wallet === findWallet(operator)) return undefined;
  if (elsewhere.test(words) || !(airtime.test(words) || deposit.test(words))) return undefined;
  const [name = wallet.name] = path
    .filter((each) => wallet.brands.test(each))
    .sort((one, other) => one.length - other.length);
  const service = name.search(wallet.brands) === 0 ? name : (wallet.brands.exec(name)?.[0] ?? name);
  return `Ce numéro semble être ${ofName(operator)}, et le service est ${ofName(service)}.`;
}
