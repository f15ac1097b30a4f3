import { plainReference } from '#server/database/plain-reference.ts';
import { Dice, inventPhone, makeReference, type SmsShape, smsShapes, tells, writeSms } from './payment-sms.ts';
import { waveEvent } from './wave-event.ts';

const shapeOf = (name: string) => smsShapes.get(name) as SmsShape;

/** The operator's accounts: the wallet of each, how it tells of a payment, and its share of the day. */
export const dayAccounts = {
  /** Each by SMS, and all by statements at noon and in the evening. */
  orange: { wallet: 'Orange Money', shape: shapeOf('Orange BF'), share: 0.4, hasStatement: true },
  /** By Wave's server, some also by SMS, and all by statements. */
  wave: { wallet: 'Wave', shape: shapeOf('Wave SN'), share: 0.25, hasStatement: true },
  waveIvoryCoast: { wallet: 'Wave', shape: shapeOf('Wave CI'), share: 0.15, hasStatement: true },
  /** By SMS alone. */
  mtn: { wallet: 'MTN MoMo', shape: shapeOf('MTN BJ, glued'), share: 0.15, hasStatement: false },
  /** Its SMS tell neither a reference nor a balance. */
  orangeIvoryCoast: { wallet: 'Orange Money', shape: shapeOf('Orange CI'), share: 0.05, hasStatement: false },
} as const satisfies Record<string, { wallet: string; shape: SmsShape; share: number; hasStatement: boolean }>;
export type AccountName = keyof typeof dayAccounts;
export const accountNames = Object.keys(dayAccounts) as AccountName[];

/** What goes wrong, each with one ticket of twenty, whatever else goes wrong with it. */
const dayFaults =
  'mistyped|zero as O|written otherwise|no reference|claimed twice|paid twice|wrong amount|SMS lost|two phones|statement first|clock off|other wallet'.split(
    '|',
  );
const faultShare = 0.05;
type Faults = ReadonlySet<string>;

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
  faults: Faults;
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
  faults: Faults;
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
const [opening, closing] = [18 * 60 * minute, 20 * minute];
/** Of the tickets: those of thieves (who claim another's payment), forgers of both kinds, and who never pay. */
const shares = { thief: 0.05, numberForger: 0.05, nameForger: 0.03, unpaid: 0.03 };
/** What most orders cost: with those that are repeated, 77 % share their amount. */
const popular = [500, 1_000, 1_100, 1_500, 2_000, 2_500, 3_000, 5_000, 5_100, 7_500, 10_000, 15_000, 20_000, 50_000];

/** A day of so many tickets and as many payments that ends now, with all that tells of it; the same for the same seed and end. */
export function makeDay(seed: number, count: number, now: number): Day {
  const dice = new Dice(seed);
  const open = now - opening;
  const day: Day = { tickets: [], lines: [], inputs: [] };
  const { tickets, lines, inputs } = day;
  const hundred = accountNames.flatMap((name) =>
    Array<AccountName>(Math.round(100 * dayAccounts[name].share)).fill(name),
  );
  const phoneOf = (account: AccountName, place?: number) =>
    inventPhone(dayAccounts[account].shape.country, dice, place);
  const pickTotal = () => (dice.chance(0.66) ? dice.pick(popular) : 30_000 + 7 * tickets.length);
  const pickTime = () => open + 1_000 * dice.below((opening - closing) / 1_000);
  const addTicket = (fields: Omit<DayTicket, 'id' | 'wallet'>): DayTicket => {
    const wallets = [dayAccounts[fields.account].wallet, 'Wave', 'Orange Money'];
    const wallet = (fields.faults.has('other wallet') && wallets.find((each) => each !== wallets[0])) || wallets[0];
    const ticket = { id: tickets.length + 1, wallet: String(wallet), ...fields };
    tickets.push(ticket);
    return ticket;
  };
  const addLine = (fields: Pick<DayLine, 'account' | 'gross' | 'payer' | 'at'> & Partial<DayLine>): DayLine => {
    const reference = makeReference(dayAccounts[fields.account].shape, dice, new Date(fields.at)) || null;
    const line = { ticket: null, isNamed: false, faults: new Set<string>(), ...fields, reference, balance: 0 };
    lines.push({ ...line, key: lines.length + 1 });
    return lines.at(-1) as DayLine;
  };

  const special = Object.entries(shares).flatMap(([kind, share]) => Array(Math.round(share * count)).fill(kind));
  while (tickets.length < count - special.length) {
    const faults = new Set(dayFaults.filter(() => dice.chance(faultShare)));
    // A fifth is repeated by the same person on the same day, with the same amount.
    const earlier = tickets.length > 0 && dice.chance(0.2) ? dice.pick(tickets) : undefined;
    const account = earlier?.account ?? dice.pick(hundred);
    const phone = earlier?.phone ?? phoneOf(account, tickets.length);
    const total = earlier?.total ?? pickTotal();
    const filedAt = pickTime();
    const delay = dice.pick([30 + dice.below(600), 30 + dice.below(600), -120, 3 * 3_600]);
    const at = Math.min(filedAt + 1_000 * delay, now - 2 * minute);
    const payer = dice.chance(1 / 3) ? phoneOf(account) : phone;
    const line = addLine({
      account,
      gross: total - (faults.has('wrong amount') ? dice.pick([100, 50, -100, Math.ceil(total / 100)]) : 0),
      payer,
      at,
      // Some type the ticket's number where the wallet passes it on. Whoever pays before they file knows none yet.
      isNamed: (account === 'mtn' || isWave(account)) && delay > 0 && dice.chance(0.2),
      faults,
    });
    const isDeclared = dice.chance(0.82);
    const isReferred = isDeclared && dice.chance(0.85) && !faults.has('no reference');
    line.ticket = addTicket({
      account,
      phone,
      total,
      filedAt,
      declaredAt: isDeclared ? Math.min(Math.max(at, filedAt) + 1_000 * (20 + dice.below(200)), now - 30_000) : null,
      reference: isReferred ? typeReference(line.reference ?? dice.vary('CI##########'), faults, dice) : null,
      // Prefilled with the own number, which most leave; some say from which one they paid.
      payerPhone: isDeclared && dice.chance(0.6) ? (dice.chance(0.3) ? payer : phone) : null,
      faults,
    });
    const again = Math.min(at + 1_000 * (60 + dice.below(900)), now - minute);
    if (faults.has('paid twice')) addLine({ ...line, at: again, faults: new Set(), isNamed: false });
  }

  const paid = lines.filter(({ reference }) => reference !== null);
  const balanced = accountNames.filter((name) => tells(dayAccounts[name].shape, 'balance'));
  for (const kind of special) {
    const stolen = kind === 'thief' ? dice.pick(paid) : undefined;
    const account = stolen?.account ?? dice.pick(balanced);
    const { shape } = dayAccounts[account];
    const filedAt = stolen ? Math.max(stolen.at - minute * dice.below(10), open) : pickTime();
    const reference = stolen?.reference ?? makeReference(shape, dice, new Date(filedAt + minute));
    const phone = phoneOf(account, tickets.length);
    const total = stolen?.ticket?.total ?? pickTotal();
    const declaredAt = stolen ? Math.max(filedAt, stolen.at) + minute : filedAt + 3 * minute;
    const faults = new Set(stolen ? ['claimed twice'] : []);
    addTicket({ account, phone, total, filedAt, declaredAt, reference, payerPhone: null, faults });
    if (kind === 'thief' || kind === 'unpaid') continue;
    // An SMS that tells of nothing: of a plain number, or under the operator's name.
    const at = filedAt + 90_000;
    const parts = { gross: total, payer: phone, reference, balance: 100 * dice.below(5_000_000), at: new Date(at) };
    const text = writeSms(shape, { ...parts, name: 'KABORE Issa' }, dice);
    const from = kind === 'nameForger' ? shape.sender : phoneOf(account);
    inputs.push(forwarded(account, { from, text, sentStamp: at }, at + 5_000));
  }
  while (lines.length < count) {
    const account = dice.pick(hundred);
    addLine({ account, gross: pickTotal(), payer: phoneOf(account), at: pickTime() });
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
    ({ account, ticket, reference, faults, payer }) =>
      dayAccounts[account].hasStatement &&
      faults.size === 0 &&
      ticket?.faults.size === 0 &&
      payer === ticket.phone &&
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
    line.balance = (dice.chance(1 / 60) ? 100 * dice.below(20_000) : before) + 100 * line.gross;
    balances.set(line.account, line.balance);
  }
}

function typeReference(reference: string, faults: Faults, dice: Dice): string {
  if (faults.has('mistyped')) return reference.slice(0, -1) + (reference.endsWith('7') ? '1' : '7');
  if (faults.has('zero as O')) return reference.replace(/0(?!.*0)/, 'O');
  if (!faults.has('written otherwise')) return reference;
  const ways = [reference.toLowerCase(), `${reference}..`, ...['', ' '].map((each) => reference.replaceAll('.', each))];
  return dice.pick(ways);
}

const forwarded = (account: AccountName, sms: { from: string; text: string; sentStamp: number }, at: number) =>
  ({ kind: 'sms', account, body: JSON.stringify({ ...sms, receivedStamp: at, sim: 'SIM1' }), at }) as const;

const isWave = (account: AccountName) => dayAccounts[account].wallet === 'Wave';
const nameOf = ({ isNamed, ticket }: DayLine) => (isNamed && ticket ? `T${ticket.id}` : '');

function inputsOf(line: DayLine, now: number, dice: Dice): DayInput[] {
  const { account, at, faults, key, gross, reference } = line;
  const inputs: DayInput[] = [];
  // Now and then an event is missing.
  if (isWave(account) && key % 5 !== 0) {
    const [amount, fee] = partsOf(gross).map(String);
    const times = { when_created: new Date(at).toISOString(), sender_mobile: line.payer };
    const custom_fields = line.isNamed ? { account_number: nameOf(line) } : {};
    const event = { ...waveEvent({ id: reference, amount, fee, ...times, custom_fields }), id: `EV_${key}` };
    inputs.push({ kind: 'wave', account, body: JSON.stringify(event), at: at + 2_000 });
  }
  if (faults.has('SMS lost') || (isWave(account) && key % 2 === 0)) return inputs;
  const { shape } = dayAccounts[account];
  const typed = nameOf(line) || dice.pick(['', 'merci', 'loyer']);
  const text = writeSms(shape, { ...line, name: 'KABORE Issa', at: new Date(at), typed }, dice);
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

/** What Wave credits, and its fee. */
const partsOf = (gross: number) => [gross - Math.floor(gross / 100), Math.floor(gross / 100)] as const;

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
    if (isWave(account))
      return `${waveTime(at)},${reference},api_checkout,${partsOf(gross).join(',')},XOF,${payer},${nameOf(line)},,,`;
    const [date = '', time = ''] = new Date(at).toISOString().split('T');
    const when = `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`;
    return `${when},TS,${reference},,70000000,,Money Received from ${payer.slice(4)},${gross},${gross},0,0,${balance / 100 - gross},${balance / 100},,`;
  });
  return [isWave(account) ? waveHeader : orangeHeader, ...rows].join('\r\n');
}
