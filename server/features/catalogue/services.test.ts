import { describe, expect, test } from 'vitest';
import { countRows, serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const create = (data: object) => admin.post('/api/services', serviceForm(data));
const change = (id: number, data: object) => admin.put(`/api/admin/services/${id}`, serviceForm(data));
const stored = async (id: number) => (await api.pool.query('select * from services where id = $1', [id])).rows[0];
const all = async () => (await api.pool.query('select * from services order by id')).rows;

describe('a service', () => {
  test('is created with everything it may have, and listed so', async () => {
    const [parent] = await buildService(api.db, { name: 'Factures' });
    const fields = {
      name: 'SONABEL & <b>fils</b>',
      description: 'Cash Power\nou facture',
      price: 'À partir de 500 FCFA',
      level: 2,
      parentId: parent?.id,
      isFinalLevel: true,
      isVisible: true,
      allowUserPriceInput: true,
      textSize: 'large',
      textColor: '#00ff7A',
      textStyle: 'bold italic',
      sortOrder: -3,
      phoneNumber: '*144*10*00000000*{montant}#',
      commissionType: 'range',
      commissionValue: 0,
      commissionRanges: [
        { minPrice: 5001, maxPrice: null, commissionType: 'percentage', commissionValue: 1.25 },
        { minPrice: 1, maxPrice: 5000, commissionType: 'fixed', commissionValue: 100 },
      ],
    };
    const answer = await create(fields);
    const expected = { ...fields, commissionRanges: fields.commissionRanges.toReversed(), pictureUrl: null };
    expect(answer).toMatchObject({ status: 201, body: expected });
    const listed = await api.client().get(`/api/services?parentId=${parent?.id}`);
    expect(listed).toMatchObject({ status: 200, body: [expected] });
    expect(await countRows(api, 'commission_ranges', `service_id = ${answer.body.id}`)).toBe(2);
  });

  test('is changed in what is given, and in nothing else', async () => {
    const { body: before } = await create({ name: 'Avant', price: '500 F', commissionValue: 20, sortOrder: 9 });
    const answer = await change(before.id, { name: 'Après', textStyle: 'italic' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      name: 'Après',
      textStyle: 'italic',
      updatedAt: expect.any(String),
    });
    expect(answer.body.updatedAt > before.updatedAt).toBe(true);
    expect(await change(before.id, { price: '' })).toMatchObject({ status: 200, body: { price: null, name: 'Après' } });
    expect(await change(before.id, {})).toMatchObject({ status: 200, body: { name: 'Après' } });
  });

  test('is deleted, with its ranges; what is gone is not found', async () => {
    const { body } = await create({
      name: 'Adieu',
      commissionType: 'range',
      commissionRanges: [{ minPrice: 1, maxPrice: null, commissionType: 'fixed', commissionValue: 5 }],
    });
    expect(await admin.delete(`/api/admin/services/${body.id}`)).toMatchObject({ status: 200, body: { id: body.id } });
    expect(await stored(body.id)).toBeUndefined();
    expect(await countRows(api, 'commission_ranges', `service_id = ${body.id}`)).toBe(0);
    for (const answer of [await admin.delete(`/api/admin/services/${body.id}`), await change(body.id, { name: 'x' })])
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'SERVICE_NOT_FOUND', message: 'Service introuvable.' },
      });
  });

  test('carries a note that administrators read, and nobody else', async () => {
    const operatorNote = "Code à confirmer\nauprès de l'opérateur";
    const { body } = await create({ name: 'Noté', operatorNote: `  ${operatorNote} ` });
    expect(body).toMatchObject({ operatorNote });
    const inPanel = (await admin.get('/api/admin/services')).body.find(({ id }: { id: number }) => id === body.id);
    expect(inPanel).toEqual(body);
    expect((await change(body.id, { name: 'Noté encore' })).body).toMatchObject({ operatorNote });
    for (const client of [api.client(), admin]) {
      const shown = (await client.get('/api/services')).body.find(({ id }: { id: number }) => id === body.id);
      expect(shown).toMatchObject({ name: 'Noté encore' });
      expect(shown).not.toHaveProperty('operatorNote');
    }
    expect((await change(body.id, { operatorNote: ' ' })).body).toMatchObject({ operatorNote: '' });
  });
});

const range = (minPrice: unknown, maxPrice: unknown, commissionValue: unknown = 1, commissionType = 'fixed') => ({
  minPrice,
  maxPrice,
  commissionValue,
  commissionType,
});

/** `contract/catalogue.test.ts` has what else each field may not be. */
const refused: [field: string, data: Record<string, unknown>][] = [
  ['name', { name: '   ' }],
  ['description', { description: 'x'.repeat(2001) }],
  ['operatorNote', { operatorNote: 5 }],
  ['price', { price: '15 000 000 FCFA' }],
  ['textColor', { textColor: 'red;background:url(//x)' }],
  ['parentId', { parentId: 2147483648 }],
  ['isVisible', { isVisible: 'oui' }],
  ['commissionValue', { commissionType: 'percentage', commissionValue: 100.5 }],
  ['sortOrder', { sortOrder: 40_000 }],
  ['phoneNumber', { phoneNumber: '**21*0022670112233#' }],
  ['commissionRanges', { commissionRanges: [range(1, 100), range(100, 200)] }],
  ['commissionRanges', { commissionRanges: Array.from({ length: 51 }, (_, index) => range(index, index)) }],
  ['commissionRanges.0.maxPrice', { commissionRanges: [range(100, 99)] }],
  ['commissionRanges.0.commissionValue', { commissionRanges: [range(1, 99, 150, 'percentage')] }],
];

describe('what no service may be', () => {
  test.each(refused)('%s: %j, when created and when changed', async (field, data) => {
    const [target] = await buildService(api.db, { name: 'Cible' });
    const before = await all();
    const created = await create({ name: 'Nouveau', ...data });
    expect(created).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(created.body.issues[0].path).toBe(field);
    if (data.name !== undefined || field !== 'name')
      expect(await change(target?.id ?? 0, data)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(await all()).toEqual(before);
  });

  test('a percentage over 100, also when only its type or only its value is changed', async () => {
    const { body } = await create({ name: 'Fixe', commissionValue: 500 });
    expect(await change(body.id, { commissionType: 'percentage' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID', issues: [{ path: 'commissionValue' }] },
    });
    expect(await change(body.id, { commissionType: 'percentage', commissionValue: 100 })).toMatchObject({
      status: 200,
    });
    expect(await change(body.id, { commissionValue: 101 })).toMatchObject({ status: 400 });
    expect(await stored(body.id)).toMatchObject({ commission_type: 'percentage', commission_value: '100.00' });
  });
});
