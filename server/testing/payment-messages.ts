import { countries } from '#contract/phone.ts';
import {
  Dice,
  inventPhone,
  makeReference,
  type Paid,
  type SmsParts,
  type SmsShape,
  smsShapes,
  tells,
  writeSms,
} from './payment-sms.ts';

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
export const hostile = 'Ref: 12|Ref:99|ETS 24|BOUTIQUE 3 SOLEILS|Trans ID|SOLDE|REF T12|ID: 7|Numéro 4|du 3'.split('|');
/** … and what imitates one: such a message is read whole or not at all. */
export const imitations = 'ID:12345678901|Solde: 5 FCFA|2000 F|Trans ID: PP261124.0912.00000000|Ref: 99999999999'.split(
  '|',
);

function inventName(dice: Dice, unlike: readonly string[] = hostile, share = 0.25): string {
  const name = `${dice.pick(last)} ${dice.pick(first)}`;
  if (!dice.chance(share)) return name;
  return dice.pick([`${name} ${dice.pick(unlike)}`, `${dice.pick(unlike)} ${name}`, dice.pick(unlike)]);
}

/** What payers type into a transfer. */
const typings = '|loyer|T123|merci beaucoup|Achat|facture 12|ID:5|Ref 8|Solde 0|Élève 2026|770'.split('|');

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
    reference: tells(shape, 'reference') ? makeReference(shape, dice, at) : null,
    balance: tells(shape, 'balance') ? 100 * dice.below(3_000_000) + (shape.mark && dice.chance(0.3) ? 91 : 0) : null,
    typed: dice.pick(typings),
  };
  const text = writeSms(shape, parts, dice);
  // Some gateways break lines where the phone's screen does.
  const isWrapped = dice.chance(0.1);
  return { ...parts, text: isWrapped ? text.replace(/(?<!\d) (?!\d)/g, () => (dice.chance(0.2) ? '\n' : ' ')) : text };
}

const toldBy = ({ gross, payer, reference, balance }: SmsParts): Paid => ({ gross, payer, reference, balance });

/** What is no payment that came in, varied, with `$money`, `$phone` and `$name`: airtime, offers, bills, friends, what went out or failed … */
const texts = [
  'Vous avez recu $money FCFA de credit de communication du $phone.',
  'Vous avez reçu un crédit de communication de $money FCFA. Trans ID: RC261124.0912.########',
  'Votre recharge de $money FCFA a ete effectuee. Nouveau credit: $money FCFA.',
  'Vous avez recu $moneyF de crédit de la part du $phone',
  'Profitez de $money FCFA de bonus pour tout depot ce week-end !',
  'Felicitations! Vous avez gagne $money FCFA. Appelez le $phone.',
  'Vous avez recu un bonus de $money FCFA valable 7 jours. Tapez *144#.',
  "Transferez $money FCFA et recevez $money FCFA. Offre valable jusqu'au 30/11/2026.",
  'envoie-moi $money FCFA stp au $phone',
  "J'ai recu $money FCFA de Moussa hier, je te rends le reste demain",
  'Tu as reçu mes $money F ? Ref: ########',
  'On se voit à midi, apporte $moneyF pour le taxi',
  'Votre facture numero ######### de $money FCFA est disponible. Ref: ##########.',
  "Rappel: facture d'eau #######, montant $money FCFA, a payer avant le 05/12/2026.",
  'Votre paiement de $money FCFA, Frais: 0.0 FCFA, Taxe: 0.0 FCFA a ACCEPTEUR $name a ete effectue avec succes. Votre nouveau solde est de 25000.0 FCFA. Trans id: MP261124.0912.########.',
  'Vous avez transfere $money FCFA au numero $phone,$name. Le solde de votre compte est de 94271.9101 FCFA ID Trans: PP261124.0915.########.',
  'Paiement 2900F a $name LVC|P2M (22901########) 2026-11-24 09:12:00 Solde:14607F ID:1##########',
  'Paiement effectue pour $moneyF a ONAFRIQ UEMOA OUT 2026-11-24 09:12:00 External id :########## Solde:14607F ID:1##########',
  'Retrait 4000F via $name (22901########) 2026-11-24 09:12:00 Solde:14607F ID:1##########',
  'Dépôt de 5 000 FCFA effectue pour [90|79]######($name), le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 144 FCFA (commission incluse). Ref: 1##########.',
  'Envoi de 20 000 FCFA au 90######($name), le 24-11-26 09:12. Nouveau solde Mixx : 144 FCFA. Ref: 1##########.',
  'Vous avez payé 14 574 FCFA a $name (reference: ######), le 24-11-26 09:12. Frais: 0 FCFA. Nouveau solde: 5 120 FCFA. Ref: 1#########.',
  'Vous avez envoyé 10 300 FCFA au 90######, le 24-11-26 09:12. Frais: 0 FCFA. Nouveau solde: 5 120 FCFA. Ref: 1#########.',
  'Depot reussi Montant:2600,00 FCFA beneficiaire : 96###### Date : 24/11/2026 09:12:00 Commission Net : 13,44 FCFA Nouveau solde : 28 703,00 FCFA Txn ID: 1###########',
  'echec du retrait de $money FCFA par $phone. Solde insuffisant. Ref: ###########.',
  'Le transfert de $money FCFA du $phone a échoué. Trans ID: PP261124.0912.########',
  "Echec: le transfert de $money FCFA de $phone n'a pas abouti. Votre solde est de 62325.00 FCFA",
  // In their wallet is what they gave in notes: an agent's trade, and no payment for an order.
  'Retrait de $money FCFA [effectue|effectué] par 90######, le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 50 144 FCFA (commission incluse). Ref: 1##########.',
  'Retrait de $money FCFA effectue par 90######, le 24-11-26 09:12. Commission: 14 FCFA. Nouveau solde Mixx : 50 144 (commission incluse). REF 1##########.',
  'Txn ID 1########### 24/11/2026\nretrait valider par le client $name ,96######\nMontant: 2 000,00 FCFA Commission Net : 24,32 FCFA \nCode Agent: ######\nDate:24/11/2026 09:12:00. Nouveau solde FLOOZ : 28 703,00 FCFA.\nTxn ID 1###########',
  "L'agent 1#### ($name) vous a envoyé 50 000 FCFA, le 24-11-26 09:12. Nouveau solde Mixx : 50 144 FCFA. Ref: 1##########.",
  'Votre code de confirmation est ####. Montant: $money FCFA. Ne le communiquez a personne.',
  '###### est votre code de verification pour le paiement de $money FCFA.',
];

/** … and what is one that was meddled with. */
const kinds: Record<string, (dice: Dice) => { text: string; told?: Paid[]; shape?: SmsShape }> = {
  'a name that imitates': (dice) => {
    const shape = dice.pick([...smsShapes.values()]);
    const payment = makePayment(shape, dice, inventName(dice, imitations, 1));
    return { text: payment.text, told: [toldBy(payment)], shape };
  },
  'control characters': (dice) => {
    const shape = dice.pick([...smsShapes.values()]);
    const payment = makePayment(shape, dice);
    const sign = dice.pick(['\u0000', '\u202e', '\u200f', '\u001b', '\u2066', '\u0007', '\ud800', '\u200b']);
    const places = [...payment.text.matchAll(/\d(?=\d)/g)].map(({ index }) => index + 1);
    const at = dice.pick(places);
    return { text: payment.text.slice(0, at) + sign + payment.text.slice(at), told: [toldBy(payment)], shape };
  },
};

/** So many payments over all the shapes and so many messages that are none, the same for the same seed. */
export function makeMessages(seed: number, { payments = 300, others = 100 } = {}): SyntheticMessage[] {
  const dice = new Dice(seed);
  const shapes = [...smsShapes.values()];
  const made: SyntheticMessage[] = [];
  for (let n = 0; n < payments; n += 1) {
    const shape = shapes[n % shapes.length] as SmsShape;
    const payment = makePayment(shape, dice);
    const { country, sender, name } = shape;
    made.push({ shape: name, country, sender, text: payment.text, isPayment: true, told: [toldBy(payment)] });
  }
  const values = {
    $money: () => dice.pick(['500', '2 000', '1.000', '10,000', '25000', '1 500.00', '3\u202f000']),
    $phone: () => inventPhone('+226', dice).slice(4),
    $name: () => inventName(dice),
  };
  const write = (text: string) =>
    dice.vary(text).replace(/\$(?:money|phone|name)/g, (part) => values[part as keyof typeof values]());
  const names = [...texts, ...Object.keys(kinds)];
  for (let n = 0; n < others; n += 1) {
    const name = names[n % names.length] as string;
    const { text, told = [], shape } = kinds[name]?.(dice) ?? { text: write(name) };
    // Whatever it is, it may come to an account of any country.
    const country = shape?.country ?? (dice.pick(countries).code as SmsShape['country']);
    made.push({ shape: name, country, sender: shape?.sender ?? 'OrangeMoney', text, isPayment: false, told });
  }
  return made;
}
