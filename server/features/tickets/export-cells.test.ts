import fc from 'fast-check';
import { type CellValue, readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { safeText, writeWorkbook } from './export-cells.ts';

test.each([
  ['Awa Ouédraogo', 'Awa Ouédraogo'],
  ['+22670123456', '+22670123456'],
  ['+1234567890123456', "'+1234567890123456"],
  ['+22670123456\n', "'+22670123456\n"],
  ['+22670123456+1', "'+22670123456+1"],
  ['+cmd|calc', "'+cmd|calc"],
  ['=HYPERLINK("https://mal.example")', '\'=HYPERLINK("https://mal.example")'],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\0=1', "'=1"],
  ['a\u0001b\u000bc\ufffed\uffff', 'abcd'],
  ['a\tb\nc\rd', 'a\tb\nc\rd'],
  ['a\ud800b\udc00c', 'abc'],
  ['1 = 1', '1 = 1'],
  ['_x003D_1', '_x005F_x003D_1'],
  ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'],
])('%j is safe as %j', (text, safe) => {
  expect(safeText(text)).toBe(safe);
});

test('whatever the text, none is a formula, and each is read back as it was written', async () => {
  const hostile = fc.constantFrom('=', '+', '-', '@', '\t', '\n', '\0', '\u0001', '\ud800', '_x003D_', '&', '<', '1');
  const text = fc
    .array(fc.oneof(hostile, fc.string({ unit: 'grapheme' })), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const texts = fc.sample(text, 500).map(safeText).filter(Boolean);
  for (const each of texts) expect(each).not.toMatch(/^(?:[=\-@\t\r]|\+(?!\d{6,15}$))/);
  const [sheet] = await sheetsOf(texts.map((each) => [null, each]));
  const read = sheet?.rows.slice(1).map((row) => row[1]);
  expect(read).toEqual(texts.map((each) => each.replaceAll('_x005F_', '_')));
});

test('a full sheet is followed by another one under the same heading', async () => {
  const rows = Array.from({ length: 6 }, (_, place) => [place, 'x', null, null, null, null, 1, 1500]);
  const [first, second, ...others] = await sheetsOf(rows, 4);
  expect(others).toEqual([]);
  expect([first?.name, second?.name]).toEqual(['Tickets', 'Tickets_2']);
  expect(first?.rows.map(([id]) => id)).toEqual(['ID du ticket', 0, 1, 2]);
  expect(second?.rows.map(([id]) => id)).toEqual(['ID du ticket', 3, 4, 5]);
  for (const sheet of [first, second]) {
    expect(sheet?.freezePane).toMatchObject({ rows: 1 });
    expect(sheet?.cells?.get('1,7')?.style?.numFmt).toBe('#,##0 "FCFA"');
    expect(sheet?.cells?.get('3,7')?.style?.numFmt).toBe('#,##0 "FCFA"');
  }
});

async function sheetsOf(rows: CellValue[][], rowsPerSheet?: number) {
  async function* read() {
    yield* rows;
  }
  return (await readXlsx(writeWorkbook(read(), rowsPerSheet), { readStyles: true })).sheets;
}
