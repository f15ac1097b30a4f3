import type { ClosingFigures } from '#contract/closings.ts';
import { hoursAhead } from '#contract/country-clock.ts';
import { formatAmount, formatCounted, spaceAmount } from '#web/text/formats.ts';

/** The day so many days after one, as '2026-11-21'. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The first and the last day of a day's month. */
export function monthOf(day: string) {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { from: `${day.slice(0, 7)}-01`, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

/** 'novembre 2026' */
export const formatMonth = (day: string): string =>
  new Intl.DateTimeFormat('fr', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day));

/** A clock of a country, which need not be this browser's. */
export const clockOf = (instant: string | number, country: string) =>
  new Date(new Date(instant).getTime() + hoursAhead(country) * 3_600_000).toISOString();

/** Hundredths of a franc as francs. */
export const francs = (hundredths: number | null) =>
  hundredths === null ? 'Non dit' : spaceAmount(formatAmount(hundredths / 100));

type Row = [name: string, words: string];

const tallyOf = ({ count, sum }: ClosingFigures['approved'], what = 'paiement') =>
  count === 0 ? '0' : `${formatCounted(count, what)} · ${formatAmount(sum)}`;
const withSign = (hundredths: number) =>
  `${hundredths < 0 ? '− ' : hundredths > 0 ? '+ ' : ''}${francs(Math.abs(hundredths))}`;
/** A gap in words: how much, and between which messages of the day. */
export function gapWords({ before, after, missing }: ClosingFigures['gaps'][number], country: string): string {
  const [from, to] = [before, after].map(({ paidAt }) => clockOf(paidAt, country)) as [string, string];
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  const wordsOf = (clock: string) =>
    `${isOneDay ? '' : `le ${clock.slice(8, 10)}/${clock.slice(5, 7)} à `}${clock.slice(11, 16)}`;
  const between =
    from.slice(0, 16) === to.slice(0, 16) ? `à ${wordsOf(to)}` : `entre ${wordsOf(from)} et ${wordsOf(to)}`;
  const amount = francs(Math.abs(missing));
  return missing > 0 ? `Il manque ${amount} ${between}` : `${amount} sont sortis sans message ${between}`;
}

const missingOf = ({ gaps }: ClosingFigures) => gaps.reduce((sum, { missing }) => sum + missing, 0);

/** The figures in words; what there seldom is only where there is some. */
export function ledgersOf(figures: ClosingFigures): { title: string; rows: Row[] }[] {
  const { outside, undecided } = figures;
  const whereAny = (count: number, ...row: Row): Row[] => (count > 0 ? [row] : []);
  return [
    {
      title: 'Soldes du portefeuille',
      rows: [
        ['Solde de départ', francs(figures.first)],
        ['Entrées', withSign(figures.in)],
        ['Sorties', withSign(-figures.out)],
        ...whereAny(figures.gaps.length, 'Sans message', withSign(missingOf(figures))),
        ['Solde de fin', francs(figures.last)],
        ...whereAny(outside.count, 'Après le dernier solde', tallyOf(outside)),
      ],
    },
    {
      title: 'Demandes',
      rows: [
        ['Approuvé', tallyOf(figures.approved)],
        ...whereAny(undecided.count, 'Relié, pas approuvé', tallyOf(undecided)),
        ['Sans demande', tallyOf(figures.withoutTicket)],
        ['Ignoré', tallyOf(figures.ignored)],
        ['Approuvé sans paiement', tallyOf(figures.withoutPayment, 'demande')],
      ],
    },
  ];
}
