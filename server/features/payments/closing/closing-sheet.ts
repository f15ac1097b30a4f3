import { type Cell, type CellValue, type ColumnDef, writeXlsx } from 'hucre/xlsx';
import type { Closing } from '#contract/closings.ts';
import { hoursAhead } from '#contract/country-clock.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { requireAccount } from '#server/features/payments/intake/store.ts';
import { excelTime, francs, minute, safeText } from '#server/features/tickets/export-cells.ts';
import { listClosings } from './closings.ts';

/** Widths are in characters. */
const columns: ColumnDef[] = [
  { header: 'Compte', width: 28 },
  { header: 'Jour', width: 12, style: { numFmt: 'dd/mm/yyyy' } },
  { header: 'Solde de départ', width: 18, style: francs },
  { header: 'Entrées', width: 18, style: francs },
  { header: 'Sorties', width: 18, style: francs },
  { header: 'Sans message', width: 18, style: francs },
  { header: 'Solde de fin', width: 18, style: francs },
  { header: 'Suite entière', width: 14 },
  { header: 'Lacunes', width: 8 },
  { header: 'Approuvés (nombre)', width: 20 },
  { header: 'Approuvés (francs)', width: 20, style: francs },
  { header: 'Sans demande (nombre)', width: 24 },
  { header: 'Sans demande (francs)', width: 24, style: francs },
  { header: 'Approuvés sans paiement (nombre)', width: 34 },
  { header: 'Approuvés sans paiement (francs)', width: 34, style: francs },
  { header: 'Signée par', width: 28 },
  { header: 'Signée le', width: 18, style: minute },
  { header: 'Changée depuis', width: 16 },
  { header: 'Motifs', width: 60 },
];

const heads: ReadonlyMap<string, Cell> = new Map(
  columns.map(({ header = '' }, column): [string, Cell] => [
    `0,${column}`,
    { value: header, type: 'string', style: { font: { bold: true } } },
  ]),
);

/**
 * An account's days with a movement or a signature, a row each, as an Excel file with dates on the clock of the account's
 * country. Throws PAYMENT_ACCOUNT_NOT_FOUND, NOTHING_TO_EXPORT.
 */
export async function exportClosings(
  db: Db,
  period: Parameters<typeof listClosings>[1],
): Promise<{ file: Buffer; rows: number }> {
  const { country, label, number } = await requireAccount(db, period.accountId);
  const account = safeText(`${label} · ${number}`);
  const days = await listClosings(db, period);
  const rows = days.map(({ day, closing }) => [account, ...cellsOf(Date.parse(day) / 1_000, closing, country)]);
  if (rows.length === 0) throw new Failure('NOTHING_TO_EXPORT', { message: 'Aucune journée à exporter.' });
  const sheet = {
    name: 'Clôtures',
    columns,
    rows: [columns.map(({ header = '' }) => header), ...rows],
    cells: new Map(heads),
    freezePane: { rows: 1 },
    autoFilter: { range: `A1:S${rows.length + 1}` },
  };
  return { file: Buffer.from(await writeXlsx({ sheets: [sheet] })), rows: rows.length };
}

/**
 * A day's cells, in the order of the columns after the account. The end is the start, plus what came in, minus what went out, plus what
 * no message reported.
 */
function cellsOf(seconds: number, { figures, isWhole, signed }: Closing, country: string): CellValue[] {
  const clock = (at: string) => excelTime(Date.parse(at) / 1_000 + hoursAhead(country) * 3_600);
  const missing = figures.gaps.reduce((sum, gap) => sum + gap.missing, 0);
  const yesNo = (is: boolean) => (is ? 'Oui' : 'Non');
  return [
    excelTime(seconds),
    ...[figures.first, figures.in, figures.out, missing, figures.last].map(
      (hundredths) => hundredths && hundredths / 100,
    ),
    figures.last === null ? null : yesNo(isWhole),
    figures.gaps.length,
    ...[figures.approved, figures.withoutTicket, figures.withoutPayment].flatMap(({ count, sum }) => [count, sum]),
    ...(signed
      ? [
          safeText(signed.by ?? 'Un compte supprimé'),
          clock(signed.at),
          yesNo(signed.changed),
          safeText(
            [...signed.reasons.gaps.map(({ reason }) => reason), signed.reasons.unfinished ?? '']
              .filter(Boolean)
              .join(' ; '),
          ),
        ]
      : [null, null, null, null]),
  ];
}
