import type { CellValue } from 'hucre';
import type { CountryCode } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { readHundredths, readInstant } from '#server/features/payments/intake/operators/read-values.ts';

export type Cell = CellValue | undefined;

const dayMs = 86_400_000;
/** Days from the serial 0 of Excel to 1970. */
const serialOf1970 = 25_569;

/** A cell's text on one line, without tabs, narrow spaces and invisible marks; '' for an empty cell. */
export function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return (cell instanceof Date ? clockOf(cell) : String(cell)).replace(/[\s\p{Cf}]+/gu, ' ').trim();
}

/** The same for a cell in which a number is an Excel date or, below 1, a time of day. */
export function clockTextOf(cell: Cell): string {
  if (typeof cell !== 'number') return textOf(cell);
  const time = (cell - (cell < 1 ? 0 : serialOf1970)) * dayMs;
  return Math.abs(time) < 8.64e15 ? clockOf(new Date(time), cell < 1) : '';
}

/** 'yyyy-mm-dd hh:mm:ss'; only the date at midnight, only the time on Excel's first days; '' for no date. */
function clockOf(date: Date, isTime = date.getUTCFullYear() < 1905): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = new Date(Math.round(date.getTime() / 1_000) * 1_000).toISOString().split(/[T.]/);
  if (isTime) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}

/** A word in the form for comparisons: without case, accents and surplus spaces. */
export function plainName(cell: Cell): string {
  return textOf(cell).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A column's title in the form for comparisons, without letters beyond ASCII: `Numéro` equals `NumÃ©ro`, its form in a wrong encoding. */
export function headOf(cell: Cell): string {
  return textOf(cell)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^ -~]/g, '');
}

/** An amount in hundredths of a franc, negative if so written; null for an empty cell, undefined for an unreadable one. */
export function readAmount(cell: Cell): number | null | undefined {
  if (typeof cell === 'number') {
    const hundredths = Math.round(cell * 100);
    // Adding 0 turns a negative zero into 0.
    return Number.isSafeInteger(hundredths) ? hundredths + 0 : undefined;
  }
  if (cell instanceof Date || typeof cell === 'boolean') return undefined;
  const text = textOf(cell).replace(/^(?:XOF|F ?CFA) ?| ?(?:XOF|F ?CFA|CFA|F)$/i, '');
  if (text === '' || text === '-') return null;
  const [, sign, number = ''] = /^([+\-−]?) ?(.*)$/.exec(text) ?? [];
  // After a single zero the sign is a decimal sign.
  const hundredths = readHundredths(number, number.startsWith('0.') ? '.' : number.startsWith('0,') ? ',' : undefined);
  return hundredths !== undefined && (sign === '-' || sign === '−') ? 0 - hundredths : hundredths;
}

const time = String.raw`(?<h>\d{1,2}):(?<min>\d\d)(?::(?<s>\d\d)(?:\.\d+)?)?`;
const dateForms = [
  new RegExp(String.raw`^(?<y>20\d\d)-(?<m>\d\d)-(?<d>\d\d)[ T]${time} ?(?<zone>Z|[+\-]\d\d:?\d\d)?$`),
  // 03/04 is the third of April: no operator of these countries writes the month first.
  new RegExp(String.raw`^(?<d>\d{1,2})[/.\-](?<m>\d{1,2})[/.\-](?<y>20\d\d) ${time}$`),
  new RegExp(String.raw`^(?<month>[A-Z][a-z][a-z]) (?<d>\d{1,2}),? (?<y>20\d\d) ${time} (?<half>[AP])M$`),
];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The instant of a written date and time, on the country's clock if it names no zone; undefined for no date. */
export function readPaidAt(text: string, country: CountryCode): Date | undefined {
  const parts = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts || (parts.half && !/^(?:0?[1-9]|1[0-2])$/.test(parts.h ?? ''))) return undefined;
  const hour = parts.half ? (Number(parts.h) % 12) + (parts.half === 'P' ? 12 : 0) : parts.h;
  const month = parts.month ? months.indexOf(parts.month) + 1 : parts.m;
  const clock = `${hour}:${parts.min}:${parts.s ?? 0}`;
  const instant = readInstant(`${parts.y}-${month}-${parts.d}`, clock, parts.zone ? '+221' : country);
  return instant === undefined ? undefined : new Date(Date.parse(instant) - minutesAhead(parts.zone) * 60_000);
}

function minutesAhead(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? [];
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
}

const roundedBySpreadsheet = /^\d(?:[.,]\d+)?E\+?\d+$/;

/** An operator's reference in capitals, without spaces and final dots; undefined if a spreadsheet has rounded it. */
export function readReference(cell: Cell): string | null | undefined {
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return undefined;
  const reference = textOf(cell).toUpperCase().replaceAll(' ', '').replace(/\.+$/, '');
  if (reference.length > 100 || roundedBySpreadsheet.test(reference)) return undefined;
  return reference || null;
}

const partOfNumber = /(?<![\p{L}\p{N}])\+?[\d*xX•]*\d{3,}/u;

/**
 * The phone number in a text, in E.164, or its last digits if the rest is masked; null without one. A national number belongs to the
 * country, and a spreadsheet may have dropped its leading zero. A name beside it is ignored.
 */
export function readCounterparty(text: string, country: CountryCode): string | null {
  const isBare = /^[+\d .()-]+$/.test(text);
  const number = isBare ? text : (partOfNumber.exec(text)?.[0] ?? '');
  if (/[*xX•]/.test(number)) return /\d+$/.exec(number)?.[0] ?? null;
  for (const each of isBare ? [number, `0${number}`] : [number]) {
    const reading = readPhone(each, country);
    if ('e164' in reading) return reading.e164;
  }
  return null;
}
