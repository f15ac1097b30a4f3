import type { ClosingFigures } from '#contract/closings.ts';
import { hoursAhead } from '#contract/country-clock.ts';
import { formatAmount, formatCounted, spaceAmount } from '#web/text/formats.ts';

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
