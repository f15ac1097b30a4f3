import { type CellStyle, type CellValue, writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import type { TicketStatus } from '#contract/tickets.ts';

/** A row of the export's query. */
export interface ExportRow {
  id: number;
  userName: string | null;
  email: string | null;
  userPhone: string | null;
  serviceName: string | null;
  status: TicketStatus;
  beneficiaries: number;
  /** CFA francs, in digits. */
  totalPrice: string;
  beneficiaryPhone: string;
  paymentTypeName: string;
  /** Local time, as seconds since 1970 on the local clock. */
  createdAt: number;
  updatedAt: number;
  /** The position of the next page: `created_at` to the microsecond, which a JavaScript date cannot hold. */
  position: string;
}

export const francs: CellStyle = { numFmt: '#,##0 "FCFA"' };
export const minute: CellStyle = { numFmt: 'dd/mm/yyyy hh:mm' };
/** Widths are in characters. */
const columns: { header: string; width: number; style?: CellStyle }[] = [
  { header: 'ID du ticket', width: 13 },
  { header: 'Utilisateur', width: 28 },
  { header: 'E-mail', width: 30 },
  { header: 'Téléphone', width: 18 },
  { header: 'Service', width: 30 },
  { header: 'Statut', width: 13 },
  { header: 'Nombre de bénéficiaires', width: 24 },
  { header: 'Prix total', width: 18, style: francs },
  { header: 'Téléphone du bénéficiaire', width: 26 },
  { header: 'Type de paiement', width: 20 },
  { header: 'Date de création', width: 18, style: minute },
  { header: 'Date de mise à jour', width: 20, style: minute },
];

const statuses: Record<TicketStatus, string> = { pending: 'En attente', approved: 'Approuvé', rejected: 'Rejeté' };

/** Most UTF-16 units in a cell: "Excel specifications and limits", support.microsoft.com. */
const maximumCharacters = 32_767;
/** Characters outside of XML 1.0's Char, https://www.w3.org/TR/xml/#charsets; \p{Cs} matches an unpaired surrogate. */
const forbiddenInXml = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\x7f-\x9f]]/gv;
const startsFormula = /^(?:[=\-@\t\r\0]|\+(?!\d{6,15}$))/;
/** Excel reads `_x003D_` as an escaped `=` (ECMA-376, ST_Xstring), and hucre does not escape it. */
const readAsEscape = /_(?=x[\dA-Fa-f]{4}_)/g;

/** A text that is safe in a cell. A possible formula gets an apostrophe; E.164 numbers stay. */
export function safeText(text: string): string {
  const kept = text.replace(forbiddenInXml, '');
  const guarded = startsFormula.test(text) || startsFormula.test(kept) ? `'${kept}` : kept;
  // The cut may split a surrogate pair.
  const cut =
    guarded.length > maximumCharacters ? guarded.slice(0, maximumCharacters).replace(/\p{Cs}$/v, '') : guarded;
  return cut.replace(readAsEscape, '_x005F_');
}

/** The ticket's cells, in the order of the columns. */
export function ticketCells(row: ExportRow): CellValue[] {
  const { userPhone } = row;
  return [
    row.id,
    safeText(row.userName ?? 'Utilisateur inconnu'),
    row.email ? safeText(row.email) : null,
    // A guest's phone is no number; see server/features/users/tables.ts.
    userPhone && !userPhone.startsWith('guest:') ? safeText(userPhone) : null,
    safeText(row.serviceName ?? 'Service inconnu'),
    statuses[row.status],
    row.beneficiaries,
    Number(row.totalPrice),
    safeText(row.beneficiaryPhone),
    safeText(row.paymentTypeName),
    excelTime(row.createdAt),
    excelTime(row.updatedAt),
  ];
}

/** Excel's time, without a zone: days since 30 December 1899, 25,569 before 1970. */
export function excelTime(seconds: number): number {
  return Math.floor(seconds) / 86_400 + 25_569;
}

/**
 * Streams the workbook's bytes while `rows` are read, no faster than they are consumed. It has a sheet 'Tickets' with a frozen heading,
 * and further ones ('Tickets_2' and so on) each time `rowsPerSheet`, the heading included, are full.
 */
export function writeWorkbook(
  rows: AsyncIterable<CellValue[]>,
  rowsPerSheet: number = XLSX_MAX_ROWS_PER_SHEET,
): ReadableStream<Uint8Array> {
  return writeXlsxStream(rows, { name: 'Tickets', columns, freezePane: { rows: 1 }, maxRowsPerSheet: rowsPerSheet });
}
