import { parse } from 'csv-parse/sync';
import type { SheetRow } from './read-rows.ts';

/** Most text lines of one cell. */
const linesOfCell = 50;
const badQuote = 'Un guillemet de cette ligne est mal placé.';

/**
 * Passes on each row of a text with `,`, `;` or tabs between cells. A misplaced quote affects its own line only. The line is read if it
 * still has as many cells as the others, else it is a fault.
 */
export function readTextRows(text: string, take: (row: SheetRow) => void): void {
  const start = text.slice(0, 65_536);
  const countOf = (sign: string) => start.split(sign).length;
  const delimiter = [';', ',', '\t'].toSorted((one, other) => countOf(other) - countOf(one))[0] ?? ',';
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const { isWhole, widthOf, cellsOf } = rulesOf(delimiter);
  let row = 0;
  const takeNext = (cells: string[], fault?: string) => {
    row += 1;
    take({ sheet: 1, row, cells, ...(fault && { fault }) });
  };
  const read = (whole: readonly string[]) =>
    parse(`${whole.join('\n')}\n`, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      on_record: (cells: string[]) => {
        takeNext(cells);
        return null;
      },
    });
  let width: number | undefined;
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isWhole(line)) continue;
    if (at > from) read(lines.slice(from, at));
    width ??= mostCommon(lines.filter(isWhole).map(widthOf));
    // The following lines of a cell of several lines.
    let end = at + 1;
    const isOpen = () => !isWhole(lines.slice(at, end).join('\n'));
    while (end < lines.length && end - at < linesOfCell && widthOf(lines[end] ?? '') < width && isOpen()) end += 1;
    if (isOpen()) {
      const cells = cellsOf(line);
      if (cells?.length === width) takeNext(cells);
      else takeNext([], badQuote);
    } else {
      read(lines.slice(at, end));
      at = end - 1;
    }
    from = at + 1;
  }
  if (from < lines.length) read(lines.slice(from));
}

function rulesOf(delimiter: string) {
  const quoted = '"[^"]*(?:""[^"]*)*"';
  const cell = `(?:${quoted}|[^"\n${delimiter}]*)`;
  const whole = new RegExp(`^${cell}(?:${delimiter}${cell})*$`);
  const quotedCells = new RegExp(quoted, 'g');
  return {
    /** Whether each quote of a row opens or closes a cell, or is doubled in one. */
    isWhole: (text: string) => !text.includes('"') || whole.test(text),
    widthOf: (line: string) => line.replace(quotedCells, '').split(delimiter).length,
    /** The cells of a line, with stray quotes as text; undefined if a cell is never closed. */
    cellsOf(line: string): string[] | undefined {
      try {
        return parse(line, { delimiter, relax_quotes: true, relax_column_count: true })[0];
      } catch {
        return undefined;
      }
    },
  };
}

function mostCommon(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  for (const each of numbers) times.set(each, (times.get(each) ?? 0) + 1);
  return [...times].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
}
