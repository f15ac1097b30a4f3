import { beforeEach, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(() => api.pool.query('delete from contact_settings'));

const none = { whatsapp: null, phone: null, email: null };
const all = { whatsapp: '+22670000001', phone: '+33612345678', email: 'aide@exemple.bf' };
const save = (contact: object) => admin.put('/api/admin/contact', contact);
const read = async () => (await api.client().get('/api/contact')).body;

test('anyone reads it; before any was saved there is none', async () => {
  expect(await api.client().get('/api/contact')).toMatchObject({ status: 200, body: { ...none, updatedAt: null } });
});

test('what an administrator saves is what anyone reads, in one row', async () => {
  const saved = await save(all);
  expect(saved).toMatchObject({ status: 200, body: all });
  expect(await read()).toEqual(saved.body);
  expect((await save({ ...none, email: all.email })).body).toMatchObject({ ...none, email: all.email });
  expect(await read()).toMatchObject({ ...none, email: all.email });
  expect(await countRows(api, 'contact_settings')).toBe(1);
});

test.each([
  ['+226 70 00 00 01', '+22670000001'],
  ['00226 70-00-00-01', '+22670000001'],
  ['\u200e+226\u00a070\u202f00\u00a000 01', '+22670000001'],
  ['+1 (212) 555-0100', '+12125550100'],
  ['+123456789012345', '+123456789012345'],
  ['', null],
])('the number %j becomes %j', async (typed, stored) => {
  expect(await save({ whatsapp: typed, phone: typed, email: null })).toMatchObject({
    status: 200,
    body: { whatsapp: stored, phone: stored },
  });
});

test.each([
  { whatsapp: '70 00 00 01' },
  { phone: '+1234567890123456' },
  { phone: '+226 70 00 00 0O' },
  { phone: '+22670000001?text=x' },
  { whatsapp: 'https://wa.me/22670000001' },
  { whatsapp: 22670000001 },
  { email: 'aide' },
  { email: 'aide@exemple.bf?bcc=x@y.bf' },
  { email: `${'a'.repeat(250)}@b.bf` },
])('%j is a mistake of the caller, told at its field', async (mistake) => {
  await save(all);
  const [field] = Object.keys(mistake);
  const answer = await save({ ...all, ...mistake });
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID', issues: [{ path: field }] } });
  expect(await read()).toMatchObject(all);
});

test('is recorded with what it was and is; the same again changes and records nothing', async () => {
  await save(none);
  await save(all);
  const { rows } = await api.pool.query('select action, details, target from audit_log order by id desc limit 1');
  expect(rows).toEqual([{ action: 'PUT /api/admin/contact', details: { ...all, before: none }, target: null }]);
  const before = await countRows(api, 'audit_log');
  const { updatedAt } = await read();
  expect((await save({ ...all, phone: '+33 6 12 34 56 78' })).body).toEqual({ ...all, updatedAt });
  expect(await countRows(api, 'audit_log')).toBe(before);
});
