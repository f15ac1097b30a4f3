import { beforeEach, describe, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildFinalService, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { importSentences } from './catalogue-file.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => void (await api.pool.query('truncate services cascade')));

const send = (csv: unknown, dryRun: unknown = false) => admin.post('/api/admin/catalogue-import', { csv, dryRun });
const importFile = async (...lines: string[]) => (await send(lines.join('\r\n'))).body;
const stored = async () =>
  (await api.pool.query('select * from services order by id')).rows as Record<string, unknown>[];
const named = async (name: string) => (await stored()).find((row) => row.name === name);
const nothing = { created: 0, updated: 0, unchanged: 0, written: true, errors: [] };

/** A file is refused with these errors, as `line column message`, and nothing is written, whether it is tried or meant. */
async function expectErrors(lines: string[], expected: string[]): Promise<void> {
  const before = [await stored(), await countRows(api, 'audit_log')];
  for (const dryRun of [true, false]) {
    const { status, body } = await send(lines.join('\n'), dryRun);
    expect({ status, written: body.written }).toEqual({ status: 200, written: false });
    const told = body.errors as { line: number; column: string | null; message: string }[];
    expect(told.map(({ line, column, message }) => `${line} ${column ?? '-'} ${message}`)).toEqual(expected);
  }
  expect([await stored(), await countRows(api, 'audit_log')]).toEqual(before);
}

describe('an import', () => {
  test('creates what has no id, with the defaults of a service', async () => {
    expect(await importFile('id;name;price', ';Eau;500 F', '; Gaz ;')).toEqual({ ...nothing, created: 2 });
    expect(await importFile('name', 'Bois')).toEqual({ ...nothing, created: 1 });
    const [bois, eau, gaz] = (await admin.get('/api/admin/services')).body;
    expect(eau).toMatchObject({ name: 'Eau', price: '500 F', level: 1, isVisible: true, textColor: '#1E293B' });
    expect(gaz).toMatchObject({ name: 'Gaz', price: null, commissionType: 'fixed', operatorNote: '' });
    expect(bois).toMatchObject({ name: 'Bois' });
  });

  test('changes what has an id, in the columns that are there, and touches nothing that is the same', async () => {
    const [root, final] = await buildFinalService(api.db, { description: 'Avant', operatorNote: 'Note', sortOrder: 4 });
    const before = await stored();
    const lines = ['name;id;price;isVisible', `Transfert;${root?.id};;oui`, `Envoi rapide;${final?.id};2 000 F;NON`];
    expect(await importFile(...lines)).toEqual({ ...nothing, updated: 1, unchanged: 1 });
    const [one, two] = await stored();
    expect(one).toEqual(before[0]);
    expect(two).toEqual({
      ...before[1],
      name: 'Envoi rapide',
      price: '2 000 F',
      is_visible: false,
      updated_at: expect.any(Date),
    });
    expect((two?.updated_at as Date) > (before[1]?.updated_at as Date)).toBe(true);
  });

  test('reads numbers and ranges as they are written in French and in English', async () => {
    const lines = [
      'name;commissionType;commissionValue;sortOrder;commissionRanges',
      'A;percentage;1,5;-7;',
      'B;range;2.25;1 200; 5001 - 20000 : 1,5 % |1-5000:100|20001-:2%',
    ];
    expect(await importFile(...lines)).toEqual({ ...nothing, created: 2 });
    const [a, b] = (await admin.get('/api/admin/services')).body;
    expect(a).toMatchObject({ commissionType: 'percentage', commissionValue: 1.5, sortOrder: -7 });
    expect(b).toMatchObject({ commissionValue: 2.25, sortOrder: 1200 });
    expect(b.commissionRanges).toEqual([
      { minPrice: 1, maxPrice: 5000, commissionType: 'fixed', commissionValue: 100 },
      { minPrice: 5001, maxPrice: 20000, commissionType: 'percentage', commissionValue: 1.5 },
      { minPrice: 20001, maxPrice: null, commissionType: 'percentage', commissionValue: 2 },
    ]);
  });

  test('reads columns and values by their French and by their English names, and says which it takes', async () => {
    const lines = ['NOM;Type de commission;textSize;Style du texte;Prix personnalise'];
    const [wrong, ...words] = [
      'A;selon;huge;x;oui',
      'A;Tranches;grand;Gras italique;oui',
      'B;range;large;bold italic;non',
    ];
    await expectErrors(
      [...lines, wrong as string],
      [
        '2 commissionType Écrivez fixe, pourcentage ou tranches.',
        '2 textSize Écrivez petit, moyen ou grand.',
        '2 textStyle Écrivez normal, gras, italique ou gras italique.',
      ],
    );
    expect(await importFile(...lines, ...words)).toEqual({ ...nothing, created: 2 });
    const fields = { commissionType: 'range', textSize: 'large', textStyle: 'bold italic' };
    expect((await admin.get('/api/admin/services')).body).toMatchObject([fields, fields]);
    await expectErrors(['Nom;name'], ['1 name La colonne « name » est là deux fois.']);
  });

  test.each([
    ['semicolons', 'name;price\r\n"A;B";"1,500"\r\n'],
    ['commas', 'name,price\n"A;B","1,500"'],
    ['tabs', '\ufeff\r\nname\tprice\r\rA;B\t1,500\r\n\t\n'],
    ['the sign of its separator', '\ufeffsep=;\r\nname;price\r\n"A;B";"1,500"\r\n'],
    ['that of another one', '"sep=,"\nname,price\n"A;B","1,500"'],
    ['empty columns at the end', 'name;price;;\nA;B;1,500;\n'.replace('A;B', '"A;B"')],
    ['lines that end early', 'price;name;description\n1,500;A;\n'.replace('A;', '"A;B"')],
  ])('reads a file with %s', async (_, csv) => {
    expect((await send(csv)).body).toEqual({ ...nothing, created: 1 });
    expect(await stored()).toMatchObject([{ name: 'A;B', price: '1,500' }]);
  });

  test('is one entry in the log, with its counts; a dry run, a refusal and a file of known things are none', async () => {
    const before = await countRows(api, 'audit_log');
    await send('name\nA\nB', true);
    await send('name\n\n""\n;;x');
    expect(await countRows(api, 'audit_log')).toBe(before);
    await send('name\nA\nB');
    const { rows } = await api.pool.query('select * from audit_log order by id desc limit 1');
    expect(rows[0]).toMatchObject({
      action: 'POST /api/admin/catalogue-import',
      details: { dryRun: false, created: 2, updated: 0, unchanged: 0 },
    });
    expect((await send(`id;name\n${(await named('A'))?.id};A`)).body).toEqual({ ...nothing, unchanged: 1 });
    expect(await countRows(api, 'audit_log')).toBe(before + 1);
  });
});

describe('a refused import', () => {
  test('tells every wrong line, and writes none of the right ones', async () => {
    const [root] = await buildService(api.db, { name: 'Là' });
    await expectErrors(
      [
        'id;parent;name;isVisible;commissionType;commissionValue;commissionRanges;textColor;phoneNumber;sortOrder',
        ';;Juste;;;;;;;',
        ';;;peut-être;percentage;101;;rouge;*144*{pin}#;beaucoup',
        `${root?.id};;"Nom`,
        'sur deux lignes";;fixed;-1;1-5000:100 | 5000-:1;#FFFFFF;;',
        `;;${'x'.repeat(121)};oui;;;1-2;;;`,
        ';;P;;percentage;100,5;;;;',
      ],
      [
        '3 isVisible Écrivez oui ou non.',
        '3 sortOrder Écrivez un nombre.',
        '3 name Le nom du service est requis.',
        '3 textColor Couleur attendue au format #1E293B.',
        "3 phoneNumber Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.",
        '4 isVisible Cette case ne peut pas être vide.',
        '4 sortOrder Cette case ne peut pas être vide.',
        '4 name Caractère interdit.',
        '4 commissionValue La commission ne peut pas être négative.',
        '4 commissionRanges Deux tranches se chevauchent.',
        '6 commissionRanges Écrivez les tranches ainsi : 1-5000:100 | 5001-20000:1,5% | 20001-:2%',
        '6 name Ce champ est limité à 120 caractères.',
        '7 commissionValue Un pourcentage ne dépasse pas 100.',
      ],
    );
  });

  test('counts its lines from the first one, also where that only says what separates them', () =>
    expectErrors(['sep=;', 'name;isVisible', 'Eau;peut-être'], ['3 isVisible Écrivez oui ou non.']));

  test('takes no id twice, none that is unknown, and nothing else for one', async () => {
    const [root] = await buildService(api.db);
    const notAnId = "Écrivez l'identifiant d'un service, ou laissez vide.";
    await expectErrors(
      ['id;name', `${root?.id};A`, `0${root?.id};B`, '2147483647;C', '99999999999;D', '0;E', 'abc;F', '@k;G', '1.5;H'],
      [
        '3 id La ligne 2 a déjà cet identifiant.',
        ...[4, 5, 6].map((line) => `${line} id Service introuvable.`),
        ...[7, 8, 9].map((line) => `${line} id ${notAnId}`),
      ],
    );
  });

  test('hangs nothing under what is not there or is final', async () => {
    const [root, final] = await buildFinalService(api.db);
    await expectErrors(
      ['id;parent;name;isFinalLevel', ';2147483647;A;', ';x;B;', `;${final?.id};C;`, `;${root?.id};;`],
      [
        "2 parent Le service parent n'existe pas.",
        "3 parent Écrivez l'identifiant d'un service, ou laissez vide.",
        "4 parent Un service final ne peut pas contenir d'autres services.",
        '5 name Le nom du service est requis.',
      ],
    );
  });

  test('moves nothing, and goes no deeper than five levels', async () => {
    let path = await buildService(api.db);
    for (let level = 2; level <= 5; level += 1) path = await buildService(api.db, {}, path);
    const [top, second] = path.map(({ id }) => id);
    const notMoved = 'parent Un service ne se déplace que dans le panneau : remettez la case comme elle était.';
    await expectErrors(
      ['id;parent;name', `;${path.at(-1)?.id};N`, `${second};;S`, `${top};${second};T`],
      ['2 parent Le catalogue a 5 niveaux au plus.', `3 ${notMoved}`, `4 ${notMoved}`],
    );
  });

  test('tells the cell of what could not be read, and what to do', () =>
    expectErrors(
      ['name;price', 'Électricit\ufffd;500 F', 'Eau;1\ufffd500 F'],
      ['2 name', '3 price'].map((cell) => `${cell} ${importSentences.unreadable}`),
    ));

  test.each([
    ['a header of another encoding', 'nam\ufffd\nA', `1 - ${importSentences.unreadable}`],
    ['nothing', ' \r\n\r\n', '1 - Le fichier est vide.'],
    ['a quote that never closes', 'name\n"A\nb"\n"C\nD', `4 - ${importSentences.misplacedQuote}`],
    ['more lines than 5,000', `name\n${'A\n'.repeat(5001)}`, `5002 - ${importSentences.tooManyLines}`],
    ['more cells than columns', 'name\nA\n\nB;C', "4 - Cette ligne a plus de cases que l'en-tête."],
  ])('says of a file with %s where it is wrong', (_, csv, expected) => expectErrors([csv], [expected]));
});
