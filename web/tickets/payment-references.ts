import { formatCalendarDay } from '#web/text/formats.ts';

/** Eleven digits that are no phone number with its country code: of four countries these are eleven as well. */
const elevenDigits = '(?!22[3678])\\d{11}';

interface ReferenceForm {
  /** As `contract/wallets.ts` names it. */
  wallet: string;
  /** A pattern of references in lower case. */
  form: string;
  /** Other words and numbers have that form too. */
  isPlain?: true;
}

/** The forms of the wallets' references, where they are known. */
export const referenceForms: readonly ReferenceForm[] = [
  { wallet: 'Orange Money', form: '[a-z]{2}\\d{6}\\.\\d{4}\\.[a-z]?\\d{3,}' },
  { wallet: 'Moov Money', form: '[a-z]{3}\\d[a-z0-9]{6,}', isPlain: true },
  { wallet: 'Wave', form: 't_[a-z0-9]{8,}' },
  { wallet: 'MTN MoMo', form: elevenDigits, isPlain: true },
  { wallet: 'Mixx', form: elevenDigits, isPlain: true },
];

const quarterMs = 15 * 60_000;
/** Orange's: 'XXyymmdd.HHMM.'. All of Orange's countries are at UTC. */
const dated = /^[A-Z]{2}(\d\d)(\d\d)(\d\d)\.(\d\d)(\d\d)\./i;

/** The minute in a reference, in milliseconds since 1970; undefined without one. */
function minuteOf(reference: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] =
    dated.exec(reference.replace(/\s/g, ''))?.slice(1).map(Number) ?? [];
  const told = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute));
  const isReal = told.getUTCMonth() === month - 1 && told.getUTCDate() === day && told.getUTCHours() === hour;
  return isReal ? told.getTime() : undefined;
}

/**
 * A question about a reference that tells a minute outside the life of its ticket, by more than a quarter of an hour:
 * one of an earlier payment, or mistyped. `now` is in milliseconds.
 */
export function referenceDoubt(reference: string, filedAt: string, now: number): string | undefined {
  const minute = minuteOf(reference);
  if (minute === undefined) return undefined;
  const isBefore = minute < Date.parse(filedAt) - quarterMs;
  if (!isBefore && minute <= now + quarterMs) return undefined;
  const told = new Date(minute);
  const year = told.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${told.getUTCFullYear()}`;
  const day = formatCalendarDay(told.toISOString().slice(0, 10)).long + year;
  const time = `${told.getUTCHours()}\u00a0h\u00a0${String(told.getUTCMinutes()).padStart(2, '0')}`;
  const when = isBefore ? 'avant votre demande' : 'dans le futur';
  return `Cette référence est du ${day} à ${time}, ${when}. Est-ce bien la bonne\u00a0?`;
}
