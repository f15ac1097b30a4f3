import { describe, expect, test } from 'vitest';
import { serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildPaymentAccount,
  buildPaymentType,
  buildService,
  buildUser,
  nextNumber,
} from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

type Answer = Awaited<ReturnType<TestClient['put']>>;

/** Something that administrators change. */
interface Edited {
  table: string;
  id?: number;
  /** Writes the value number `n`, made from `expectation`. */
  write: (n: number, expectation: object) => Promise<Answer>;
}

const range = (n: number) => ({ minPrice: n, maxPrice: null, commissionType: 'fixed', commissionValue: n });

const singletons: Record<string, () => Edited> = {
  'the page background': () => ({
    table: 'background_settings',
    write: (n, expectation) => admin.post('/api/admin/background-settings', { opacity: n, ...expectation }),
  }),
  'the settings of SMS': () => ({
    table: 'sms_settings',
    write: (n, expectation) =>
      admin.put('/api/admin/sms/settings', { perCountryAndDay: n, onDecision: false, ...expectation }),
  }),
  "the operator's contact": () => ({
    table: 'contact_settings',
    write: (n, expectation) =>
      admin.put('/api/admin/contact', { whatsapp: null, phone: null, email: `n${n}@exemple.bf`, ...expectation }),
  }),
  'the reasons for a rejection': () => ({
    table: 'reject_reasons',
    write: (n, expectation) => admin.put('/api/admin/reject-reasons', { reasons: [`Motif ${n}`], ...expectation }),
  }),
};
/** A row that is changed at its own address. */
const rowAt = (table: string, id: number, address: string, fieldsOf: (n: number) => object): Edited => ({
  table,
  id,
  write: (n, expectation) => admin.put(`${address}/${id}`, { ...fieldsOf(n), ...expectation }),
});
const serviceWith = async (fieldsOf: (n: number) => object): Promise<Edited> => {
  const [{ id } = { id: 0 }] = await buildService(api.db, { isFinalLevel: true });
  const write = (n: number, expectation: object) =>
    admin.put(`/api/admin/services/${id}`, serviceForm({ ...fieldsOf(n), ...expectation }));
  return { table: 'services', id, write };
};
const kinds: Record<string, () => Edited | Promise<Edited>> = {
  ...singletons,
  'a content page': async () => {
    const page = { slug: `page-${nextNumber()}`, title: 'Aide', content: 'Texte' };
    const { id } = (await admin.post('/api/admin/content-pages', page)).body;
    return rowAt('content_pages', id, '/api/admin/content-pages', (n) => ({ title: `Titre ${n}` }));
  },
  'a payment type': async () => {
    const { id } = await buildPaymentType(api.db, `Type ${nextNumber()}`);
    return rowAt('payment_types', id, '/api/admin/payment-types', (n) => ({ operator: `Ligne ${n}` }));
  },
  'an account that payments come in on': async () => {
    const { id } = await buildPaymentAccount(api.db);
    return rowAt('payment_accounts', id, '/api/admin/payments/accounts', (n) => ({ label: `Caisse ${n}` }));
  },
  'a service': () => serviceWith((n) => ({ name: `Service ${n}` })),
  'the ranges of a service': () => serviceWith((n) => ({ commissionRanges: [range(n)] })),
  'the password of a user': async () => {
    const { id } = await buildUser(api.db);
    const write = (n: number, expectation: object) =>
      admin.patch(`/api/admin/users/${id}/reset-password`, { password: `nouveau-${n}`, ...expectation });
    return { table: 'users', id, write };
  },
};

const whereOf = ({ id }: Edited) => (id ? `id = ${id}` : 'true');
const readRows = async (edited: Edited) => {
  const ranges = `(select json_agg(r) from commission_ranges r where service_id = ${edited.id ?? 0})`;
  const { rows } = await api.pool.query(`select *, ${ranges} as ranges from ${edited.table} where ${whereOf(edited)}`);
  return rows as { updated_at: Date }[];
};
const versionOf = async (edited: Edited) => (await readRows(edited))[0]?.updated_at.toISOString() ?? null;
const refused = {
  status: 409,
  body: { code: 'CHANGED_MEANWHILE', message: 'Un autre administrateur vient de modifier cet élément.' },
};
/** Of eight changes at once from what all saw, one is made. */
async function expectOneOfMany(edited: Edited, expectedUpdatedAt: string | null) {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => edited.write(n + 1, { expectedUpdatedAt })));
  const others = answers.filter(({ status }) => status !== 200);
  expect(others).toMatchObject(Array(7).fill(refused));
  expect(answers.find(({ status }) => status === 200)?.body.updatedAt).toBe(await versionOf(edited));
}

describe.each(Object.entries(kinds))('%s', (_, make) => {
  test('is changed from what is stored; from anything else it is not, and nothing changes', async () => {
    const edited = await make();
    expect((await edited.write(1, {})).status).toBe(200);
    const seen = await versionOf(edited);
    const changed = await edited.write(2, { expectedUpdatedAt: seen });
    expect(changed).toMatchObject({ status: 200, body: { updatedAt: await versionOf(edited) } });
    const stored = await readRows(edited);
    for (const expectedUpdatedAt of [seen, null])
      expect(await edited.write(3, { expectedUpdatedAt })).toMatchObject(refused);
    for (const expectedUpdatedAt of ['2026-11-21', 3])
      expect(await edited.write(3, { expectedUpdatedAt })).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(await readRows(edited)).toEqual(stored);
    // Each change gets a later version, whatever the clock says.
    await api.pool.query(`update ${edited.table} set updated_at = now() + interval '1 hour' where ${whereOf(edited)}`);
    const before = Date.parse((await versionOf(edited)) ?? '');
    expect((await edited.write(4, {})).status).toBe(200);
    expect(Date.parse((await versionOf(edited)) ?? '')).toBe(before + 1);
  });

  test('is changed by one of many who all saw the same', async () => {
    const edited = await make();
    await edited.write(20, {});
    await expectOneOfMany(edited, await versionOf(edited));
  });
});

test.each(Object.entries(singletons))(
  '%s, of which nothing is stored, is first saved by one of many',
  async (_, make) => {
    const edited = make();
    await api.pool.query(`delete from ${edited.table}`);
    expect(await edited.write(1, { expectedUpdatedAt: '2026-11-21T08:30:00Z' })).toMatchObject(refused);
    expect(await readRows(edited)).toEqual([]);
    await expectOneOfMany(edited, null);
  },
);

test("a colleague's deactivation is not undone unseen", async () => {
  const { id, updatedAt } = await buildUser(api.db, { isVerified: false });
  const expectedUpdatedAt = updatedAt.toISOString();
  const actOn = (action: string, body?: object) => admin.patch(`/api/admin/users/${id}/${action}`, body);
  await actOn('deactivate');
  expect(await actOn('activate', { expectedUpdatedAt })).toMatchObject(refused);
  expect((await admin.get(`/api/admin/users/${id}`)).body).toMatchObject({ isVerified: false, isDeactivated: true });
  for (const body of [undefined, { expectedUpdatedAt }])
    expect(await actOn('activate', body)).toMatchObject({ status: 200, body: { isVerified: true } });
});
