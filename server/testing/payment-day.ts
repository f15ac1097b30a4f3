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
const shares = { thief: 0.05, numberForger: 0.05, nameForger: 0.03, unpaid: 0.03 };
/** What most orders cost: with those that are repeated, 77 % share their amount. */
const popular = [
  500, 1_000, 1_100, 1_500, 2_000, 2_500, 3_000, 5_000, 5_100, 7_500, 10_000, 10_100, 15_000, 20_000, 25_000, 50_000,
];
const popularShare = 0.62;
/** Orders that the same person repeats on the same day, with the same amount. */
const repeatedShare = 0.2;
/** Payers who type the ticket's number where the wallet passes it on. */
const namedShare = 0.2;
const hundredAccounts = accountNames.flatMap((name) =>
  Array.from({ length: 100 * dayAccounts[name].share }, () => name),
);

/** A day of so many tickets and as many payments that ends now; the same for the same seed but for its times. */
export function makeDay(seed: number, count: number, now: number): Day {
  const dice = new Dice(seed);
  const open = now - opening;
  const [people, tickets, lines, forgeries]: [DayPerson[], DayTicket[], DayLine[], Forgery[]] = [[], [], [], []];
  const countryOf = (account: AccountName) => dayAccounts[account].shape.country;
  const addPerson = (account: AccountName): DayPerson => {
    const key = people.length + 1;
    people.push({ key, phone: inventPhone(countryOf(account), dice, key) });
    return people.at(-1) as DayPerson;
  };
  const somebody = (account: AccountName) => {
    const known = people.filter(({ phone }) => phone.startsWith(countryOf(account)));
    return known.length > 0 && dice.chance(0.4) ? dice.pick(known) : addPerson(account);
  };
  let unusual = 0;
  const pickTotal = () => {
    if (dice.chance(popularShare)) return dice.pick(popular);
    unusual += 1;
    return 30_000 + 7 * unusual;
  };
  const pickTime = () => open + 1_000 * dice.below((opening - closing) / 1_000);
  const addTicket = (fields: Omit<DayTicket, 'key'>): DayTicket => {
    tickets.push({ key: tickets.length + 1, ...fields });
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
    const person = earlier?.person ?? somebody(account);
    const total = earlier?.total ?? pickTotal();
    const isLate = faults.has('clock off');
    const filedAt = isLate ? now - minute * (4 + dice.below(5)) : pickTime();
    const delay = isLate ? 20 : dice.pick([30 + dice.below(600), 30 + dice.below(600), -120, 3 * 3_600]);
    const at = Math.min(filedAt + 1_000 * delay, now - 2 * minute);
    const stranger = dice.chance(0.8) ? inventPhone(countryOf(account), dice) : somebody(account).phone;
    const payer = faults.has('other payer') ? stranger : person.phone;
    const line = addLine({
      account,
      gross: total - (faults.has('wrong amount') ? dice.pick([100, 50, -100, Math.ceil(total / 100)]) : 0),
      payer,
      at,
      ticket: null,
      // Whoever pays before they file knows no number yet.
      isNamed: (account === 'mtn' || account === 'wave') && delay > 0 && dice.chance(namedShare),
      faults,
    });
    const isDeclared = dice.chance(0.82);
    const isReferred = isDeclared && dice.chance(0.85) && !faults.has('no reference');
    // What a wrong clock hides counts from its arrival, in a run that may take minutes: it is declared last.
    const wait = 1_000 * ((isLate ? 600 : 20) + dice.below(200));
    line.ticket = addTicket({
      person,
      account,
      total,
      filedAt,
      declaredAt: isDeclared ? Math.min(Math.max(at, filedAt) + wait, now - 30_000) : null,
      reference: isReferred ? typeReference(line.reference ?? `CI${dice.digits(10)}`, faults, dice) : null,
      // Prefilled with the own number, which most leave; some say from which one they paid.
      payerPhone: isDeclared && dice.chance(0.6) ? (dice.chance(0.3) ? payer : person.phone) : null,
      faults,
    });
    if (faults.has('paid twice')) {
      const again = Math.min(at + 1_000 * (60 + dice.below(900)), now - minute);
      addLine({ ...line, at: again, faults: new Set(), isNamed: false });
    }
  }

  const paid = lines.filter(({ reference }) => reference !== null);
  for (const kind of special) {
    const stolen = kind === 'thief' ? dice.pick(paid) : undefined;
    const account = stolen?.account ?? dice.pick(accountNames.filter((name) => dayAccounts[name].shape.tells.balance));
    const { shape } = dayAccounts[account];
    const filedAt = stolen ? Math.max(stolen.at - minute * dice.below(10), open) : pickTime();
    const reference = stolen?.reference ?? shape.makeReference(dice, new Date(filedAt + minute));
    const ticket = addTicket({
      person: addPerson(account),
      account,
      total: stolen?.ticket?.total ?? pickTotal(),
      filedAt,
      declaredAt: stolen ? Math.max(filedAt, stolen.at) + minute : filedAt + 3 * minute,
      reference,
      payerPhone: null,
      faults: new Set<DayFault>(stolen ? ['claimed twice'] : []),
    });
    if (kind === 'thief' || kind === 'unpaid') continue;
    const from = kind === 'nameForger' ? shape.sender : inventPhone(shape.country, dice);
    forgeries.push({ key: forgeries.length + 1, ticket, from, reference, balance: 100 * dice.below(5_000_000) });
  }
  while (lines.length < count) {
    const account = dice.pick(hundredAccounts);
    const payer = inventPhone(countryOf(account), dice);
    addLine({ account, gross: pickTotal(), payer, at: pickTime(), ticket: null, isNamed: false, faults: new Set() });
  }
  lines.sort((a, b) => a.at - b.at || a.key - b.key);
  keepBalances(lines, dice);
  return { seed, now, people, tickets, lines, forgeries };
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
