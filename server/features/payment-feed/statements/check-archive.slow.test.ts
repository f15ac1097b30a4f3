import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkArchive } from './check-archive.ts';
import { openStatementReader } from './open-statement-reader.ts';
import { readStatement } from './read-statement.ts';
import { statementLimits } from './statement-limits.ts';
import { readStatementModels } from './statement-model.ts';

const models = readStatementModels(path.join(import.meta.dirname, '../operators'));

interface Part {
  name: string;
  text: string | Buffer;
  /** What the archive says of the part, where that is not so. */
  packed?: number;
  inflated?: number;
  flags?: number;
}

/** A ZIP archive, honest or not. */
function archiveOf(parts: Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, flags = 0, ...told } of parts) {
    const [bytes, packed] = [Buffer.from(text), deflateRawSync(text)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(told.packed ?? packed.length, 14);
    fields.writeUInt32LE(told.inflated ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, entry, Buffer.from(name));
    files.push(Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, ...directory, end]);
}

const types = 'http://schemas.openxmlformats.org';
const relation = (id: number, kind: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${types}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
const relations = (inner: string) =>
  `<Relationships xmlns="${types}/package/2006/relationships">${inner}</Relationships>`;

/** An Excel file of one sheet, from the XML of its rows. */
function workbookOf(rows: string, sheet: Partial<Part> = {}, others: Part[] = []): Buffer {
  const shared = others.some(({ name }) => name === 'xl/sharedStrings.xml');
  return archiveOf([
    { name: '[Content_Types].xml', text: `<Types xmlns="${types}/package/2006/content-types"/>` },
    { name: '_rels/.rels', text: relations(relation(1, 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns:r="${types}/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations(
        relation(1, 'worksheet', 'worksheets/sheet1.xml') +
          (shared ? relation(2, 'sharedStrings', 'sharedStrings.xml') : ''),
      ),
    },
    ...others,
    { name: 'xl/worksheets/sheet1.xml', text: `<worksheet><sheetData>${rows}</sheetData></worksheet>`, ...sheet },
  ]);
}

const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = row(
  ...['timestamp', 'transaction_id', 'transaction_type', 'amount', 'fee', 'counterparty_mobile'].map(text),
);
const payment = (amount: string) =>
  row(text('2026-04-03 10:00:00'), text('T_1'), text('api_checkout'), amount, '<c><v>20</v></c>', text('221770000001'));
const refusal = (reason: string) => ({ name: 'StatementRefusal', reason });

describe('an Excel file', () => {
  test('is read by the address of its cells, and a formula by the value that the file has', async () => {
    const formula = '<c r="D2"><f>WEBSERVICE("http://127.0.0.1/")&amp;1+1</f><v>1980</v></c>';
    const cells = `<c r="F2"><v>221770000001</v></c><c r="B2" t="str"><f>"T_"&amp;1</f><v>T_1</v></c>${formula}`;
    const date = '<c r="A2" t="inlineStr"><is><t>2026-04-03 10:00:00</t></is></c>';
    const { rows, faults } = await readStatement(workbookOf(`${header}<row r="2">${cells}${date}</row>`), models);
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([{ row: 2, gross: 1980, fee: null, reference: 'T_1', payer: '+221770000001' }]);
  });

  test('has a fault where a formula has no value', async () => {
    const { rows, faults } = await readStatement(workbookOf(header + payment('<c><f>A1*2</f></c>')), models);
    expect({ rows, faults }).toEqual({ rows: [], faults: [{ row: 2, message: 'Le montant est illisible.' }] });
  });

  test('is unreadable where it is cut off, or holds no workbook', async () => {
    const whole = workbookOf(header + payment('<c><v>1980</v></c>').repeat(1_000));
    for (const bytes of [
      whole.subarray(0, whole.length / 2),
      whole.subarray(0, -30),
      archiveOf([{ name: 'x', text: 'x' }]),
    ])
      await expect(readStatement(bytes, models)).rejects.toMatchObject(refusal('unreadable'));
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, whole.length - 900, whole.length - 700);
    await expect(readStatement(damaged, models)).rejects.toMatchObject(refusal('unreadable'));
  });
});

describe('a bomb', () => {
  test.each<[string, Partial<Part>, Part[], string]>([
    ['a sheet too large', { inflated: statementLimits.sheetsBytes + 1 }, [], 'too-large'],
    [
      'another part too large',
      {},
      [{ name: 'x', text: '', inflated: statementLimits.otherPartsBytes + 1 }],
      'too-large',
    ],
    ['a size of ZIP64', { inflated: 0xffffffff }, [], 'too-large'],
    ['a size left out', { inflated: 0 }, [], 'unreadable'],
    ['a size said elsewhere', { packed: 0, flags: 8 }, [], 'unreadable'],
  ])('that says %s is refused before it is inflated', async (_, sheet, others, reason) => {
    const bytes = workbookOf(header + payment('<c><v>1980</v></c>'), sheet, others);
    await expect(checkArchive(bytes)).rejects.toMatchObject(refusal(reason));
  });

  test('that holds more than it says is refused when that is reached', async () => {
    const bytes = workbookOf(header + payment('<c><v>1980</v></c>').repeat(10_000), { inflated: 2_000 });
    await expect(readStatement(bytes, models)).rejects.toMatchObject(refusal('unreadable'));
  });

  test('of more rows or cells than a statement has is refused', async () => {
    await expect(readStatement(workbookOf(header + '<row/>'.repeat(200_000)), models)).rejects.toMatchObject(
      refusal('too-large'),
    );
    const wide = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(1_000);
    await expect(readStatement(workbookOf(header + wide), models)).rejects.toMatchObject(refusal('too-large'));
  });

  const many = '<si><t>ab</t></si>'.repeat(1_000_000);
  test.each<[string, string, Part[]]>([
    ['one cell', row(`<c t="str"><v>${'a'.repeat(32 * 2 ** 20)}</v></c>`), []],
    ['one tag', `<row r="${'1'.repeat(32 * 2 ** 20)}"/>`, []],
    ['a million texts', header, [{ name: 'xl/sharedStrings.xml', text: `<sst>${many}</sst>` }]],
  ])('of %s ends its thread at most', async (_, rows, others) => {
    const read = openStatementReader({ ...statementLimits, readMs: 2_000, oldMegabytes: 64 });
    const bomb = read(workbookOf(rows, {}, others), models, () => {});
    await expect(bomb).rejects.toMatchObject({ name: 'StatementRefusal' });
    const next = workbookOf(header + payment('<c><v>1980</v></c>'));
    await expect(openStatementReader()(next, models, () => {})).resolves.toMatchObject({ counts: { settled: 1 } });
  });
});
