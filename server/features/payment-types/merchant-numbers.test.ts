import { beforeEach, expect, test } from 'vitest';
import type { DialTemplate } from '#contract/dial-codes.ts';
import type { MerchantNumbers } from '#contract/merchant-numbers.ts';
import { buildAdmin, buildCaller, buildDialTemplate, buildPaymentType } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let typeId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('delete from payment_types');
  typeId = (await buildPaymentType(api.db)).id;
});

const urlOf = (id = typeId) => `/api/admin/payment-types/${id}/merchant-numbers`;
const save = (numbers: object[], version = {}) => admin.put(urlOf(), { numbers, ...version });
const list = async () => (await admin.get('/api/admin/merchant-numbers')).body as MerchantNumbers[];
const burkina = { country: '+226', number: '1234567' };
const mali = { country: '+223', number: '7654' };

test('a payment type has a number for each country, which only administrators see (P18.7)', async () => {
  const other = (await buildPaymentType(api.db, 'Moov Money')).id;
  expect(await list()).toEqual([typeId, other].map((id) => ({ paymentTypeId: id, numbers: [], updatedAt: null })));
  const saved = await save([{ ...burkina, number: ' 12 34\u00a0567 ' }, mali]);
  expect(saved).toMatchObject({
    status: 200,
    body: { paymentTypeId: typeId, numbers: [mali, burkina], updatedAt: expect.any(String) },
  });
  expect(await list()).toMatchObject([saved.body, { paymentTypeId: other, numbers: [] }]);
  const { body } = await api.client().get('/api/payment-types');
  expect(body).toMatchObject([{ merchantCountries: [] }, { merchantCountries: ['+223', '+226'] }]);
  expect(JSON.stringify(body)).not.toContain('1234567');
  expect(await save([mali])).toMatchObject({ status: 200, body: { numbers: [mali] } });
  expect(await save([])).toMatchObject({ status: 200, body: { numbers: [], updatedAt: null } });
});

test.each([
  ['three digits', [{ ...burkina, number: '123' }], 'numbers.0.number', 'Le numéro marchand a de 4 à 12 chiffres.'],
  ['thirteen', [mali, { ...burkina, number: '1'.repeat(13) }], 'numbers.1.number', 'Le numéro marchand a de 4'],
  ['a letter', [{ ...burkina, number: '12E45' }], 'numbers.0.number', 'Le numéro marchand a de 4 à 12 chiffres.'],
  ['the example', [{ ...burkina, number: '0000 0000' }], 'numbers.0.number', "celui de l'exemple"],
  ['a country twice', [burkina, mali, burkina], 'numbers.2.country', 'Ce pays a déjà un numéro.'],
  ['another country', [{ ...burkina, country: '+33' }], 'numbers.0.country', ''],
])('%s is refused at its field, and nothing is written', async (_, numbers, path, message) => {
  expect(await save(numbers)).toMatchObject({
    status: 400,
    body: { code: 'INVALID', issues: [{ path, message: expect.stringContaining(message) }] },
  });
  expect(await list()).toMatchObject([{ numbers: [] }]);
});

test('numbers are not overwritten unseen, nor recorded where nothing changes, and the log has both', async () => {
  const { body } = await save([burkina, mali]);
  expect(await save([mali], { expectedUpdatedAt: body.updatedAt })).toMatchObject({ status: 200 });
  // The one that stayed is as new as the one that went.
  for (const expectedUpdatedAt of [body.updatedAt, null])
    expect(await save([burkina], { expectedUpdatedAt })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE' },
    });
  expect(await save([mali], { expectedUpdatedAt: null })).toMatchObject({ status: 200, body: { numbers: [mali] } });
  const { rows } = await api.pool.query("select details from audit_log where action like 'PUT %merchant-numbers'");
  expect(rows.at(-1).details).toEqual({ numbers: 'Mali 7654', before: { numbers: 'Mali 7654, Burkina Faso 1234567' } });
  expect(rows.filter(({ details }) => details.before.numbers === details.numbers)).toEqual([]);
  expect(await admin.put(urlOf(2147483647), { numbers: [] })).toMatchObject({
    status: 404,
    body: { code: 'PAYMENT_TYPE_NOT_FOUND' },
  });
  expect(await (await buildCaller(api)).client.put(urlOf(), { numbers: [] })).toMatchObject({ status: 403 });
});

test('a code with another number is to be verified again; one without the number, elsewhere or broken stays', async () => {
  await save([burkina, mali]);
  const stateOf = async (country: string) => {
    const { body } = await admin.get(`/api/admin/payment-types/${typeId}/dial-templates`);
    return (body as DialTemplate[]).find((each) => each.country === country);
  };
  const verified = { state: 'verified', verifiedAt: new Date() } as const;
  await buildDialTemplate(api.db, typeId, verified);
  await buildDialTemplate(api.db, typeId, { ...verified, country: '+223' });
  await buildDialTemplate(api.db, typeId, { ...verified, country: '+228', template: '*145*XX#' });
  await save([{ ...burkina, number: '9999' }, mali, { country: '+228', number: '8888' }]);
  expect(await stateOf('+226')).toMatchObject({ state: 'unverified', verifiedAt: null });
  for (const country of ['+223', '+228']) expect(await stateOf(country)).toMatchObject({ state: 'verified' });
  await api.pool.query("update dial_templates set state = 'broken'");
  await save([]);
  expect(await stateOf('+226')).toMatchObject({ state: 'broken' });
});
