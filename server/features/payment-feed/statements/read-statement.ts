import { type Cell, headOf, textOf } from './cell-values.ts';
import { type Places, RowFault, readLine, type StatementLine } from './read-line.ts';
import { readRows } from './read-rows.ts';
import { StatementRefusal, statementLimits } from './statement-limits.ts';
import type { Meaning, StatementModel } from './statement-model.ts';

export interface StatementRow extends StatementLine {
  /** As a spreadsheet shows it, from 1; of its sheet, where there are several. */
  row: number;
}

/** What a statement is, but for its rows. */
export interface StatementSummary {
  /** `<folder>/<name>@<version>` of what read it. */
  model: string;
  /** The first of them, for the person who sent the file. */
  faults: { row: number; message: string }[];
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
  const [rows, faults]: [StatementRow[], Statement['faults']] = [[], []];
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
      if (line) rows.push({ row, ...line });
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      const where = sheet > 1 ? `Feuille ${sheet} : ` : '';
      if (faults.length < statementLimits.faultsListed) faults.push({ row, message: `${where}${error.message}` });
    }
  });
  if (!model) throw new StatementRefusal(isEmpty ? 'empty' : 'unknown');
  return { model: model.parser, rows, faults };
}

interface Header {
  model: StatementModel;
  places: Places;
  /** The reference's name as this file writes it, by which a repeated header is known. */
  reference: Cell;
}

function findHeader(models: readonly StatementModel[], cells: readonly Cell[]): Header | undefined {
  const heads = Array.from(cells, headOf);
  for (const model of models) {
    const found = Object.entries(model.columns).map(([meaning, columns = []]): [Meaning, number[]] => [
      meaning as Meaning,
      columns.map((head) => placeOf(heads, head, meaning === 'payer' ? model.payerIsNth : 1)),
    ]);
    const places: Places = Object.fromEntries(found);
    if (found.every(([meaning, indexes]) => meaning === 'ourReference' || !indexes.includes(-1)))
      return { model, places, reference: cells[places.reference?.[0] ?? -1] };
  }
  return undefined;
}

const placeOf = (heads: readonly string[], head: string, nth: number): number =>
  heads.flatMap((each, place) => (each === head ? [place] : []))[nth - 1] ?? -1;
