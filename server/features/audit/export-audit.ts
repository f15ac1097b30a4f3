import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { AuditEntry } from '#contract/audit.ts';
import type { Db } from '#server/database/connect.ts';
import { guardCell } from '#server/http/formula-guard.ts';
import { auditLimits } from '#server/process/limits.ts';
import { type AuditFilter, type AuditRow, listAuditRows } from './store.ts';

const columns = ['date', 'acteur', 'action', 'cible', 'résultat', 'code', 'nombre', 'adresse', 'détails'];

/** The filtered log, newest first, as a CSV file for a French spreadsheet, read page by page as the file is sent. */
export function exportAudit(db: Db, filter: AuditFilter, present: (row: AuditRow) => AuditEntry): Readable {
  return Readable.from(pagesOf(db, filter, present), { objectMode: false });
}

async function* pagesOf(db: Db, filter: AuditFilter, present: (row: AuditRow) => AuditEntry) {
  yield `\ufeff${csvOf([columns])}`;
  const limit = auditLimits.rowsPerExportPage;
  for (let before: number | undefined, full = true; full; ) {
    const rows = await listAuditRows(db, filter, { limit, before });
    if (rows.length > 0) yield csvOf(rows.map((row) => cellsOf(present(row))));
    before = rows.at(-1)?.entry.id;
    full = rows.length === limit;
  }
}

const csvOf = (lines: unknown[][]) =>
  stringify(
    lines.map((line) => line.map((cell) => (typeof cell === 'string' ? guardCell(cell) : cell))),
    { delimiter: ';', record_delimiter: 'windows' },
  );

function cellsOf({ actor, title, action, target, details, status, code, count, ip, createdAt }: AuditEntry): unknown[] {
  return [
    createdAt,
    actor ? actor.name || `n° ${actor.id}` : '',
    `${title} (${action})`,
    target,
    status < 400 ? 'Fait' : `Refusé (${status})`,
    code,
    count,
    ip,
    JSON.stringify(details),
  ];
}
