import { type AccountName, accountNames, type Day, type DayLine, dayAccounts, type Forgery } from './payment-day.ts';
import { Dice } from './payment-sms.ts';

/** One call that tells the product something, when it is made in the day's own order. */
export type DayInput = { at: number } & (
  | { kind: 'sms'; account: AccountName; body: object }
  | { kind: 'wave'; account: AccountName; body: object }
  | { kind: 'statement'; account: AccountName; file: string }
  | { kind: 'declaration'; ticket: number; body: { reference: string | null; payerPhone: string | null } }
);

const day = 86_400_000;

/** Everything that is told of a day but its orders, by time; `idOf` is the number that a ticket got. */
export function makeInputs(of: Day, idOf: (ticket: number) => number): DayInput[] {
  const inputs: DayInput[] = [];
  for (const ticket of of.tickets)
    if (ticket.declaredAt !== null) {
      const { key, reference, payerPhone, declaredAt } = ticket;
      inputs.push({ kind: 'declaration', ticket: key, body: { reference, payerPhone }, at: declaredAt });
    }
  for (const line of of.lines) inputs.push(...inputsOf(of, line, idOf));
  for (const forgery of of.forgeries) inputs.push(forged(of, forgery));
  for (const account of accountNames)
    if (dayAccounts[account].hasStatement)
      for (const at of [of.now - 9 * 3_600_000, of.now - 40_000]) {
        const rows = of.lines.filter((line) => line.account === account && line.at <= at);
        if (rows.length > 0) inputs.push({ kind: 'statement', account, file: statementOf(account, rows, idOf), at });
      }
  return inputs.toSorted((a, b) => a.at - b.at);
}

/** Whether Wave's server sends an event of a line: now and then one is missing. */
export const hasEvent = ({ account, key }: DayLine): boolean => dayAccounts[account].isWave && key % 5 !== 0;

/** Whether an SMS of a line arrives at all. */
export function hasSms({ account, faults, key }: DayLine): boolean {
  const isSent = !dayAccounts[account].isWave || key % 2 === 0;
  return isSent && !faults.has('SMS lost');
}

function inputsOf(of: Day, line: DayLine, idOf: (ticket: number) => number): DayInput[] {
  const { account, at, faults } = line;
  const inputs: DayInput[] = [];
  if (hasEvent(line)) inputs.push({ kind: 'wave', account, body: eventOf(line, idOf), at: at + 2_000 });
  if (!hasSms(line)) return inputs;
  const { shape } = dayAccounts[account];
  const dice = new Dice(of.seed + 1_000 * line.key);
  const typed = line.isNamed && line.ticket ? `T${idOf(line.ticket.key)}` : dice.pick(['', 'merci', 'loyer']);
  const text = shape.write({ ...line, name: 'KABORE Issa', at: new Date(at), typed }, dice);
  // By more than a day still where the run itself takes long.
  const off = dice.pick([-1, 1, -365]) * (day + 1_000 * (7_200 + dice.below(7_200)));
  // Within the minute, as a message that tells no time is known by it.
  const sentAt = at - (at % 60_000) + 1_000 * dice.below(60);
  const stamp = faults.has('clock off') ? sentAt + off : sentAt;
  // What comes after the evening's statement comes last.
  const arrival = faults.has('statement first') ? of.now - 20_000 : at + 5_000;
  const forwarded = { from: shape.sender, text, sentStamp: stamp, receivedStamp: arrival, sim: 'SIM1' };
  const gateway = (id: string) => ({
    event: 'sms:received',
    id,
    payload: { messageId: id, sender: shape.sender, message: text, receivedAt: new Date(stamp).toISOString() },
  });
  const body = dice.chance(0.3) ? gateway(`a${line.key}`) : forwarded;
  inputs.push({ kind: 'sms', account, body, at: arrival });
  if (faults.has('two phones'))
    inputs.push({ kind: 'sms', account, body: gateway(`b${line.key}`), at: arrival + 3_000 });
  return inputs;
}

function forged(of: Day, { key, ticket, from, reference, balance }: Forgery): DayInput {
  const { shape } = dayAccounts[ticket.account];
  const at = ticket.filedAt + 90_000;
  const parts = { gross: ticket.total, payer: ticket.person.phone, name: 'KABORE Issa', reference, balance };
  const text = shape.write({ ...parts, at: new Date(at) }, new Dice(of.seed - key));
  const body = { from, text, sentStamp: at, receivedStamp: at, sim: null };
  return { kind: 'sms', account: ticket.account, body, at: at + 5_000 };
}

const feeOf = (gross: number) => Math.floor(gross / 100);
const named = (line: DayLine, idOf: (ticket: number) => number) =>
  line.isNamed && line.ticket ? `T${idOf(line.ticket.key)}` : '';

function eventOf(line: DayLine, idOf: (ticket: number) => number): object {
  const fee = feeOf(line.gross);
  return {
    id: `EV_${line.key}`,
    type: 'merchant.payment_received',
    data: {
      id: line.reference,
      amount: String(line.gross - fee),
      fee: String(fee),
      currency: 'XOF',
      sender_mobile: line.payer,
      merchant_name: 'Guichet',
      when_created: new Date(line.at).toISOString(),
      custom_fields: line.isNamed ? { account_number: named(line, idOf) } : {},
    },
  };
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
/** An instant as Excel shows it where a statement is saved as CSV. */
function excelTime(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.split('-').toReversed().join('/')} ${time.slice(0, 8)}`;
}

function statementOf(account: AccountName, lines: readonly DayLine[], idOf: (ticket: number) => number): string {
  if (dayAccounts[account].isWave) {
    const rows = lines.map((line) => {
      const fee = feeOf(line.gross);
      return `${waveTime(line.at)},${line.reference},api_checkout,${line.gross - fee},${fee},XOF,${line.payer},${named(line, idOf)},,,`;
    });
    return [waveHeader, ...rows].join('\r\n');
  }
  const rows = lines.map((line) => {
    const [after, before] = [line.balance / 100, line.balance / 100 - line.gross];
    return `${excelTime(line.at)},TS,${line.reference},,${70_000_000},,Money Received from ${line.payer.slice(4)},${line.gross},${line.gross},0,0,${before},${after},,`;
  });
  return [orangeHeader, ...rows].join('\r\n');
}
