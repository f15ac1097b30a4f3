import { beforeEach, describe, expect, test } from 'vitest';
import type { DialTemplate } from '#contract/dial-codes.ts';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let typeId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('delete from payment_types');
  typeId = (await buildPaymentType(api.db)).id;
  await api.pool.query("update payment_types set operator = 'Orange'");
});

const templatesUrl = (id = typeId) => `/api/admin/payment-types/${id}/dial-templates`;
const code = { template: '*144*10*{marchand}*{montant}#' };
const create = (fields: object = {}) => admin.post(templatesUrl(), { country: '+226', ...code, ...fields });
const list = async () => (await admin.get(templatesUrl())).body as DialTemplate[];
const offered = async () =>
  (await api.client().get('/api/payment-types')).body.find(({ id }: { id: number }) => id === typeId).dialTemplates;

describe('the templates of a payment type (P18.5)', () => {
  test('are one a country, to be verified', async () => {
    const created = await create();
    expect(created).toMatchObject({ status: 201, body: { ...code, state: 'unverified', verifiedAt: null } });
    expect(await create()).toMatchObject({ status: 409, body: { code: 'DIAL_TEMPLATE_TAKEN' } });
    expect(await create({ country: '+223' })).toMatchObject({ status: 201 });
    expect((await list()).map(({ country }) => country)).toEqual(['+223', '+226']);
    expect(await offered()).toContainEqual({
      country: '+226',
      template: code.template,
      state: 'unverified',
      message: null,
    });
  });

  test('are verified on a day, or broken with a message that payers read; a changed code is to be verified again', async () => {
    const { body } = await create();
    const url = `${templatesUrl()}/${body.id}`;
    const judge = (fields: object) => admin.put(url, { ...code, message: null, ...fields });
    const verified = await judge({ state: 'verified', message: 'ignoré' });
    expect(verified).toMatchObject({
      status: 200,
      body: { state: 'verified', message: null, verifiedAt: expect.any(String) },
    });
    const broken = await judge({ state: 'broken', message: 'En panne ce matin' });
    expect(broken.body).toMatchObject({
      state: 'broken',
      message: 'En panne ce matin',
      verifiedAt: verified.body.verifiedAt,
    });
    expect(await offered()).toMatchObject([{ state: 'broken', message: 'En panne ce matin' }]);
    const changed = await judge({ state: 'unverified', template: '*144*11*{marchand}*{montant}#' });
    expect(changed.body).toMatchObject({ state: 'unverified', message: null, verifiedAt: null });
    const { rows } = await api.pool.query(
      "select details from audit_log where action like 'PUT %dial-templates%' order by id desc limit 1",
    );
    expect(rows[0].details.before).toMatchObject({ ...code, state: 'broken' });
  });

  test('are not overwritten unseen, and those that are not there are not found', async () => {
    const { body } = await create();
    const url = `${templatesUrl()}/${body.id}`;
    const change = { ...code, state: 'verified', message: null };
    expect(await admin.put(url, { ...change, expectedUpdatedAt: body.updatedAt })).toMatchObject({ status: 200 });
    expect(await admin.put(url, { ...change, expectedUpdatedAt: body.updatedAt })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE' },
    });
    const other = (await buildPaymentType(api.db, 'Moov Money')).id;
    for (const answer of [
      await admin.put(`${templatesUrl(other)}/${body.id}`, change),
      await admin.delete(`${templatesUrl(other)}/${body.id}`),
      await admin.delete(`${templatesUrl()}/2147483647`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'DIAL_TEMPLATE_NOT_FOUND' } });
    for (const answer of [
      await admin.get(templatesUrl(2147483647)),
      await admin.post(templatesUrl(2147483647), { country: '+226', ...code }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_TYPE_NOT_FOUND' } });
    expect(await admin.delete(url)).toMatchObject({ status: 200, body: { id: body.id } });
    expect(await list()).toEqual([]);
  });
});
