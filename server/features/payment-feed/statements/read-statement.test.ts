import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { readStatement } from './read-statement.ts';
import { readStatementModels } from './statement-model.ts';

const folder = path.join(import.meta.dirname, '../operators');
const models = readStatementModels(folder);
const modelOf = (parser: string) => models.filter((model) => model.parser.startsWith(parser));
const workbook = (...sheets: CellValue[][][]) =>
  writeXlsx({ sheets: sheets.map((rows, index) => ({ name: `Feuille ${index + 1}`, rows })) });

const oldExcel = 'orange-ci/statements/deux-comptes-excel-97.xls';
const fixtures = readdirSync(folder)
  .filter((place) => existsSync(path.join(folder, place, 'statements')))
  .flatMap((place) => readdirSync(path.join(folder, place, 'statements')).map((file) => `${place}/statements/${file}`))
  .filter((file) => !file.endsWith('.json'));

test('each operator that has a model of its own has statements', () => {
  const places = new Set(fixtures.map((file) => file.split('/')[0]));
  const own = readdirSync(folder).filter((place) => existsSync(path.join(folder, place, 'statement.json')));
  expect([...places].toSorted()).toEqual(own.toSorted());
});

test.each(fixtures)('%s is read as its .json says', async (file) => {
  const expected = JSON.parse(readFileSync(path.join(folder, file.replace(/\.\w+$/, '.json')), 'utf8'));
  const { model, rows, faults } = await readStatement(
    readFileSync(path.join(folder, file)),
    modelOf(file.split('/')[0] ?? ''),
  );
  expect(JSON.parse(JSON.stringify({ model, rows, faults }))).toEqual(expected);
});

const wave = ['timestamp', 'transaction_id', 'transaction_type', 'amount', 'fee', 'counterparty_mobile'];
const paid = (id: string, when: CellValue = 'Nov 9  2025  10:00:00 AM'): CellValue[] => [
  when,
  id,
  'api_checkout',
  1980,
  20,
  '221770000001',
];
const csv = (rows: CellValue[][], delimiter = ',') =>
  Buffer.from(rows.map((cells) => cells.join(delimiter)).join('\r\n'));

describe('a file is known by its content', () => {
  const rows = [wave, paid('T_1')];
  test.each([
    ['commas', csv(rows)],
    ['semicolons', csv(rows, ';')],
    ['tabs', csv(rows, '\t')],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), csv(rows)])],
    ['lines of an old Mac', Buffer.from(csv(rows).toString().replaceAll('\r\n', '\r'))],
  ])('with %s', async (_, bytes) => {
    const {
      rows: [row],
    } = await readStatement(bytes, models);
    expect(row).toMatchObject({ row: 2, gross: 2000, fee: 2000, reference: 'T_1', payer: '+221770000001' });
  });

  test('as Excel, with the numbers and dates of its cells', async () => {
    const date = new Date('2025-11-09T10:00:00.000Z');
    const serial = 45_970 + 10 / 24;
    const { rows: read } = await readStatement(await workbook([wave, paid('T_1', date), paid('T_2', serial)]), models);
    expect(read.map(({ paidAt }) => paidAt)).toEqual([date, date]);
  });
});

test.each([
  ['nothing', Buffer.from(''), 'empty'],
  ['blanks', Buffer.from('\r\n ; ;\r\n'), 'empty'],
  [
    'another table',
    csv([
      ['Nom', 'Prix'],
      ['a', 1],
    ]),
    'unknown',
  ],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'unknown'],
  ['a header without an amount', csv([wave.filter((name) => name !== 'amount')]), 'unknown'],
  ['a quote that is never closed', csv([wave, ['"Nov 9', 'T_1'], paid('T_2')]), 'unreadable'],
  ['an old Excel file that is cut off', readFileSync(path.join(folder, oldExcel)).subarray(0, -512), 'unreadable'],
  ['the start of one', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'unreadable'],
  ['a header below 200 rows', csv([...Array.from({ length: 200 }, () => ['x', 'y']), wave, paid('T_1')]), 'unknown'],
])('%s is refused', async (_, bytes, reason) => {
  await expect(readStatement(bytes, models)).rejects.toMatchObject({ name: 'StatementRefusal', reason });
});

test('an Excel file with a sheet per period is read whole, and says in which sheet a fault is', async () => {
  const bytes = await workbook([wave, paid('T_1')], [['Résumé']], [['x'], wave, paid('T_2', 'hier'), paid('T_3')]);
  const { rows, faults } = await readStatement(bytes, models);
  expect(rows.map(({ row, reference }) => [row, reference])).toEqual([
    [2, 'T_1'],
    [4, 'T_3'],
  ]);
  expect(faults).toEqual([{ row: 3, message: "Feuille 3 : La date est illisible, ou sans l'heure." }]);
});

test('a header that is repeated with its columns in another order applies from there on', async () => {
  const moved = (cells: CellValue[]) => cells.toReversed();
  const { rows } = await readStatement(csv([wave, paid('T_1'), moved(wave), moved(paid('T_2'))]), models);
  expect(rows).toMatchObject([{ reference: 'T_1' }, { reference: 'T_2', gross: 2000, payer: '+221770000001' }]);
});

test('identical rows are all kept, and so are a debit and a credit of one reference', async () => {
  const out: CellValue[] = ['Nov 9  2025  10:00:00 AM', 'T_1', 'api_payout', -2020, 20, '221770000001'];
  const { rows } = await readStatement(csv([wave, paid('T_1'), paid('T_1'), out]), models);
  expect(rows.map(({ direction, gross }) => [direction, gross])).toEqual([
    ['in', 2000],
    ['in', 2000],
    ['out', 2000],
  ]);
});

test('a file that Excel saved again reads the same', async () => {
  const rows = [wave, ['09/11/2025 10:00', 'T_1', 'api_checkout', '1 980', '20', '221770000001'] as CellValue[]];
  const windows = Buffer.from(csv(rows, ';').toString().replace('1 980', '1\u00a0980'), 'latin1');
  const { rows: read } = await readStatement(windows, models);
  expect(read).toMatchObject([{ gross: 2000, paidAt: new Date('2025-11-09T10:00:00.000Z') }]);
});

test('Orange read again from Excel has its date and time in two cells of their own kinds', async () => {
  const header = [
    'N°',
    'Date',
    'Heure',
    'Référence',
    'Service',
    'Statut',
    'N° de Compte',
    'N° de Compte',
    'Débit',
    'Crédit',
  ];
  const rest = ['MP260403.1410.C50002', 'Merchant Payment', 'Succès', '0700000000', 700_000_002, null, 10_000];
  const bytes = await workbook([
    header,
    [1, new Date('2026-04-03T00:00:00.000Z'), (14 * 3600 + 10 * 60 + 1) / 86_400, ...rest],
    [2, '03/04/2026', '14:10:01', ...rest],
  ]);
  const { rows } = await readStatement(bytes, modelOf('orange-ci'));
  const expected = {
    gross: 10_000,
    payer: '+2250700000002',
    paidAt: new Date('2026-04-03T14:10:01.000Z'),
  };
  expect(rows).toMatchObject([expected, expected]);
});

test('Orange of Burkina Faso from Excel has dates as numbers; the reference has the minute that a day leaves out', async () => {
  const header = 'TRANSFER_DATE TRANSFER_STATUS TRANSFER_ID MSISDN STATEMENT CREDIT DEBIT FEES AFTER_BAL'.split(' ');
  const payer = '57000000 Money Received from 70000001';
  const row = (date: number, reference: string): CellValue[] =>
    [date, 'TS', reference, 57_000_000].concat([payer, 500, 0, 0, 1_500]);
  const { rows, faults } = await readStatement(
    await workbook([
      [...header, 'REMARKS'],
      row(46_350 + 8.5 / 24, 'OM261124.0830.00000001'),
      row(46_350, 'OM261124.0831.00000002'),
    ]),
    modelOf('orange-bf'),
  );
  expect(faults).toEqual([]);
  expect(rows.map(({ paidAt }) => paidAt.toISOString())).toEqual([
    '2026-11-24T08:30:00.000Z',
    '2026-11-24T08:31:00.000Z',
  ]);
});

test('a cell of a formula has the value that Excel kept', async () => {
  const cells = new Map([['1,3', { formula: '2000-20', formulaResult: 1980 }]]);
  const bytes = await writeXlsx({ sheets: [{ name: 'a', rows: [wave, paid('T_1').with(3, null)], cells }] });
  const { rows } = await readStatement(bytes, models);
  expect(rows).toMatchObject([{ gross: 2000, reference: 'T_1' }]);
});

test('a row that cannot be taken is a fault without any of its text, and the others go on', async () => {
  const bad: [string, CellValue[]][] = [
    ['Le montant est illisible.', ['Nov 9  2025  10:00:00 AM', 'T_2', 'api_checkout', 'Personne Inventée', 20, '']],
    ['Le montant est nul.', ['Nov 9  2025  10:00:00 AM', 'T_2', 'api_checkout', 0, 0, '']],
    ['Le montant a des centimes.', ['Nov 9  2025  10:00:00 AM', 'T_2', 'api_checkout', '1025,50', 0, '']],
    ['Le montant dépasse 10 000 000 F.', ['Nov 9  2025  10:00:00 AM', 'T_2', 'api_checkout', 10_000_001, 0, '']],
    ["La date est illisible, ou sans l'heure.", ['09/11/2025', 'T_2', 'api_checkout', 1000, 0, '']],
    [
      "La référence est illisible, ou un tableur l'a arrondie.",
      ['09/11/2025 10:00', '1.3E+10', 'api_checkout', 1000, 0, ''],
    ],
  ];
  const { rows, faults } = await readStatement(
    await workbook([wave, ...bad.map(([, cells]) => cells), paid('T_9')]),
    models,
  );
  const plain = faults.map(({ row, message }) => [row, message.replaceAll('\u202f', ' ')]);
  expect(plain).toEqual(bad.map(([message], index) => [index + 2, message]));
  expect(rows).toMatchObject([{ row: 8, reference: 'T_9' }]);
});
