import { plainReference } from '#server/database/plain-reference.ts';
import { Dice, inventPhone, type SmsShape, smsShapes } from './payment-sms.ts';

/** The operator's accounts: the wallet of each, how it tells of a payment, and its share of the day. */
export const dayAccounts = {
  /** Each by SMS, and all by statements at noon and in the evening. */
  orange: { wallet: 'Orange Money', shape: smsShapes.orangeBurkina, share: 0.4, hasStatement: true },
  /** By Wave's server, some also by SMS, and all by statements. */
  wave: { wallet: 'Wave', shape: smsShapes.waveSenegal, share: 0.25, hasStatement: true },
  waveIvoryCoast: { wallet: 'Wave', shape: smsShapes.waveIvoryCoast, share: 0.15, hasStatement: true },
  /** By SMS alone. */
  mtn: { wallet: 'MTN MoMo', shape: smsShapes.mtnTransfer, share: 0.15, hasStatement: false },
  /** Its SMS tell neither a reference nor a balance. */
  orangeIvoryCoast: { wallet: 'Orange Money', shape: smsShapes.orangeIvoryCoast, share: 0.05, hasStatement: false },
} as const satisfies Record<string, { wallet: string; shape: SmsShape; share: number; hasStatement: boolean }>;
export type AccountName = keyof typeof dayAccounts;
export const accountNames = Object.keys(dayAccounts) as AccountName[];

/** What goes wrong, each with one ticket of twenty, whatever else goes wrong with it. */
const dayFaults = [
  'mistyped',
  'zero as O',
  'written otherwise',
  'no reference',
  'claimed twice',
  'paid twice',
  'wrong amount',
  'SMS lost',
  'two phones',
  'statement first',
  'clock off',
  'other wallet',
] as const;
type DayFault = (typeof dayFaults)[number];
const faultShare = 0.05;

export interface DayTicket {
  /** From 1. */
  id: number;
  /** Where the person says they pay, and with 'other wallet' do not. */
  wallet: string;
  account: AccountName;
  /** The person's own number. */
  phone: string;
  total: number;
  filedAt: number;
  declaredAt: number | null;
  /** As it is typed. */
  reference: string | null;
  /** What the person says they paid from. */
  payerPhone: string | null;
  faults: ReadonlySet<DayFault>;
}

export interface DayLine {
  key: number;
  account: AccountName;
  gross: number;
  payer: string;
  /** None where the wallet tells none. */
  reference: string | null;
  at: number;
  balance: number;
  /** What it was paid for; null of a stranger's payment. */
  ticket: DayTicket | null;
  /** The payer types the ticket's number. */
  isNamed: boolean;
  /** It is paid from another SIM than the one of the person's account. */
  isOtherSim: boolean;
  faults: ReadonlySet<DayFault>;
}

/** One call that tells the product something, at its time of the day. */
export interface DayInput {
  kind: 'sms' | 'wave' | 'statement';
  account: AccountName;
  /** JSON, or a statement's text. */
  body: string;
  at: number;
}

export interface Day {
  tickets: DayTicket[];
  /** Every payment that was made. */
  lines: DayLine[];
  inputs: DayInput[];
}

const minute = 60_000;
/** So much before its end the day begins, and its ordinary part ends. */
const opening = 18 * 60 * minute;
const closing = 20 * minute;
/** Of the tickets: those of thieves (who claim another's payment), forgers of both kinds, and who never pay. */
const shares = { thief: 0.05, numberForger: 0.05, nameForger: 0.03, unpaid: 0.03 };
/** What most orders cost: with those that are repeated, 77 % share their amount. */
const popular = [500, 1_000, 1_100, 1_500, 2_000, 2_500, 3_000, 5_000, 5_100, 7_500, 10_000, 15_000, 20_000, 50_000];
const popularShare = 0.66;
/** Orders that the same person repeats on the same day, with the same amount. */
const repeatedShare = 0.2;
/** Payers whose money is on another SIM than their account's number. */
const otherSimShare = 1 / 3;
/** Payers who type the ticket's number where the wallet passes it on. */
const namedShare = 0.2;
const hundredAccounts = accountNames.flatMap((name) =>
  Array.from({ length: Math.round(100 * dayAccounts[name].share) }, () => name),
);

/** A day of so many tickets and as many payments that ends now, with all that tells of it; the same for the same seed and end. */
export function makeDay(seed: number, count: number, now: number): Day {
  const dice = new Dice(seed);
  const open = now - opening;
  const day: Day = { tickets: [], lines: [], inputs: [] };
  const { tickets, lines, inputs } = day;
  const phoneOf = (account: AccountName, place?: number) =>
    inventPhone(dayAccounts[account].shape.country, dice, place);
  const pickTotal = () => (dice.chance(popularShare) ? dice.pick(popular) : 30_000 + 7 * tickets.length);
  const pickTime = () => open + 1_000 * dice.below((opening - closing) / 1_000);
  const addTicket = (fields: Omit<DayTicket, 'id'>): DayTicket => {
    tickets.push({ id: tickets.length + 1, ...fields });
    return tickets.at(-1) as DayTicket;
  };
  const addLine = (fields: Omit<DayLine, 'key' | 'balance' | 'reference'>): DayLine => {
    const reference = dayAccounts[fields.account].shape.makeReference(dice, new Date(fields.at)) || null;
    lines.push({ ...fields, key: lines.length + 1, balance: 0, reference });
    return lines.at(-1) as DayLine;
  };

  const special = Object.entries(shares).flatMap(([kind, share]) =>
    Array.from({ length: Math.round(share * count) }, () => kind as keyof typeof shares),
  );
  while (tickets.length < count - special.length) {
    const faults = new Set(dayFaults.filter(() => dice.chance(faultShare)));
    const earlier = tickets.length > 0 && dice.chance(repeatedShare) ? dice.pick(tickets) : undefined;
    const account = earlier?.account ?? dice.pick(hundredAccounts);
    const phone = earlier?.phone ?? phoneOf(account, tickets.length);
    const total = earlier?.total ?? pickTotal();
    const filedAt = pickTime();
    const delay = dice.pick([30 + dice.below(600), 30 + dice.below(600), -120, 3 * 3_600]);
    const at = Math.min(filedAt + 1_000 * delay, now - 2 * minute);
    const isOtherSim = dice.chance(otherSimShare);
    const payer = isOtherSim ? phoneOf(account) : phone;
    const line = addLine({
      account,
      gross: total - (faults.has('wrong amount') ? dice.pick([100, 50, -100, Math.ceil(total / 100)]) : 0),
      payer,
      at,
      ticket: null,
      // Whoever pays before they file knows no number yet.
      isNamed: (account === 'mtn' || isWave(account)) && delay > 0 && dice.chance(namedShare),
      isOtherSim,
      faults,
    });
    const isDeclared = dice.chance(0.82);
    const isReferred = isDeclared && dice.chance(0.85) && !faults.has('no reference');
    const { wallet } = dayAccounts[account];
    line.ticket = addTicket({
      wallet: faults.has('other wallet') ? (wallet === 'Wave' ? 'Orange Money' : 'Wave') : wallet,
      account,
      phone,
      total,
      filedAt,
      declaredAt: isDeclared ? Math.min(Math.max(at, filedAt) + 1_000 * (20 + dice.below(200)), now - 30_000) : null,
      reference: isReferred ? typeReference(line.reference ?? `CI${dice.digits(10)}`, faults, dice) : null,
      // Prefilled with the own number, which most leave; some say from which one they paid.
      payerPhone: isDeclared && dice.chance(0.6) ? (dice.chance(0.3) ? payer : phone) : null,
      faults,
    });
    if (faults.has('paid twice'))
      addLine({
        ...line,
        at: Math.min(at + 1_000 * (60 + dice.below(900)), now - minute),
        faults: new Set(),
        isNamed: false,
      });
  }

  const paid = lines.filter(({ reference }) => reference !== null);
  for (const kind of special) {
    const stolen = kind === 'thief' ? dice.pick(paid) : undefined;
    const account = stolen?.account ?? dice.pick(accountNames.filter((name) => dayAccounts[name].shape.tells.balance));
    const { shape } = dayAccounts[account];
    const filedAt = stolen ? Math.max(stolen.at - minute * dice.below(10), open) : pickTime();
    const reference = stolen?.reference ?? shape.makeReference(dice, new Date(filedAt + minute));
    const ticket = addTicket({
      wallet: dayAccounts[account].wallet,
      account,
      phone: phoneOf(account, tickets.length),
      total: stolen?.ticket?.total ?? pickTotal(),
      filedAt,
      declaredAt: stolen ? Math.max(filedAt, stolen.at) + minute : filedAt + 3 * minute,
      reference,
      payerPhone: null,
      faults: new Set<DayFault>(stolen ? ['claimed twice'] : []),
    });
    if (kind === 'thief' || kind === 'unpaid') continue;
    // An SMS that tells of nothing: of a plain number, or under the operator's name.
    const parts = { gross: ticket.total, payer: ticket.phone, reference, balance: 100 * dice.below(5_000_000) };
    const text = shape.write({ ...parts, name: 'KABORE Issa', at: new Date(filedAt + 90_000) }, dice);
    const from = kind === 'nameForger' ? shape.sender : phoneOf(account);
    inputs.push(forwarded(account, { from, text, sentStamp: filedAt + 90_000 }, filedAt + 95_000));
  }
  while (lines.length < count) {
    const account = dice.pick(hundredAccounts);
    addLine({
      account,
      gross: pickTotal(),
      payer: phoneOf(account),
      at: pickTime(),
      ticket: null,
      isNamed: false,
      isOtherSim: false,
      faults: new Set(),
    });
  }
  lines.sort((a, b) => a.at - b.at || a.key - b.key);
  keepBalances(lines, dice);
  for (const line of lines) inputs.push(...inputsOf(line, now, dice));
  for (const account of accountNames)
    for (const at of dayAccounts[account].hasStatement ? [now - opening / 2, now - 40_000] : []) {
      const rows = lines.filter((line) => line.account === account && line.at <= at);
      if (rows.length > 0) inputs.push({ kind: 'statement', account, body: statementOf(account, rows), at });
    }
  inputs.sort((a, b) => a.at - b.at);
  return day;
}

/**
 * Lines that nothing is wrong with, that a statement tells, that were paid from the person's own number, and whose reference is
 * declared and claimed by nobody else: whatever else happens on the day, they have to be ticked.
 */
export function plainLines({ lines, tickets }: Day): DayLine[] {
  const claims = Map.groupBy(tickets, ({ reference }) => plainReference(reference));
  return lines.filter(
    ({ account, ticket, reference, faults, isOtherSim }) =>
      dayAccounts[account].hasStatement &&
      faults.size === 0 &&
      !isOtherSim &&
      ticket?.faults.size === 0 &&
      plainReference(ticket.reference) === plainReference(reference) &&
      claims.get(plainReference(reference))?.length === 1,
  );
}

/**
 * Whether a line that is ticked for a ticket was paid for it. A person's payments of one amount stand for each other: who paid two
 * orders of 500 francs paid either.
 */
export function isRight(line: DayLine | undefined, ticket: DayTicket | undefined): boolean {
  if (!line?.ticket || !ticket || line.gross !== ticket.total) return false;
  return line.ticket.id === ticket.id || (line.ticket.phone === ticket.phone && line.ticket.total === ticket.total);
}

/** Each payment adds to its wallet, which its operator empties now and then. */
function keepBalances(lines: readonly DayLine[], dice: Dice): void {
  const balances = new Map<AccountName, number>();
  for (const line of lines) {
    const before = balances.get(line.account) ?? 100 * dice.below(200_000);
    const kept = dice.chance(1 / 60) ? 100 * dice.below(20_000) : before;
    line.balance = kept + 100 * line.gross;
    balances.set(line.account, line.balance);
  }
}

function typeReference(reference: string, faults: ReadonlySet<DayFault>, dice: Dice): string {
  if (faults.has('mistyped')) return reference.slice(0, -1) + (reference.endsWith('7') ? '1' : '7');
  if (faults.has('zero as O')) return reference.replace(/0(?!.*0)/, 'O');
  if (!faults.has('written otherwise')) return reference;
  return dice.pick([
    reference.toLowerCase(),
    `${reference}..`,
    reference.replaceAll('.', ''),
    reference.replaceAll('.', ' '),
  ]);
}

const forwarded = (
  account: AccountName,
  sms: { from: string; text: string; sentStamp: number },
  at: number,
): DayInput => ({
  kind: 'sms',
  account,
  body: JSON.stringify({ ...sms, receivedStamp: at, sim: 'SIM1' }),
  at,
});

const isWave = (account: AccountName) => dayAccounts[account].wallet === 'Wave';
const feeOf = (gross: number) => Math.floor(gross / 100);
const nameOf = ({ isNamed, ticket }: DayLine) => (isNamed && ticket ? `T${ticket.id}` : '');

function inputsOf(line: DayLine, now: number, dice: Dice): DayInput[] {
  const { account, at, faults, key } = line;
  const inputs: DayInput[] = [];
  // Now and then an event is missing.
  if (isWave(account) && key % 5 !== 0)
    inputs.push({ kind: 'wave', account, body: JSON.stringify(eventOf(line)), at: at + 2_000 });
  if (faults.has('SMS lost') || (isWave(account) && key % 2 === 0)) return inputs;
  const { shape } = dayAccounts[account];
  const typed = nameOf(line) || dice.pick(['', 'merci', 'loyer']);
  const text = shape.write({ ...line, name: 'KABORE Issa', at: new Date(at), typed }, dice);
  // Within the minute, as a message that tells no time is known by it; a wrong clock changes nothing of one that tells its own.
  const isOff = faults.has('clock off') && (account === 'orange' || account === 'mtn');
  const stamp = at - (at % minute) + 1_000 * dice.below(60) + (isOff ? dice.pick([-2, 2, -365]) * 24 * 60 * minute : 0);
  // What comes after the evening's statement comes last.
  const arrival = faults.has('statement first') ? now - 20_000 : at + 5_000;
  inputs.push(forwarded(account, { from: shape.sender, text, sentStamp: stamp }, arrival));
  if (!faults.has('two phones')) return inputs;
  const payload = { sender: shape.sender, message: text, receivedAt: new Date(stamp).toISOString() };
  const body = JSON.stringify({ event: 'sms:received', payload });
  return [...inputs, { kind: 'sms', account, body, at: arrival + 3_000 }];
}

function eventOf(line: DayLine): object {
  const { key, gross, reference, payer, at, isNamed } = line;
  const fee = feeOf(gross);
  const data = {
    id: reference,
    amount: String(gross - fee),
    fee: String(fee),
    currency: 'XOF',
    sender_mobile: payer,
    when_created: new Date(at).toISOString(),
    custom_fields: isNamed ? { account_number: nameOf(line) } : {},
  };
  return { id: `EV_${key}`, type: 'merchant.payment_received', data };
}

/** `Nov 9  2025  12:00:00 AM`, as Wave's English export writes an instant. */
export function waveTime(at: number): string {
  const date = new Date(at);
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const time = date.toLocaleTimeString('en-US', { timeZone: 'UTC' }).replace('\u202f', ' ');
  return `${month} ${date.getUTCDate()}  ${date.getUTCFullYear()}  ${time}`;
}

export const waveHeader =
  'timestamp,transaction_id,transaction_type,amount,fee,currency,counterparty_mobile,client_reference,checkout_api_session_id,aggregated_merchant_id,aggregated_merchant_name';
const orangeHeader =
  'TRANSFER_DATE,TRANSFER_STATUS,TRANSFER_ID,ORDER_ID,MSISDN,REFERENCE_NUMBER,STATEMENT,TRANSFER_AMOUNT,CREDIT,DEBIT,FEES,PREVIOUS_BAL,AFTER_BAL,REMARKS,FTXN_ID';

function statementOf(account: AccountName, lines: readonly DayLine[]): string {
  const rows = lines.map((line) => {
    const { at, reference, gross, payer, balance } = line;
    const fee = feeOf(gross);
    if (isWave(account))
      return `${waveTime(at)},${reference},api_checkout,${gross - fee},${fee},XOF,${payer},${nameOf(line)},,,`;
    const [date = '', time = ''] = new Date(at).toISOString().split('T');
    const when = `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`;
    return `${when},TS,${reference},,70000000,,Money Received from ${payer.slice(4)},${gross},${gross},0,0,${balance / 100 - gross},${balance / 100},,`;
  });
  return [isWave(account) ? waveHeader : orangeHeader, ...rows].join('\r\n');
}
