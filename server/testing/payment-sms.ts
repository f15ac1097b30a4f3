import { type CountryCode, countries } from '#contract/phone.ts';
import { seededRandom } from './seeded-random.ts';

/** What a received payment's SMS says. */
export interface Paid {
  /** CFA francs. */
  gross: number;
  reference: string | null;
  /** E.164. */
  payer: string | null;
  /** Hundredths of a franc. */
  balance: number | null;
}

/** The parts of a message that come from outside it. */
export interface SmsParts extends Paid {
  payer: string;
  /** The payer's, as the operator has it. */
  name: string;
  at: Date;
  /** What the payer typed, where the operator passes it on. */
  typed?: string;
}

/** How a person's or an operator's writing varies, each choice drawn in turn. */
export class Dice {
  readonly below: (limit: number) => number;

  constructor(seed: number) {
    this.below = seededRandom(seed);
  }

  pick<Value>(list: readonly Value[]): Value {
    return list[this.below(list.length)] as Value;
  }
  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000;
  }
  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join('');
  }
  shuffle<Value>(list: readonly Value[]): Value[] {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other] as Value, mixed[last] as Value];
    }
    return mixed;
  }
  /** The text with one of each `[a|b]`, a digit for each `#` of four or more, and a digit or capital for each `@`. */
  vary(text: string): string {
    return text
      .replace(/\[([^\]]*)\]/g, (_, choices: string) => this.pick(choices.split('|')))
      .replace(/#{4,}/g, ({ length }) => this.digits(length))
      .replace(/@/g, () => this.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789']));
  }
}

/** A shape of what operators send, written here without a look at the product's files of operators. */
export interface SmsShape {
  name: string;
  country: CountryCode;
  sender: string;
  /** Before decimals: one that the operator writes, or writes of a balance alone. */
  mark: '.' | ',' | '';
  decimals: string;
  /** As the operator numbers its transactions, with `%` for the minute. */
  reference: string;
  /** Varied, with `$gross` for that part, and `¶` for the end of a line. */
  text: string;
}

export const tells = ({ text }: SmsShape, part: 'reference' | 'balance'): boolean => text.includes(`$${part}`);

export function makeReference({ reference }: SmsShape, dice: Dice, at: Date): string {
  const minute = at.toISOString().slice(2, 16).replaceAll(/[-:]/g, '').replace('T', '.');
  return dice.vary(reference).replace('%', minute);
}

export function writeSms({ country, mark, decimals, text }: SmsShape, parts: SmsParts, dice: Dice): string {
  const spell = (hundredths: number) => {
    const between = dice.pick(['', ' ', '\u202f', '\u00a0', ...['.', ','].filter((each) => each !== mark)]);
    const cents = hundredths % 100;
    const end = cents ? mark + String(cents).padStart(2, '0') : dice.vary(decimals);
    return String(Math.floor(hundredths / 100)).replace(/\B(?=(\d{3})+$)/g, between) + end;
  };
  // Benin is an hour ahead of UTC.
  const local = new Date(parts.at.getTime() + (country === '+229' ? 3_600_000 : 0)).toISOString();
  const [date, time] = [local.slice(0, 10), local.slice(11, 19)];
  const national = parts.payer.slice(4);
  const values: Record<string, () => string> = {
    gross: () => spell(100 * parts.gross),
    balance: () => spell(parts.balance ?? 0),
    reference: () => String(parts.reference),
    payer: () => parts.payer,
    national: () => national,
    whole: () => parts.payer.slice(1),
    spaced: () => national.replace(/\B(?=(?:\d\d)+$)/g, ' '),
    name: () => parts.name,
    typed: () => parts.typed ?? '',
    received: () => dice.pick(['recu', 'reçu']),
    francs: () => dice.vary('[F|F|F|FCFA|XOF| FCFA| F CFA]'),
    // Full stops come and go, and some phones and gateways make a line a space.
    dots: () => dice.vary('[|.|..]'),
    stop: () => dice.vary('[. |. |.¶| |¶]'),
    line: () => dice.pick(['\n', '\n', ' ', '\r\n']),
    slashed: () => `${date.split('-').toReversed().join('/')} ${time}`,
    dashed: () => `${date} ${time}`,
  };
  const written = dice.vary(text).replace(/\$([a-z]+)/g, (_, part: string) => (values[part] as () => string)());
  return written.replaceAll('¶', '\n');
}

/** Country, name, sender, mark, decimals, reference and text; `-` is none. */
const table = `
+226 ; Orange BF ; OrangeMoney ; . ; [.00|.00|.0|] ; PP%.######## ; Vous avez $received $gross FCFA du $national,$name.[ |¶| ]Le solde de votre compte est de $balance FCFA[ |¶]Trans ID: $reference[|.|..|.|. Flashez le code QR pour payer vos achats|. Flashez et gagnez]
+226 ; Moov BF ; MoovMoney ; , ; ,00 ; DAT@@@@@@@ ; Vous avez $received $gross FCFA de $name.$lineNuméro: $whole$lineDate: $slashed$lineTID: $reference[||.]$lineSolde: $balance FCFA$dots
+226 ; Telecel BF, transfer ; TelecelMoney ; . ; .00 ; DC@@@@@@@@ ; Vous avez $received $gross FCFA du $whole - $name le $slashed. Trans ID : $reference.[ |¶]Votre solde est de $balance FCFA$dots
+226 ; Telecel BF, merchant ; TelecelMney ; . ; .00 ; DCF@@@@@@@ ; Vous avez $received un paiement du $national ce $slashed.[¶| ]Montant: $gross FCFA[¶| ]Frais: 0.00 FCFA.[¶| ][¶| ]Nouveau solde: $balance FCFA. ID de transaction est $reference$dots
+223 ; Orange ML ; OrangeMoney ; . ; [||.00] ; PP%.[A|B|C]##### ; Vous avez $received un transfert de $gross [FCFA|FCFA|FCFA|F|XOF|F CFA] du $national. ID: $reference. Consultez votre nouveau solde [au #144#6#|sur Max it ou au #144#6#].[ |¶]OFM MALI
+225 ; Orange CI ; OrangeMoney ; . ; [.00|.00|] ; - ; Bonjour, vous avez $received un transfert de $gross FCFA du $national$dots
+229 ; MTN BJ, glued ; MobileMoney ; - ; - ; 1########## ; Transfert $gross$francs de $name ($whole) $dashed Ref:$typed Solde:$balanceF ID:$reference$dots
+229 ; MTN BJ, sentence ; MobileMoney ; - ; - ; 1########## ; Vous avez $received un transfert de $gross$francs de $name ($whole) le $dashed. Reference: $typed. Nouveau solde: $balance FCFA. ID de la transaction : $reference[|.|..]
+229 ; MTN BJ, deposit ; MobileMoney ; - ; - ; 1########## ; Depot $received $gross$francs de $name ($whole - ) le $dashed Solde:$balanceF ID:$referenceFrais:0F$dots
+221 ; Wave SN ; Wave ; - ; - ; T_@@@@@@@@@@ ; Vous avez $received $gross$francs de $name ($payer)$stopNouveau solde: $balance$francs$stopID de transaction: $reference$dots
+225 ; Wave CI ; Wave ; - ; - ; T_@@@@@@@@@@ ; Vous avez $received $gross$francs de $name ($payer)$stopNouveau solde: $balance$francs$stopID de transaction: $reference$dots
+226 ; Wave BF ; Wave ; - ; - ; T_@@@@@@@@@@ ; Vous avez $received $gross$francs de $name ($spaced)$stopNouveau solde: $balance$francs$stopID de transaction: $reference$dots
+226 ; Orange BF, merchant ; OrangeMoney ; . ; [|.00] ; [MP|CI]%.[########|A#####] ; Vous avez $received un paiement de $gross [FCFA|FCFA|FCFA|F|XOF|F CFA] du numero [$whole|$national]$stopRef: [$typed|SCH-2026-001]$stopTrans ID: $reference$dots
+225 ; Orange CI, deposit ; OrangeMoney ; - ; - ; - ; Vous avez $received un [depot|dépôt] de $gross [FCFA|FCFA|FCFA|F|XOF|F CFA] de $national$dots
+225 ; Moov CI ; MoovMoney ; , ; - ; 1######## ; Vous avez $received $gross FCFA de $whole$stopVotre nouveau solde Moov money est de $balance FCFA$stopRef: $reference$dots
+223 ; Orange ML, deposit ; OrangeMoney ; , ; - ; CI%.A##### ; Depot de $gross FCFA [effectue|effectué] par $national$stopVotre nouveau solde est $balance FCFA$stopID : $reference.OFM MALI
+229 ; MTN BJ, payment ; MobileMoney ; - ; - ; 1########## ; Paiement $gross$francs de $name ($whole) $dashed Frais:0F Solde:$balanceF ID:$reference$dots
+221 ; Orange SN ; OrangeMoney ; , ; - ; [CI|PP]%.B##### ; Vous avez $received un transfert de $gross [F CFA|FCFA|F] de $national sur votre compte Orange Money$stopNouveau solde: $balance FCFA$stopRef: $reference[|.|. Merci]`;

/** Every shape of a received payment, by its name. */
export const smsShapes: ReadonlyMap<string, SmsShape> = new Map(
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' ; ').map((cell) => (cell === '-' ? '' : cell)))
    .map(([country, name, sender, mark, decimals, reference, text]) => [
      name,
      { country, name, sender, mark, decimals, reference, text } as SmsShape,
    ]) as [string, SmsShape][],
);

/** An invented number of a country, in E.164, with this many before it that are different. */
export function inventPhone(code: CountryCode, dice: Dice, place?: number): string {
  const example = countries.find((each) => each.code === code)?.example ?? '';
  return code + example.slice(0, -6) + (place === undefined ? dice.digits(6) : String(place).padStart(6, '0'));
}
