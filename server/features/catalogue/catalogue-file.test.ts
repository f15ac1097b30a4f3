import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newService } from '#contract/catalogue-edits.ts';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const empty = () => api.pool.query('truncate services cascade');
beforeEach(async () => void (await empty()));

const readFile = async () => (await admin.get('/api/admin/catalogue-export')).raw.toString('utf8');
const importFile = async (csv: string, dryRun = false) =>
  (await admin.post('/api/admin/catalogue-import', { csv, dryRun })).body;
const stored = async () => (await api.pool.query('select * from services order by id')).rows;

const header =
  'Identifiant;Parent;Nom;Description;Prix;Service final;Visible;Prix personnalisé;Type de commission;Commission;' +
  'Tranches;Taille du texte;Couleur du texte;Style du texte;Code à composer;Ordre;Note interne';

describe('the exported file', () => {
  test('is UTF-8 with its mark, semicolons and a header, to be saved', async () => {
    const root = await buildService(api.db, {
      name: 'Énergie',
      sortOrder: -3,
      operatorNote: 'Interne',
      isVisible: false,
    });
    const path = await buildService(
      api.db,
      {
        name: 'Gaz; "bleu"',
        price: '1 000 FCFA',
        isFinalLevel: true,
        allowUserPriceInput: true,
        phoneNumber: '*144*10*00000000*XX#',
        commissionType: 'range',
        commissionValue: 0.5,
        commissionRanges: [
          { minPrice: 5001, maxPrice: 20000, commissionType: 'percentage', commissionValue: 1.5 },
          { minPrice: 1, maxPrice: 5000, commissionType: 'fixed', commissionValue: 100 },
          { minPrice: 20001, maxPrice: null, commissionType: 'percentage', commissionValue: 2 },
        ],
      },
      root,
    );
    const [family, final] = path.map(({ id }) => id);
    const { headers, raw } = await admin.get('/api/admin/catalogue-export');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="catalogue.csv"',
    });
    expect(raw.toString('utf8')).toBe(
      [
        `\ufeff${header}`,
        `${family};;Énergie;;;non;non;non;fixe;0;;moyen;#1E293B;normal;;-3;Interne`,
        `${final};${family};"Gaz; ""bleu""";;1 000 FCFA;oui;oui;oui;tranches;0,5;` +
          '1-5000:100 | 5001-20000:1,5% | 20001-:2%;moyen;#1E293B;normal;*144*10*00000000*XX#;0;',
        '',
      ].join('\r\n'),
    );
  });

  test.each(['=1+1', '+226 70 12 34 56', '＝1+1', "''@x", "=cmd|' /C calc'!A0"])(
    'holds no formula: %s stands behind an apostrophe, which the import takes away',
    async (name) => {
      await buildService(api.db, { name });
      const csv = await readFile();
      expect(csv.split('\r\n')[1]?.split(';')[2]).toBe(`'${name}`);
      expect(await importFile(csv)).toMatchObject({ unchanged: 1, errors: [] });
      await empty();
      expect(await importFile(csv.replace(/\n\d+;/, '\n;'))).toMatchObject({ created: 1, errors: [] });
      expect(await stored()).toMatchObject([{ name }]);
    },
  );
});

describe('what a spreadsheet would change', () => {
  const read = async () => (await stored()).map(({ phone_number }) => phone_number);

  test.each(['0701020304', '+225 07 01 02 03 04', '70 12 34 56', '3030'])(
    'is the number %s, which stands behind an apostrophe and is read with it or without',
    async (phoneNumber) => {
      await buildService(api.db, { name: 'A', phoneNumber });
      const csv = await readFile();
      expect(csv.split('\r\n')[1]?.split(';')[14]).toBe(`'${phoneNumber}`);
      for (const file of [csv, csv.replace(`'${phoneNumber}`, phoneNumber), csv.replace("'", '’')])
        expect(await importFile(file)).toMatchObject({ unchanged: 1, errors: [] });
      await empty();
      expect(await importFile(csv.replace(/\n\d+;/, '\n;'))).toMatchObject({ created: 1, errors: [] });
      expect(await read()).toEqual([phoneNumber]);
    },
  );

  test.each(['*144*10*{marchand}*XX#', '#144#8*{marchand}*XX#'])('is not the code %s', async (phoneNumber) => {
    await buildService(api.db, { name: 'A', phoneNumber });
    expect((await readFile()).split('\r\n')[1]?.split(';')[14]).toBe(phoneNumber);
  });

  test('and changed is refused at its cell, and nothing of the file is written', async () => {
    const csv = 'name;phoneNumber\r\nEau;0701020304\r\nGaz;701020304\r\nBois;2,2507E+12\r\nSel;22670123456';
    const { written, errors } = await importFile(csv);
    expect(written).toBe(false);
    expect(errors).toMatchObject([
      { line: 3, column: 'phoneNumber', message: expect.stringContaining('+225 07 01 02 03 04') },
      { line: 4, column: 'phoneNumber', message: expect.stringContaining('numéro de téléphone') },
      { line: 5, column: 'phoneNumber', message: expect.stringContaining('+226 70 12 34 56') },
    ]);
    expect(await read()).toEqual([]);
  });
});

const rate = fc.record({
  commissionType: fc.constantFrom('fixed', 'percentage'),
  commissionValue: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
});
const ranges = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 0, max: 9_999_999 }), { maxLength: 9 }), fc.array(rate, { minLength: 5 }))
  .map(([bounds, rates]) => {
    const sorted = bounds.toSorted((one, other) => one - other);
    const starts = sorted.filter((_, index) => index % 2 === 0);
    return starts.map((minPrice, index) => ({ ...rates[index], minPrice, maxPrice: sorted[2 * index + 1] ?? null }));
  });
const marks = ['=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ';', ',', '|', ' ', '\ufeff', 'é', '😀'];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 12 })
  .map((pieces) => pieces.join(''));
const anyService = fc
  .record({
    name: anyText,
    description: anyText,
    operatorNote: anyText,
    price: anyText,
    phoneNumber: fc.constantFrom('', '*144*10*XX#', '#144#{montant}#', '+226 70 12 34 56', '3030'),
    isVisible: fc.boolean(),
    allowUserPriceInput: fc.boolean(),
    commissionType: fc.constantFrom('fixed', 'percentage', 'range'),
    commissionValue: rate.map(({ commissionValue }) => commissionValue),
    commissionRanges: ranges,
    textSize: fc.constantFrom('small', 'medium', 'large'),
    textStyle: fc.constantFrom('normal', 'bold', 'italic', 'bold italic'),
    textColor: fc.constantFrom('#1E293B', '#00ff7A'),
    sortOrder: fc.integer({ min: -32768, max: 32767 }),
  })
  .map((fields) => z.safeParse(newService, fields))
  .filter(({ success }) => success)
  .map(({ data }) => data as z.output<typeof newService>);

test('a file that comes back as it went changes nothing, whatever the services are called', async () => {
  const services = fc.array(fc.record({ fields: anyService, isBelow: fc.boolean() }), { minLength: 1, maxLength: 5 });
  const keepsAll = fc.asyncProperty(services, async (list) => {
    await empty();
    let path: { id: number; level: number }[] = [];
    for (const { fields, isBelow } of list) {
      const above = isBelow ? path : [];
      path = await buildService(api.db, { ...fields, parentId: above.at(-1)?.id ?? null }, above);
    }
    const before = await stored();
    const csv = await readFile();
    const nothing = { created: 0, updated: 0, unchanged: list.length, errors: [] };
    for (const dryRun of [true, false]) expect(await importFile(csv, dryRun)).toEqual({ ...nothing, written: !dryRun });
    expect(await stored()).toEqual(before);
  });
  await fc.assert(keepsAll, { numRuns: 12 });
});
