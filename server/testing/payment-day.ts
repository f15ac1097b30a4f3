import { Dice, inventPhone, type SmsShape, smsShapes } from './payment-sms.ts';

/** The operator's wallets: how each tells of a payment, and its share of the day. */
export const dayAccounts = {
  /** Each by SMS, and all by statements at noon and in the evening. */
  orange: { shape: smsShapes.orangeBurkina, share: 0.4, hasStatement: true, isWave: false },
  /** By Wave's server, some also by SMS, and all by statements. */
  wave: { shape: smsShapes.waveSenegal, share: 0.3, hasStatement: true, isWave: true },
  moov: { shape: smsShapes.moovBurkina, share: 0.18, hasStatement: false, isWave: false },
  mtn: { shape: smsShapes.mtnTransfer, share: 0.08, hasStatement: false, isWave: false },
  /** Its SMS tell neither a reference nor a balance. */
  ivoryCoast: { shape: smsShapes.orangeIvoryCoast, share: 0.04, hasStatement: false, isWave: false },
} as const satisfies Record<string, { shape: SmsShape; share: number; hasStatement: boolean; isWave: boolean }>;
export type AccountName = keyof typeof dayAccounts;
export const accountNames = Object.keys(dayAccounts) as AccountName[];

/** What goes wrong, each with one ticket of twenty, whatever else goes wrong with it. */
export const dayFaults = [
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
  'other payer',
] as const;
export type DayFault = (typeof dayFaults)[number];
const faultShare = 0.05;

export interface DayPerson {
  key: number;
  phone: string;
}

export interface DayTicket {
  key: number;
  person: DayPerson;
  account: AccountName;
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
  reference: string | null;
  at: number;
  balance: number;
  /** What it was paid for; null of a stranger's payment. */
  ticket: DayTicket | null;
  /** The payer types the ticket's number. */
  isNamed: boolean;
  faults: ReadonlySet<DayFault>;
}

/** An SMS that tells of nothing: of a plain number, or under the operator's name. */
export interface Forgery {
  key: number;
  ticket: DayTicket;
  from: string;
  reference: string;
  balance: number;
}

export interface Day {
  seed: number;
  now: number;
  people: DayPerson[];
  tickets: DayTicket[];
  /** Every payment that was made, by time. */
  lines: DayLine[];
  forgeries: Forgery[];
}

const minute = 60_000;
const hour = 60 * minute;
/** So much before now the day begins, and its ordinary part ends. */
const opening = 18 * hour;
const closing = 20 * minute;
/** Of the tickets: those of thieves (who claim another's payment), forgers of both kinds, and who never pay. */
const shares = { thieves: 0.05, numberForgers: 0.05, nameForgers: 0.02, unpaid: 0.03 };
/** What most orders cost: with those that are repeated, 77 % share their amount. */
const popular = [
  500, 1_000, 1_100, 1_500, 2_000, 2_500, 3_000, 5_000, 5_100, 7_500, 10_000, 10_100, 15_000, 20_000, 25_000, 50_000,
];
const popularShare = 0.62;
/** Orders that the same person repeats on the same day, with the same amount. */
const repeatedShare = 0.2;
/** Payers who type the ticket's number where the wallet passes it on. */
const namedShare = 0.2;

/** A day of so many tickets and as many payments that ends now; the same for the same seed but for its times. */
export function makeDay(seed: number, count: number, now: number): Day {
  const dice = new Dice(seed);
  const open = now - opening;
  const people = new Map<string, DayPerson[]>();
  let lastPerson = 0;
  const addPerson = (account: AccountName): DayPerson => {
    const { country } = dayAccounts[account].shape;
    lastPerson += 1;
    const person = { key: lastPerson, phone: inventPhone(country, dice, lastPerson) };
    people.set(country, [...(people.get(country) ?? []), person]);
    return person;
  };
  const somebody = (account: AccountName) => {
    const known = people.get(dayAccounts[account].shape.country) ?? [];
    return known.length > 0 && dice.chance(0.4) ? dice.pick(known) : addPerson(account);
  };
  const pickAccount = () => {
    let rest = dice.below(1_000) / 1_000;
    for (const name of accountNames) {
      rest -= dayAccounts[name].share;
      if (rest < 0) return name;
    }
    return 'orange' as const;
  };
  let unusual = 0;
  const pickTotal = () => {
    if (dice.chance(popularShare)) return dice.pick(popular);
    unusual += 1;
    return 30_000 + 7 * unusual;
  };
  const pickTime = () => open + 1_000 * dice.below((opening - closing) / 1_000);

  const tickets: DayTicket[] = [];
  const lines: DayLine[] = [];
  const forgeries: Forgery[] = [];
  const addTicket = (fields: Omit<DayTicket, 'key'>): DayTicket => {
    const ticket = { key: tickets.length + 1, ...fields };
    tickets.push(ticket);
    return ticket;
  };
  const addLine = (fields: Omit<DayLine, 'key' | 'balance' | 'reference'>): DayLine => {
    const { shape } = dayAccounts[fields.account];
    const made = shape.makeReference(dice, new Date(fields.at)) || null;
    const line = { ...fields, key: lines.length + 1, balance: 0, reference: made };
    lines.push(line);
    return line;
  };

  const each = (share: number) => Math.round(share * count);
  const special = each(shares.thieves) + each(shares.numberForgers) + each(shares.nameForgers) + each(shares.unpaid);
  for (let n = 0; n < count - special; n += 1) {
    const faults = new Set(dayFaults.filter(() => dice.chance(faultShare)));
    const earlier = tickets.length > 0 && dice.chance(repeatedShare) ? dice.pick(tickets) : undefined;
    const account = earlier?.account ?? pickAccount();
    const person = earlier?.person ?? somebody(account);
    const total = earlier?.total ?? pickTotal();
    const isLate = faults.has('clock off');
    const filedAt = isLate ? now - minute * (4 + dice.below(5)) : pickTime();
    const delay = isLate ? 20 : dice.pick([30 + dice.below(600), 30 + dice.below(600), -120, 3 * 3_600]);
    const at = Math.min(filedAt + 1_000 * delay, now - 2 * minute);
    const other = faults.has('other payer')
      ? dice.chance(0.8)
        ? inventPhone(dayAccounts[account].shape.country, dice)
        : somebody(account).phone
      : null;
    const line = addLine({
      account,
      gross: total - (faults.has('wrong amount') ? dice.pick([100, 50, -100, Math.ceil(total / 100)]) : 0),
      payer: other ?? person.phone,
      at,
      ticket: null,
      // Whoever pays before they file knows no number yet.
      isNamed: (account === 'mtn' || account === 'wave') && delay > 0 && dice.chance(namedShare),
      faults,
    });
    const isDeclared = dice.chance(0.82);
    const isReferred = isDeclared && dice.chance(0.85) && !faults.has('no reference');
    const ticket = addTicket({
      person,
      account,
      total,
      filedAt,
      // What a wrong clock hides counts from its arrival, in a run that may take minutes: it is declared last.
      declaredAt: isDeclared
        ? Math.min(Math.max(at, filedAt) + 1_000 * ((isLate ? 600 : 20) + dice.below(200)), now - 30_000)
        : null,
      reference: isReferred ? typeReference(line.reference ?? `CI${dice.digits(10)}`, faults, dice) : null,
      // Prefilled with the own number, which most leave; some say from which one they paid.
      payerPhone: isDeclared && dice.chance(0.6) ? (other !== null && dice.chance(0.3) ? other : person.phone) : null,
      faults,
    });
    line.ticket = ticket;
    if (faults.has('paid twice')) {
      const again = Math.min(at + 1_000 * (60 + dice.below(900)), now - minute);
      addLine({ ...line, at: again, ticket, faults: new Set(), isNamed: false });
    }
  }

  const paid = lines.filter(({ reference, ticket }) => reference !== null && ticket !== null);
  for (let n = 0; n < each(shares.thieves); n += 1) {
    const { account, reference, ticket, at } = dice.pick(paid);
    if (!ticket) continue;
    const filedAt = Math.max(at - minute * dice.below(10), open);
    addTicket({
      person: addPerson(account),
      account,
      total: ticket.total,
      filedAt,
      declaredAt: Math.max(filedAt, at) + minute,
      reference,
      payerPhone: null,
      faults: new Set(['claimed twice']),
    });
  }
  for (const kind of ['number', 'name', 'none'] as const) {
    const share = { number: shares.numberForgers, name: shares.nameForgers, none: shares.unpaid }[kind];
    for (let n = 0; n < each(share); n += 1) {
      const account = dice.pick(accountNames.filter((name) => dayAccounts[name].shape.tells.balance));
      const { shape } = dayAccounts[account];
      const person = addPerson(account);
      const filedAt = pickTime();
      const reference = shape.makeReference(dice, new Date(filedAt + minute));
      const fields = {
        person,
        account,
        total: pickTotal(),
        filedAt,
        reference,
        payerPhone: null,
        faults: new Set<DayFault>(),
      };
      const ticket = addTicket({ ...fields, declaredAt: filedAt + 3 * minute });
      const from = kind === 'name' ? shape.sender : inventPhone(shape.country, dice);
      if (kind !== 'none')
        forgeries.push({ key: forgeries.length + 1, ticket, from, reference, balance: 100 * dice.below(5_000_000) });
    }
  }
  while (lines.length < count) {
    const account = pickAccount();
    const payer = inventPhone(dayAccounts[account].shape.country, dice);
    addLine({ account, gross: pickTotal(), payer, at: pickTime(), ticket: null, isNamed: false, faults: new Set() });
  }
  lines.sort((a, b) => a.at - b.at || a.key - b.key);
  keepBalances(lines, dice);
  return { seed, now, people: [...people.values()].flat(), tickets, lines, forgeries };
}

/** Each payment adds to its wallet, which its operator empties now and then. */
function keepBalances(lines: readonly DayLine[], dice: Dice): void {
  const balances = new Map(accountNames.map((name) => [name, 100 * (50_000 + dice.below(200_000))]));
  for (const line of lines) {
    const before = balances.get(line.account) ?? 0;
    const kept = dice.chance(1 / 60) ? 100 * dice.below(20_000) : before;
    line.balance = kept + 100 * line.gross;
    balances.set(line.account, line.balance);
  }
}

function typeReference(reference: string, faults: ReadonlySet<DayFault>, dice: Dice): string {
  if (faults.has('mistyped')) {
    const at = reference.length - 1 - dice.below(4);
    const wrong = reference[at] === '7' ? '1' : '7';
    return reference.slice(0, at) + wrong + reference.slice(at + 1);
  }
  // Not in the time that it tells: that is another one in each run of the day.
  if (faults.has('zero as O')) return reference.replace(/[^.]*$/, (own) => own.replaceAll('0', 'O'));
  if (!faults.has('written otherwise')) return reference;
  return dice.pick([
    reference.toLowerCase(),
    `${reference}..`,
    reference.replaceAll('.', ''),
    reference.replaceAll('.', '-'),
    reference.replaceAll('.', ' ').toLowerCase(),
  ]);
}
