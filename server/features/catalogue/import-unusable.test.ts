import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

test.each([
  [
    'phoneNumber',
    ['*144*XX#', '70 12 34 56', ''],
    ['**21*0022670112233#', '##002#', '*2767*3855#', '**05*{montant}*1#', '*{service}*XX#', '*#06#', '*33*0000#'],
    /^Un code à payer commence/,
  ],
  [
    'price',
    ['Gratuit', 'Selon facture', '', '500 à 1 000 F'],
    ['15 000 000 FCFA', '-500 FCFA', 'entre 100 et 200', '1e3', '0,5', '48 h', '2 millions FCFA'],
    /^Écrivez un prix entier de 0 à 10\s000\s000 FCFA.*«\sGratuit\s»/,
  ],
])(
  'a file with a %s that cannot be used is refused at each such line, and writes nothing',
  async (column, good, bad, sentence) => {
    const [known] = await buildService(api.db, { name: 'Connu' });
    const stored = async () => (await api.pool.query('select * from services order by id')).rows;
    const before = await stored();
    const csv = [
      `id,name,${column}`,
      ...good.map((cell) => `,Bon,"${cell}"`),
      ...bad.map((cell) => `,Mauvais,"${cell}"`),
    ];
    for (const dryRun of [true, false]) {
      const { body } = await admin.post('/api/admin/catalogue-import', {
        csv: [...csv, `${known?.id},Connu,"${bad[0]}"`].join('\n'),
        dryRun,
      });
      expect(body).toMatchObject({ written: false });
      expect(body.errors).toEqual(
        [...bad, ''].map((_, nth) => ({
          line: 2 + good.length + nth,
          column,
          message: expect.stringMatching(sentence),
        })),
      );
    }
    expect(await stored()).toEqual(before);
  },
);
