import { countries } from '#contract/phone.ts';
import { Dice, inventPhone, type Paid, type SmsParts, type SmsShape, smsShapes } from './payment-sms.ts';

export interface SyntheticMessage {
  /** The shape or the kind that it was made by. */
  shape: string;
  country: SmsShape['country'];
  sender: string;
  text: string;
  isPayment: boolean;
  /** Of a payment, what it says. Of anything else, what may be read in it at most. */
  told: Paid[];
}

const first = ['AWA', 'Issa', 'Éloïse', 'Fatoumata', 'KOFFI', 'Djénéba', 'jean-baptiste', 'Ndèye', 'A.', 'M'];
const last = ['OUEDRAOGO', "N'GUESSAN", 'Traoré', 'ZONGO', 'Dossou-Yovo', 'KONÉ', 'Sène', "O'BRIEN", 'DE SOUZA'];
/** What names have in them that looks like another part of a message … */
export const hostile = [
  'Ref: 12',
  'Ref:99',
  'ETS 24',
  'BOUTIQUE 3 SOLEILS',
  'Trans ID',
  'SOLDE',
  'REF T12',
  'ID: 7',
  'Numéro 4',
  'du 3',
];
/** … and what imitates one: such a message is read whole or not at all. */
export const imitations = [
  'ID:12345678901',
  'Solde: 5 FCFA',
  '2000 F',
  'Trans ID: PP261124.0912.00000000',
  'Ref: 99999999999',
];

function inventName(dice: Dice, unlike: readonly string[] = hostile, share = 0.25): string {
  const name = `${dice.pick(last)} ${dice.pick(first)}`;
  if (!dice.chance(share)) return name;
  return dice.pick([`${name} ${dice.pick(unlike)}`, `${dice.pick(unlike)} ${name}`, dice.pick(unlike)]);
}

/** What payers type into a transfer. */
const typings = [
  '',
  'loyer',
  'T123',
  'merci beaucoup',
  'Achat',
  'facture 12',
  'ID:5',
  'Ref 8',
  'Solde 0',
  'Élève 2026',
  '770',
];

function makePayment(shape: SmsShape, dice: Dice, name = inventName(dice)): SmsParts & { text: string } {
  const at = new Date(Date.UTC(2026, 10, 1 + dice.below(24), dice.below(23), dice.below(60), dice.below(60)));
  const parts: SmsParts = {
    gross: dice.pick([
      100 + dice.below(900),
      1_000 + dice.below(9_000),
      5 * (2_000 + dice.below(40_000)),
      100 * (1_000 + dice.below(9_000)),
      1_000_000 + dice.below(1_000_000),
    ]),
    payer: inventPhone(shape.country, dice),
    name,
    at,
    reference: shape.tells.reference ? shape.makeReference(dice, at) : null,
    balance: shape.tells.balance ? 100 * dice.below(3_000_000) + (hasCents(shape) && dice.chance(0.3) ? 91 : 0) : null,
    typed: dice.pick(typings),
  };
  const text = shape.write(parts, dice);
  // Some gateways break lines where the phone's screen does.
  const isWrapped = dice.chance(0.1);
  return { ...parts, text: isWrapped ? text.replace(/(?<!\d) (?!\d)/g, () => (dice.chance(0.2) ? '\n' : ' ')) : text };
}

const hasCents = ({ name }: SmsShape) => name.startsWith('Orange BF') || name.startsWith('Moov');

const toldBy = ({ gross, payer, reference, balance }: SmsParts): Paid => ({ gross, payer, reference, balance });

const money = (dice: Dice) => dice.pick(['500', '2 000', '1.000', '10,000', '25000', '1 500.00', '3\u202f000']);
const phone = (dice: Dice) => inventPhone('+226', dice).slice(4);

type Kind = (dice: Dice) => { text: string; told?: Paid[]; shape?: SmsShape };
const texts =
  (write: (dice: Dice) => string[]): Kind =>
  (dice) => ({ text: dice.pick(write(dice)) });

/** What is no payment that came in. */
const kinds: Record<string, Kind> = {
  airtime: texts((dice) => [
    `Vous avez recu ${money(dice)} FCFA de credit de communication du ${phone(dice)}.`,
    `Vous avez reçu un crédit de communication de ${money(dice)} FCFA. Trans ID: RC261124.0912.${dice.digits(8)}`,
    `Votre recharge de ${money(dice)} FCFA a ete effectuee. Nouveau credit: ${money(dice)} FCFA.`,
    `Vous avez recu ${money(dice)}F de crédit de la part du ${phone(dice)}`,
  ]),
  promotion: texts((dice) => [
    `Profitez de ${money(dice)} FCFA de bonus pour tout depot ce week-end !`,
    `Felicitations! Vous avez gagne ${money(dice)} FCFA. Appelez le ${phone(dice)}.`,
    `Vous avez recu un bonus de ${money(dice)} FCFA valable 7 jours. Tapez *144#.`,
    `Transferez ${money(dice)} FCFA et recevez ${money(dice)} FCFA. Offre valable jusqu'au 30/11/2026.`,
  ]),
  friend: texts((dice) => [
    `envoie-moi ${money(dice)} FCFA stp au ${phone(dice)}`,
    `J'ai recu ${money(dice)} FCFA de Moussa hier, je te rends le reste demain`,
    `Tu as reçu mes ${money(dice)} F ? Ref: ${dice.digits(8)}`,
    `On se voit à midi, apporte ${money(dice)}F pour le taxi`,
  ]),
  bill: texts((dice) => [
    `Votre facture numero ${dice.digits(9)} de ${money(dice)} FCFA est disponible. Ref: ${dice.digits(10)}.`,
    `Rappel: facture d'eau ${dice.digits(7)}, montant ${money(dice)} FCFA, a payer avant le 05/12/2026.`,
  ]),
  outgoing: texts((dice) => [
    `Votre paiement de ${money(dice)} FCFA, Frais: 0.0 FCFA, Taxe: 0.0 FCFA a ACCEPTEUR ${inventName(dice)} a ete effectue avec succes. Votre nouveau solde est de 25000.0 FCFA. Trans id: MP261124.0912.${dice.digits(8)}.`,
    `Vous avez transfere ${money(dice)} FCFA au numero ${phone(dice)},${inventName(dice)}. Le solde de votre compte est de 94271.9101 FCFA ID Trans: PP261124.0915.${dice.digits(8)}.`,
    `Paiement 2900F a ${inventName(dice)} LVC|P2M (22901${dice.digits(8)}) 2026-11-24 09:12:00 Solde:14607F ID:1${dice.digits(10)}`,
    `Paiement effectue pour ${money(dice)}F a ONAFRIQ UEMOA OUT 2026-11-24 09:12:00 External id :${dice.digits(10)} Solde:14607F ID:1${dice.digits(10)}`,
    `Retrait 4000F via ${inventName(dice)} (22901${dice.digits(8)}) 2026-11-24 09:12:00 Solde:14607F ID:1${dice.digits(10)}`,
  ]),
  'outgoing, Togo': texts((dice) => [
    `Dépôt de 5 000 FCFA effectue pour ${dice.pick(['90', '79'])}${dice.digits(6)}(${inventName(dice)}), le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 144 FCFA (commission incluse). Ref: 1${dice.digits(10)}.`,
    `Envoi de 20 000 FCFA au 90${dice.digits(6)}(${inventName(dice)}), le 24-11-26 09:12. Nouveau solde Mixx : 144 FCFA. Ref: 1${dice.digits(10)}.`,
    `Vous avez payé 14 574 FCFA a ${inventName(dice)} (reference: ${dice.digits(6)}), le 24-11-26 09:12. Frais: 0 FCFA. Nouveau solde: 5 120 FCFA. Ref: 1${dice.digits(9)}.`,
    `Vous avez envoyé 10 300 FCFA au 90${dice.digits(6)}, le 24-11-26 09:12. Frais: 0 FCFA. Nouveau solde: 5 120 FCFA. Ref: 1${dice.digits(9)}.`,
    `Depot reussi Montant:2600,00 FCFA beneficiaire : 96${dice.digits(6)} Date : 24/11/2026 09:12:00 Commission Net : 13,44 FCFA Nouveau solde : 28 703,00 FCFA Txn ID: 1${dice.digits(11)}`,
  ]),
  failed: texts((dice) => [
    `echec du retrait de ${money(dice)} FCFA par ${phone(dice)}. Solde insuffisant. Ref: ${dice.digits(11)}.`,
    `Le transfert de ${money(dice)} FCFA du ${phone(dice)} a échoué. Trans ID: PP261124.0912.${dice.digits(8)}`,
    `Echec: le transfert de ${money(dice)} FCFA de ${phone(dice)} n'a pas abouti. Votre solde est de 62325.00 FCFA`,
  ]),
  // In their wallet is what they gave in notes: an agent's trade, and no payment for an order.
  "an agent's withdrawal": texts((dice) => [
    `Retrait de ${money(dice)} FCFA ${dice.pick(['effectue', 'effectué'])} par 90${dice.digits(6)}, le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 50 144 FCFA (commission incluse). Ref: 1${dice.digits(10)}.`,
    `Retrait de ${money(dice)} FCFA effectue par 90${dice.digits(6)}, le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 50 144 (commission incluse). REF 1${dice.digits(10)}.`,
    `Txn ID 1${dice.digits(11)} 24/11/2026\nretrait valider par le client ${inventName(dice)} ,96${dice.digits(6)}\nMontant: 2 000,00 FCFA Commission Net : 24,32 FCFA \nCode Agent: ${dice.digits(6)}\nDate:24/11/2026 09:12:00. Nouveau solde FLOOZ : 28 703,00 FCFA.\nTxn ID 1${dice.digits(11)}`,
  ]),
  float: texts((dice) => [
    `L'agent 1${dice.digits(4)} (${inventName(dice)}) vous a envoyé 50 000 FCFA, le 24-11-26 09:12. Nouveau solde Mixx : 50 144 FCFA. Ref: 1${dice.digits(10)}.`,
  ]),
  'one-time code': texts((dice) => [
    `Votre code de confirmation est ${dice.digits(4)}. Montant: ${money(dice)} FCFA. Ne le communiquez a personne.`,
    `${dice.digits(6)} est votre code de verification pour le paiement de ${money(dice)} FCFA.`,
  ]),
  'a name that imitates': (dice) => {
    const shape = dice.pick(Object.values(smsShapes));
    const payment = makePayment(shape, dice, inventName(dice, imitations, 1));
    return { text: payment.text, told: [toldBy(payment)], shape };
  },
  'half of one': (dice) => {
    const shape = dice.pick(Object.values(smsShapes).filter(({ tells }) => tells.reference));
    const { text, reference } = makePayment(shape, dice);
    // Before the end of its last number: what is missing is missing.
    const end = Math.max(text.lastIndexOf(reference ?? ''), text.search(/\d\D*$/));
    const cut = Math.floor(end * (0.3 + dice.below(60) / 100));
    return { text: dice.chance(0.5) ? text.slice(0, cut) : text.slice(cut), shape };
  },
  'control characters': (dice) => {
    const shape = dice.pick(Object.values(smsShapes));
    const payment = makePayment(shape, dice);
    const sign = dice.pick(['\u0000', '\u202e', '\u200f', '\u001b', '\u2066', '\u0007', '\ud800', '\u200b']);
    const places = [...payment.text.matchAll(/\d(?=\d)/g)].map(({ index }) => index + 1);
    const at = dice.pick(places);
    return { text: payment.text.slice(0, at) + sign + payment.text.slice(at), told: [toldBy(payment)], shape };
  },
  long: (dice) => ({ text: `Vous avez recu ${'9'.repeat(30)} FCFA du ${phone(dice)},${'Ref: 1 '.repeat(1_000)}` }),
};

/** So many payments over all the shapes and so many messages that are none, the same for the same seed. */
export function makeMessages(seed: number, { payments = 300, others = 100 } = {}): SyntheticMessage[] {
  const dice = new Dice(seed);
  const shapes = Object.values(smsShapes);
  const made: SyntheticMessage[] = [];
  for (let n = 0; n < payments; n += 1) {
    const shape = shapes[n % shapes.length] as SmsShape;
    const payment = makePayment(shape, dice);
    const { country, sender, name } = shape;
    made.push({ shape: name, country, sender, text: payment.text, isPayment: true, told: [toldBy(payment)] });
  }
  const names = Object.keys(kinds);
  for (let n = 0; n < others; n += 1) {
    const name = names[n % names.length] as string;
    const { text, told = [], shape } = (kinds[name] as Kind)(dice);
    // Whatever it is, it may come to an account of any country.
    const country = shape?.country ?? (dice.pick(countries).code as SmsShape['country']);
    made.push({ shape: name, country, sender: shape?.sender ?? 'OrangeMoney', text, isPayment: false, told });
  }
  return made;
}
