import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import type { CountryCode } from '#contract/phone.ts';
import { readStatement, type StatementContext } from './read-statement.ts';
import { statementLimits } from './statement-limits.ts';
import { modelsFor, readStatementModels } from './statement-model.ts';

const folder = path.join(import.meta.dirname, '../operators');
const models = readStatementModels(folder);
const now = new Date('2026-11-28T12:00:00Z');
/** Of an account of no wallet that is known. */
const anywhere: StatementContext = { country: '+221', now, models, others: [], wallet: undefined };
/** Of an account of the operator and the country of a folder. */
function contextOf(place: string): StatementContext {
  const own = models.filter((model) => model.parser.startsWith(`${place}/`));
  return { ...anywhere, country: own[0]?.country ?? '+221', models: own };
}
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

test.each(fixtures)('%s is read, or refused, as its .json says', async (file) => {
  const expected = JSON.parse(readFileSync(path.join(folder, file.replace(/\.\w+$/, '.json')), 'utf8'));
  const read = readStatement(readFileSync(path.join(folder, file)), contextOf(file.split('/')[0] ?? ''));
  if ('refusal' in expected) await expect(read).rejects.toMatchObject({ reason: expected.refusal });
  else {
    const { model, rows, faults } = await read;
    expect(JSON.parse(JSON.stringify({ model, rows, faults }))).toEqual(expected);
  }
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
    } = await readStatement(bytes, anywhere);
    expect(row).toMatchObject({ row: 2, gross: 2000, fee: 2000, reference: 'T_1', payer: '+221770000001' });
  });

  test('as Excel, with the numbers and dates of its cells', async () => {
    const date = new Date('2025-11-09T10:00:00.000Z');
    const serial = 45_970 + 10 / 24;
    const { rows: read } = await readStatement(
      await workbook([wave, paid('T_1', date), paid('T_2', serial)]),
      anywhere,
    );
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
  ['a PDF', Buffer.from('%PDF-1.7\n'), 'pdf'],
  ['a page without a table', Buffer.from('<!doctype html><html><body>Connectez-vous</body></html>'), 'page'],
  ['a page that is cut off', Buffer.from(`<table><tr><td>${wave.join('</td><td>')}</td></tr><tr><td>T_1<!-- `), 'page'],
  [
    "Excel 2003's XML",
    Buffer.from('<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
    'xml',
  ],
  ['an archive', Buffer.from('PK\x03\x04 releve.csv'), 'archive'],
  [
    "a workbook of LibreOffice's",
    Buffer.from('PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    'opendocument',
  ],
  ['an old Excel file that is cut off', readFileSync(path.join(folder, oldExcel)).subarray(0, -512), 'xls'],
  ['the start of one', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'xls'],
  ['a header below 200 rows', csv([...Array.from({ length: 200 }, () => ['x', 'y']), wave, paid('T_1')]), 'unknown'],
])('%s is refused', async (_, bytes, reason) => {
  await expect(readStatement(bytes, anywhere)).rejects.toMatchObject({ name: 'StatementRefusal', reason });
});

test('an Excel file with a sheet per period is read whole, and says in which sheet a fault is', async () => {
  const bytes = await workbook([wave, paid('T_1')], [['Résumé']], [['x'], wave, paid('T_2', 'hier'), paid('T_3')]);
  const { rows, faults } = await readStatement(bytes, anywhere);
  expect(rows.map(({ row, reference }) => [row, reference])).toEqual([
    [2, 'T_1'],
    [4, 'T_3'],
  ]);
  expect(faults).toEqual([{ row: 3, message: "Feuille 3 : La date est illisible, ou sans l'heure." }]);
});

test('a header that is repeated with its columns in another order applies from there on', async () => {
  const moved = (cells: CellValue[]) => cells.toReversed();
  const { rows } = await readStatement(csv([wave, paid('T_1'), moved(wave), moved(paid('T_2'))]), anywhere);
  expect(rows).toMatchObject([{ reference: 'T_1' }, { reference: 'T_2', gross: 2000, payer: '+221770000001' }]);
});

test('identical rows are all kept, and so are a debit and a credit of one reference', async () => {
  const out: CellValue[] = ['Nov 9  2025  10:00:00 AM', 'T_1', 'api_payout', -2020, 20, '221770000001'];
  const { rows } = await readStatement(csv([wave, paid('T_1'), paid('T_1'), out]), anywhere);
  expect(rows.map(({ direction, gross }) => [direction, gross])).toEqual([
    ['in', 2000],
    ['in', 2000],
    ['out', 2000],
  ]);
});

test('a file that Excel saved again reads the same', async () => {
  const rows = [wave, ['09/11/2025 10:00', 'T_1', 'api_checkout', '1 980', '20', '221770000001'] as CellValue[]];
  const windows = Buffer.from(csv(rows, ';').toString().replace('1 980', '1\u00a0980'), 'latin1');
  const { rows: read } = await readStatement(windows, anywhere);
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
  const { rows } = await readStatement(bytes, contextOf('orange-ci'));
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
    contextOf('orange-bf'),
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
  const { rows } = await readStatement(bytes, anywhere);
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
    anywhere,
  );
  const plain = faults.map(({ row, message }) => [row, message.replaceAll('\u202f', ' ')]);
  expect(plain).toEqual(bad.map(([message], index) => [index + 2, message]));
  expect(rows).toMatchObject([{ row: 8, reference: 'T_9' }]);
});

describe('a quote that stands where none may', () => {
  const header = 'timestamp,transaction_id,transaction_type,amount,fee,counterparty_name,counterparty_mobile\n';
  const row = (id: number, name: string) =>
    `2026-11-20T10:00:0${id},T_${id},api_checkout,1980,20,${name},+221770000001\n`;
  const read = async (...names: string[]) => {
    const text = header + names.map((name, place) => row(place, name)).join('');
    const { rows, faults } = await readStatement(Buffer.from(text), anywhere);
    return [rows.map(({ reference }) => reference).join(' '), faults.map((fault) => fault.row)];
  };
  const between = ['AWA', 'BINTOU'];

  test.each<[string, string[], string, number[]]>([
    ['in the middle of a cell is text', ['ETS "CHEZ TANTIE" SARL', ...between], 'T_0 T_1 T_2', []],
    ['alone in a cell is text', ['TV 32" NEUVE', ...between], 'T_0 T_1 T_2', []],
    ['in a cell that has its own is text', ['"ETS "TANTIE" SARL"', ...between], 'T_0 T_1 T_2', []],
    ['in a cell with commas costs its row', ['"ETS "TANTIE", SARL"', ...between], 'T_1 T_2', [2]],
    ['that nothing closes costs its row', [...between, '"TANTIE'], 'T_0 T_1', [4]],
    ['that a later one seems to close costs no row between', ['"TANTIE', ...between, 'TV 32"'], 'T_1 T_2 T_3', [2]],
    ['in two rows costs no row between', ['"TANTIE', ...between, '"MAMAN'], 'T_1 T_2', [2, 5]],
    ['around several lines makes one cell', ['"TANTIE\n\nchez, elle"', ...between], 'T_0 T_1 T_2', []],
  ])('%s', async (_, names, references, faults) => {
    expect(await read(...names)).toEqual([references, faults]);
  });

  test('loses no row of a file, wherever it stands', async () => {
    const names = fc.array(fc.string({ unit: fc.constantFrom('A', '"', ' ', ',', "'"), maxLength: 6 }), {
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const [read_, faults] = (await read(...all)) as [string, number[]];
        const told = new Set([...read_.matchAll(/T_(\d)/g)].map(([, id]) => Number(id)));
        for (const [id, name] of all.entries()) if (!/[",]/.test(name)) expect([id, told.has(id)]).toEqual([id, true]);
        expect(told.size + faults.length).toBe(all.length);
      }),
    );
  });
});

describe('a date that contradicts', () => {
  const header = 'TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;STATEMENT;CREDIT;DEBIT;FEES;AFTER_BAL';
  const row = (date: string, reference: string) => `${date};TS;${reference};Money Received from 70000001;500;;;`;
  const right = ['OM261103.0800.1', 'OM261104.0800.2'].map((each) => row('03/11/2026 08:00:00', each));
  const orange = contextOf('orange-bf');

  test('its reference, today or its column is a fault that says so, and the other rows are read', async () => {
    const lines = [
      row('03/11/2026 08:00:00', 'OM261103.0800.1'),
      row('11/03/2026 08:10:00', 'OM261103.0810.2'),
      row('11/12/2026 08:20:00', 'SANSDATE3'),
      row('2026-03-11 08:30:00', 'SANSDATE4'),
      row('24/11/2026 08:40:00', 'OM261124.0840.5'),
      row('2026-11-24 08:50:00', 'OM261124.0850.6'),
    ];
    const { rows, faults } = await readStatement(Buffer.from([header, ...lines].join('\n')), orange);
    expect(rows.map(({ reference }) => reference)).toEqual(['OM261103.0800.1', 'OM261124.0840.5', 'OM261124.0850.6']);
    const swapped = 'Un tableur a sans doute inversé jour et mois.';
    expect(faults).toEqual([
      { row: 3, message: `La date (11 mars 2026) contredit la référence (3 novembre 2026). ${swapped}` },
      { row: 4, message: `La date (11 décembre 2026) est dans le futur. ${swapped}` },
      { row: 5, message: `La date (11 mars 2026) n'est pas écrite comme les autres de sa colonne. ${swapped}` },
    ]);
  });

  test('in more than half of the rows costs the whole file', async () => {
    const wrong = row('11/03/2026 08:00:00', 'OM261103.0800.3');
    const read = (...lines: string[]) => readStatement(Buffer.from([header, ...lines].join('\n')), orange);
    await expect(read(right[0] ?? '', wrong)).resolves.toMatchObject({ rows: [{}], faults: [{}] });
    await expect(read(right[0] ?? '', wrong, wrong)).rejects.toMatchObject({ reason: 'contradicting' });
  });
});

describe('a form is its operator’s', () => {
  const french = readFileSync(path.join(folder, 'wave-sn/statements/francais-brut.csv'));
  const of = (country: CountryCode, wallet: string | undefined): StatementContext => {
    const account = { country, wallet };
    return { ...anywhere, ...account, ...modelsFor(models, account) };
  };

  test.each<[CountryCode, string | undefined, string]>([
    ['+225', 'Wave', 'wave-ci/'],
    ['+221', 'Wave', 'wave-sn/'],
    ['+226', 'Wave', 'wave-'],
    ['+229', undefined, 'wave-'],
  ])('and is read on the clock and the numbers of an account of %s, %s', async (country, wallet, model) => {
    const read = await readStatement(csv([wave, paid('T_1')]), of(country, wallet));
    expect(read.model).toContain(model);
    expect(read.rows[0]?.paidAt.toISOString()).toBe(
      country === '+229' ? '2025-11-09T09:00:00.000Z' : '2025-11-09T10:00:00.000Z',
    );
  });

  test('and a national number in it is the account’s', async () => {
    const row = paid('T_1').with(5, '70112210');
    const { rows } = await readStatement(csv([wave, row]), of('+226', 'Wave'));
    expect(rows).toMatchObject([{ payer: '+22670112210' }]);
  });

  test('so that another wallet refuses it by its name', async () => {
    await expect(readStatement(french, of('+226', 'Moov Money'))).rejects.toMatchObject({
      reason: 'other-wallet',
      message: 'Ce fichier est un relevé Wave ; ce compte est Moov Money.',
    });
    await expect(readStatement(csv([['a', 'b']]), of('+226', 'Moov Money'))).rejects.toMatchObject({
      reason: 'unknown',
    });
  });
});

describe('a workbook', () => {
  test('of so many sheets is read, and of more is refused before any of them', async () => {
    const blank = Array.from({ length: statementLimits.sheets - 1 }, () => [['x']]);
    const { rows } = await readStatement(await workbook(...blank, [wave, paid('T_1')]), anywhere);
    expect(rows).toMatchObject([{ reference: 'T_1' }]);
    await expect(readStatement(await workbook([wave, paid('T_1')], ...blank, [['x']]), anywhere)).rejects.toMatchObject(
      {
        reason: 'too-many-sheets',
        message:
          "Ce classeur a plus de 50 feuilles. Gardez celle du relevé, ou demandez à l'opérateur le relevé en CSV.",
      },
    );
  });

  test('that says to unpack to too much is refused before it is unpacked', async () => {
    const bytes = Buffer.from(await workbook([wave, paid('T_1')]));
    // The size of a part, in its entry of the archive's list: PKWARE's APPNOTE, 4.3.12.
    bytes.writeUInt32LE(statementLimits.unpackedBytes, bytes.lastIndexOf('PK\x01\x02') + 24);
    await expect(readStatement(bytes, anywhere)).rejects.toMatchObject({ reason: 'too-large' });
  });
});

test('a workbook with a password is told, whatever Excel wrote it', async () => {
  const encryption = { password: 'secret', spinCount: 1 };
  const bytes = await writeXlsx({ sheets: [{ name: 'a', rows: [wave, paid('T_1')] }], encryption });
  await expect(readStatement(bytes, anywhere)).rejects.toMatchObject({ reason: 'protected' });
});
