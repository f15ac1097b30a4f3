import type { CountryCode } from '#contract/phone.ts';
import { type Cell, plainName, textOf } from './cell-values.ts';
import { type Places, RowFault, readLine, type StatementLine } from './read-line.ts';
import { readRows } from './read-rows.ts';
import { statementLimits } from './statement-limits.ts';
import type { Meaning, StatementModel } from './statement-model.ts';
import { StatementRefusal } from './statement-refusal.ts';

export interface StatementRow extends StatementLine {
  /** As a spreadsheet shows it, from 1; of its sheet, where there are several. */
  row: number;
}

/** What a statement is, but for its rows. */
export interface StatementSummary {
  /** `<folder>/<name>@<version>` of what read it. */
  model: string;
  operator: string;
  country: CountryCode;
  /** The first of them, for the person who sent the file; `counts.faults` is how many there are. */
  faults: { row: number; message: string }[];
  counts: { settled: number; failed: number; reversed: number; faults: number; skipped: number };
}

export interface Statement extends StatementSummary {
  rows: StatementRow[];
}

/**
 * Reads a statement file of one of these models, whose header may stand below other rows and be repeated. Give it those of
 * one country, whose clock and national numbers it then reads. A row that cannot be taken is a fault, and the others go on.
 * Throws StatementRefusal where the file as a whole is refused.
 */
export async function readStatement(bytes: Uint8Array, models: readonly StatementModel[]): Promise<Statement> {
  const statement: Pick<Statement, 'rows' | 'faults' | 'counts'> = {
    rows: [],
    faults: [],
    counts: { settled: 0, failed: 0, reversed: 0, faults: 0, skipped: 0 },
  };
  const { rows, faults, counts } = statement;
  let model: StatementModel | undefined;
  let header: Header | undefined;
  let lastSheet = 1;
  let isEmpty = true;

  await readRows(bytes, ({ sheet, row, cells }) => {
    isEmpty &&= cells.every((cell) => textOf(cell) === '');
    if (sheet !== lastSheet) [lastSheet, header] = [sheet, undefined];
    if (header ? cells.includes(header.reference) : row <= statementLimits.preambleRows) {
      const found = findHeader(model ? [model] : models, cells);
      if (found) {
        [model, header] = [found.model, found];
        return;
      }
    }
    if (!header) return;
    try {
      const line = readLine(header.model, header.places, cells);
      if (line) {
        rows.push({ row, ...line });
        counts[line.state] += 1;
      } else counts.skipped += 1;
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      counts.faults += 1;
      const where = sheet > 1 ? `Feuille ${sheet} : ` : '';
      if (faults.length < statementLimits.faultsListed) faults.push({ row, message: `${where}${error.message}` });
    }
  });

  if (!model) throw new StatementRefusal(isEmpty ? 'empty' : 'unknown');
  const { parser, operator, country } = model;
  return { model: parser, operator, country, ...statement };
}

interface Header {
  model: StatementModel;
  places: Places;
  /** The reference's name as this file writes it, by which a repeated header is known. */
  reference: Cell;
}

function findHeader(models: readonly StatementModel[], cells: readonly Cell[]): Header | undefined {
  const names = Array.from(cells, (cell) => plainName(textOf(cell)));
  for (const model of models) {
    const found = Object.entries(model.columns).map(([meaning, columns = []]): [Meaning, number[]] => [
      meaning as Meaning,
      columns.map((name) => indexOf(names, name, meaning === 'payer' ? model.payerIsNth : 1)),
    ]);
    const places: Places = Object.fromEntries(found);
    if (found.every(([meaning, indexes]) => meaning === 'ourReference' || !indexes.includes(-1)))
      return { model, places, reference: cells[places.reference?.[0] ?? -1] };
  }
  return undefined;
}

function indexOf(names: readonly string[], name: string, nth: number): number {
  return names.flatMap((each, index) => (each === name ? [index] : []))[nth - 1] ?? -1;
}
