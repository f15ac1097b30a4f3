import type { CountryCode } from '#contract/phone.ts';
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
  signs(count: number): string {
    return Array.from({ length: count }, () => 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'[this.below(34)]).join('');
  }
  shuffle<Value>(list: readonly Value[]): Value[] {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other] as Value, mixed[last] as Value];
    }
    return mixed;
  }
}

/** A shape of what operators send, written here without a look at the product's files of operators. */
export interface SmsShape {
  name: string;
  country: CountryCode;
  sender: string;
  /** Whether the message has these at all. */
  tells: { reference: boolean; balance: boolean };
  /** A reference as the operator numbers its transactions. */
  makeReference(dice: Dice, at: Date): string;
  write(parts: SmsParts, dice: Dice): string;
}

const pad = (value: number) => String(value).padStart(2, '0');
/** Benin and Niger are an hour ahead of UTC, and the others are at it. */
const local = (at: Date, country: CountryCode) =>
  new Date(at.getTime() + (country === '+229' || country === '+227' ? 3_600_000 : 0));
const partsOf = (at: Date) => {
  const [date = '', rest = ''] = at.toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return { year, month, day, time: rest.slice(0, 8), minute: rest.slice(0, 5) };
};
const slashed = (at: Date) => {
  const { day, month, year, time } = partsOf(at);
  return `${day}/${month}/${year} ${time}`;
};
/** Orange's own numbering: two letters, the date, the minute, and a number. */
const dated = (letters: string, at: Date, number: string) => {
  const { year, month, day, minute } = partsOf(at);
  return `${letters}${year.slice(2)}${month}${day}.${minute.replace(':', '')}.${number}`;
};

const plain = ['', ' ', '\u202f', '\u00a0'];
/** An amount with whatever stands between its thousands, and these decimals; an operator has one mark for its decimals. */
function amount(francs: number, dice: Dice, decimals = '', decimalMark = decimals[0]): string {
  const marks = decimalMark === ',' ? ['.'] : decimalMark === '.' ? [','] : [',', '.'];
  const mark = dice.pick([...plain, ...marks]);
  return String(francs).replace(/\B(?=(\d{3})+$)/g, mark) + decimals;
}
const unit = (dice: Dice, usual: string) =>
  dice.chance(0.8) ? usual : dice.pick(['F', 'FCFA', 'XOF', ' FCFA', ' F CFA']);
/** A balance as an amount; one that is told to the hundredth has its own. */
function balanced(hundredths: number | null, dice: Dice, decimals: string, decimalMark = decimals[0]): string {
  const known = hundredths ?? 0;
  const own = known % 100 === 0 ? decimals : `${decimalMark}${pad(known % 100)}`;
  return amount(Math.floor(known / 100), dice, own, decimalMark);
}
const received = (dice: Dice) => dice.pick(['recu', 'reçu', 'recu']);
const dots = (dice: Dice) => dice.pick(['', '.', '..', '.']);
/** A line's end that some phones and gateways make a space. */
const line = (dice: Dice) => dice.pick(['\n', '\n', ' ', '\r\n']);
const national = (phone: string) => phone.slice(4);
const whole = (phone: string) => phone.slice(1);

const orangeBurkina: SmsShape = {
  name: 'Orange BF',
  country: '+226',
  sender: 'OrangeMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice, at) => dated('PP', at, dice.digits(8)),
  write({ gross, payer, name, balance, reference }, dice) {
    const decimals = dice.pick(['.00', '.00', '.0', '']);
    const gap = dice.pick([' ', '\n', ' ']);
    const advert = dice.pick(['', ' Flashez le code QR pour payer vos achats', ' Flashez et gagnez']);
    return `Vous avez ${received(dice)} ${amount(gross, dice, decimals, '.')} FCFA du ${national(payer)},${name}.${gap}Le solde de votre compte est de ${balanced(balance, dice, decimals, '.')} FCFA${dice.pick([' ', '\n'])}Trans ID: ${reference}${advert ? `.${advert}` : dots(dice)}`;
  },
};

const moovBurkina: SmsShape = {
  name: 'Moov BF',
  country: '+226',
  sender: 'MoovMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice) => `DAT${dice.signs(7)}`,
  write({ gross, payer, name, balance, reference, at }, dice) {
    const end = line(dice);
    return [
      `Vous avez ${received(dice)} ${amount(gross, dice, ',00')} FCFA de ${name}.`,
      `Numéro: ${whole(payer)}`,
      `Date: ${slashed(at)}`,
      `TID: ${reference}${dice.pick(['', '', '.'])}`,
      `Solde: ${balanced(balance, dice, ',00')} FCFA${dots(dice)}`,
    ].join(end);
  },
};

const telecelTransfer: SmsShape = {
  name: 'Telecel BF, transfer',
  country: '+226',
  sender: 'TelecelMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice) => `DC${dice.signs(8)}`,
  write: ({ gross, payer, name, balance, reference, at }, dice) =>
    `Vous avez ${received(dice)} ${amount(gross, dice, '.00')} FCFA du ${whole(payer)} - ${name} le ${slashed(at)}. Trans ID : ${reference}.${dice.pick([' ', '\n'])}Votre solde est de ${balanced(balance, dice, '.00')} FCFA${dots(dice)}`,
};

const telecelMerchant: SmsShape = {
  ...telecelTransfer,
  name: 'Telecel BF, merchant',
  sender: 'TelecelMney',
  makeReference: (dice) => `DCF${dice.signs(7)}`,
  write({ gross, payer, balance, reference, at }, dice) {
    const end = dice.pick(['\n', ' ']);
    return [
      `Vous avez ${received(dice)} un paiement du ${national(payer)} ce ${slashed(at)}.`,
      `Montant: ${amount(gross, dice, '.00')} FCFA`,
      `Frais: 0.00 FCFA.${end}`,
      `Nouveau solde: ${balanced(balance, dice, '.00')} FCFA. ID de transaction est ${reference}${dots(dice)}`,
    ].join(end);
  },
};

const orangeMali: SmsShape = {
  name: 'Orange ML',
  country: '+223',
  sender: 'OrangeMoney',
  tells: { reference: true, balance: false },
  makeReference: (dice, at) => dated('PP', at, `${dice.pick(['A', 'B', 'C'])}${dice.digits(5)}`),
  write: ({ gross, payer, reference }, dice) =>
    `Vous avez ${received(dice)} un transfert de ${amount(gross, dice, dice.pick(['', '', '.00']), '.')} ${unit(dice, 'FCFA').trim()} du ${national(payer)}. ID: ${reference}. Consultez votre nouveau solde ${dice.pick(['au #144#6#', 'sur Max it ou au #144#6#'])}.${dice.pick([' ', '\n'])}OFM MALI`,
};

const orangeIvoryCoast: SmsShape = {
  name: 'Orange CI',
  country: '+225',
  sender: 'OrangeMoney',
  tells: { reference: false, balance: false },
  makeReference: () => '',
  write: ({ gross, payer }, dice) =>
    `Bonjour, vous avez ${received(dice)} un transfert de ${amount(gross, dice, dice.pick(['.00', '.00', '']), '.')} FCFA du ${national(payer)}${dots(dice)}`,
};

const mtnTransfer: SmsShape = {
  name: 'MTN BJ, glued',
  country: '+229',
  sender: 'MobileMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice) => `1${dice.digits(10)}`,
  write({ gross, payer, name, balance, reference, at, typed = '' }, dice) {
    const { year, month, day, time } = partsOf(local(at, '+229'));
    return `Transfert ${amount(gross, dice)}${unit(dice, 'F')} de ${name} (${whole(payer)}) ${year}-${month}-${day} ${time} Ref:${typed} Solde:${balanced(balance, dice, '')}F ID:${reference}${dots(dice)}`;
  },
};

const mtnReceived: SmsShape = {
  ...mtnTransfer,
  name: 'MTN BJ, sentence',
  write({ gross, payer, name, balance, reference, at, typed = '' }, dice) {
    const { year, month, day, time } = partsOf(local(at, '+229'));
    return `Vous avez ${received(dice)} un transfert de ${amount(gross, dice)}${unit(dice, 'FCFA')} de ${name} (${whole(payer)}) le ${year}-${month}-${day} ${time}. Reference: ${typed}. Nouveau solde: ${balanced(balance, dice, '')} FCFA. ID de la transaction : ${reference}${dice.pick(['', '.', '..'])}`;
  },
};

const mtnDeposit: SmsShape = {
  ...mtnTransfer,
  name: 'MTN BJ, deposit',
  write({ gross, payer, name, balance, reference, at }, dice) {
    const { year, month, day, time } = partsOf(local(at, '+229'));
    return `Depot ${received(dice)} ${amount(gross, dice)}${unit(dice, 'F')} de ${name} (${whole(payer)} - ) le ${year}-${month}-${day} ${time} Solde:${balanced(balance, dice, '')}F ID:${reference}Frais:0F${dots(dice)}`;
  },
};

const wave = (country: '+221' | '+225' | '+226'): SmsShape => ({
  name: `Wave ${{ '+221': 'SN', '+225': 'CI', '+226': 'BF' }[country]}`,
  country,
  sender: 'Wave',
  tells: { reference: true, balance: true },
  makeReference: (dice) => `T_${dice.signs(10)}`,
  write: ({ gross, payer, name, balance, reference }, dice) =>
    `Vous avez ${received(dice)} ${amount(gross, dice)}${unit(dice, 'F')} de ${name} (${country === '+226' ? spaced(payer) : payer})${stop(dice)}Nouveau solde: ${balanced(balance, dice, '')}${unit(dice, 'F')}${stop(dice)}ID de transaction: ${reference}${dots(dice)}`,
});

const spaced = (phone: string) => national(phone).replace(/\B(?=(?:\d\d)+$)/g, ' ');
/** The end of a sentence: a full stop comes and goes, and a line is a space. */
const stop = (dice: Dice) => dice.pick(['. ', '. ', '.\n', ' ', '\n']);

const orangeBurkinaMerchant: SmsShape = {
  ...orangeBurkina,
  name: 'Orange BF, merchant',
  tells: { reference: true, balance: false },
  makeReference: (dice, at) => dated(dice.pick(['MP', 'CI']), at, dice.pick([dice.digits(8), `A${dice.digits(5)}`])),
  write: ({ gross, payer, reference, typed }, dice) =>
    `Vous avez ${received(dice)} un paiement de ${amount(gross, dice, dice.pick(['', '.00']), '.')} ${unit(dice, 'FCFA').trim()} du numero ${dice.chance(0.5) ? whole(payer) : national(payer)}${stop(dice)}Ref: ${typed || 'SCH-2026-001'}${stop(dice)}Trans ID: ${reference}${dots(dice)}`,
};

const orangeIvoryCoastDeposit: SmsShape = {
  ...orangeIvoryCoast,
  name: 'Orange CI, deposit',
  write: ({ gross, payer }, dice) =>
    `Vous avez ${received(dice)} un ${dice.pick(['depot', 'dépôt'])} de ${amount(gross, dice)} ${unit(dice, 'FCFA').trim()} de ${national(payer)}${dots(dice)}`,
};

const moovIvoryCoast: SmsShape = {
  name: 'Moov CI',
  country: '+225',
  sender: 'MoovMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice) => `1${dice.digits(8)}`,
  write: ({ gross, payer, balance, reference }, dice) =>
    `Vous avez ${received(dice)} ${amount(gross, dice)} FCFA de ${whole(payer)}${stop(dice)}Votre nouveau solde Moov money est de ${balanced(balance, dice, '', ',')} FCFA${stop(dice)}Ref: ${reference}${dots(dice)}`,
};

const orangeMaliDeposit: SmsShape = {
  ...orangeMali,
  name: 'Orange ML, deposit',
  tells: { reference: true, balance: true },
  makeReference: (dice, at) => dated('CI', at, `A${dice.digits(5)}`),
  write: ({ gross, payer, balance, reference }, dice) =>
    `Depot de ${amount(gross, dice)} FCFA ${dice.pick(['effectue', 'effectué'])} par ${national(payer)}${stop(dice)}Votre nouveau solde est ${balanced(balance, dice, '', ',')} FCFA${stop(dice)}ID : ${reference}.OFM MALI`,
};

const mtnPayment: SmsShape = {
  ...mtnTransfer,
  name: 'MTN BJ, payment',
  write({ gross, payer, name, balance, reference, at }, dice) {
    const { year, month, day, time } = partsOf(local(at, '+229'));
    return `Paiement ${amount(gross, dice)}${unit(dice, 'F')} de ${name} (${whole(payer)}) ${year}-${month}-${day} ${time} Frais:0F Solde:${balanced(balance, dice, '')}F ID:${reference}${dots(dice)}`;
  },
};

const orangeSenegal: SmsShape = {
  name: 'Orange SN',
  country: '+221',
  sender: 'OrangeMoney',
  tells: { reference: true, balance: true },
  makeReference: (dice, at) => dated(dice.pick(['CI', 'PP']), at, `B${dice.digits(5)}`),
  write: ({ gross, payer, balance, reference }, dice) =>
    `Vous avez ${received(dice)} un transfert de ${amount(gross, dice)} ${dice.pick(['F CFA', 'FCFA', 'F'])} de ${national(payer)} sur votre compte Orange Money${stop(dice)}Nouveau solde: ${balanced(balance, dice, '', ',')} FCFA${stop(dice)}Ref: ${reference}${dice.pick(['', '.', '. Merci'])}`,
};

/** Every shape of a received payment. */
export const smsShapes = {
  orangeBurkina,
  moovBurkina,
  telecelTransfer,
  telecelMerchant,
  orangeMali,
  orangeIvoryCoast,
  mtnTransfer,
  mtnReceived,
  mtnDeposit,
  waveSenegal: wave('+221'),
  waveIvoryCoast: wave('+225'),
  waveBurkina: wave('+226'),
  orangeBurkinaMerchant,
  orangeIvoryCoastDeposit,
  moovIvoryCoast,
  orangeMaliDeposit,
  mtnPayment,
  orangeSenegal,
} as const satisfies Record<string, SmsShape>;

const starts: Record<CountryCode, readonly string[]> = {
  '+226': ['70', '71', '76', '60', '65', '54'],
  '+225': ['0707', '0505', '0142'],
  '+223': ['70', '76', '66', '90'],
  '+227': ['90', '96'],
  '+229': ['0197', '0166', '0162'],
  '+228': ['90', '92', '70', '79'],
  '+221': ['770', '776', '781'],
};

/** An invented number of a country, in E.164, with this many before it that are different. */
export function inventPhone(country: CountryCode, dice: Dice, place?: number): string {
  const start = starts[country][(place ?? dice.below(100)) % starts[country].length] as string;
  return country + start + (place === undefined ? dice.digits(6) : String(place).padStart(6, '0'));
}
