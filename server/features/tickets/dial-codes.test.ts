import { beforeEach, describe, expect, test } from 'vitest';
import type { DialTemplate } from '#contract/dial-codes.ts';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildDialTemplate,
  buildFinalService,
  buildMerchantNumber,
  buildPaymentType,
  buildTicket,
  signInAs,
} from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

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
const list = async () => (await admin.get(templatesUrl())).body as DialTemplate[];

describe('the code of a ticket (P8.10)', () => {
  const file = async (fields: Parameters<typeof buildFinalService>[1], paymentTypeName = 'Orange Money') => {
    const { client } = await buildCaller(api);
    const answer = await client.post(
      '/api/tickets',
      orderBody(await buildFinalService(api.db, fields), { paymentTypeName }),
    );
    expect(answer.status).toBe(201);
    return answer.body as { dialCode: string | null; dialOperator: string | null };
  };

  beforeEach(async () => {
    await buildDialTemplate(api.db, typeId);
    await buildMerchantNumber(api.db, typeId);
    const { id } = await buildPaymentType(api.db, 'Moov Money');
    await api.pool.query("update payment_types set operator = 'Moov' where id = $1", [id]);
    await buildDialTemplate(api.db, id, { template: '*555*4*1*{marchand}*{montant}#' });
    await buildMerchantNumber(api.db, id, { number: '7654321' });
    await buildPaymentType(api.db, 'Wave');
  });

  test("is the service's own by its wallet, else that of the chosen one, and names its SIM", async () => {
    const service = { phoneNumber: '*144*2*XX#' };
    expect(await file(service)).toMatchObject({ dialCode: '*144*2*1100#', dialOperator: 'Orange' });
    expect(await file(service, 'Moov Money')).toMatchObject({
      dialCode: '*555*4*1*7654321*1100#',
      dialOperator: 'Moov',
    });
    expect(await file(service, 'Wave')).toMatchObject({ dialCode: null, dialOperator: null });
    expect(await file({ phoneNumber: null })).toMatchObject({
      dialCode: '*144*10*1234567*1100#',
      dialOperator: 'Orange',
    });
    expect(await file({ phoneNumber: null }, 'Wave')).toMatchObject({ dialCode: null, dialOperator: null });
  });

  test("of a service has the merchant number of the chosen type in the payer's country, else the example's", async () => {
    const service = { phoneNumber: '*144*2*{marchand}*XX#' };
    expect(await file(service)).toMatchObject({ dialCode: '*144*2*1234567*1100#' });
    await api.pool.query("update merchant_numbers set country = '+223'");
    expect(await file(service)).toMatchObject({ dialCode: '*144*2*00000000*1100#' });
    expect(await file(service, 'Moov Money')).toMatchObject({ dialCode: '*555*4*1*00000000*1100#' });
  });

  test('is no broken template, nor that of another country or of another wallet, offered or not', async () => {
    await api.pool.query("update dial_templates set state = 'broken' where template like '*555%'");
    expect(await file({ phoneNumber: null }, 'Moov Money')).toMatchObject({ dialCode: null });
    await api.pool.query("update dial_templates set state = 'verified', country = '+223' where template like '*555%'");
    expect(await file({ phoneNumber: null }, 'Moov Money')).toMatchObject({ dialCode: null });
    await api.pool.query("update payment_types set is_active = false where name = 'Orange Money'");
    expect(await file({ phoneNumber: '*144*2*XX#' }, 'Wave')).toMatchObject({ dialCode: null });
    expect(await file({ phoneNumber: '*999*XX#' }, 'Wave')).toMatchObject({
      dialCode: '*999*1100#',
      dialOperator: null,
    });
  });

  test("is none by a type that is not for the payer's country, whatever the service or the type has", async () => {
    const setCountries = (list: string) =>
      api.pool.query('update payment_types set countries = $1 where id = $2', [list, typeId]);
    await setCountries('{+221}');
    for (const phoneNumber of ['*144*2*XX#', '70 12 34 56', null])
      expect(await file({ phoneNumber })).toMatchObject({ dialCode: null, dialOperator: null });
    await setCountries('{+221,+226}');
    expect(await file({ phoneNumber: null })).toMatchObject({ dialCode: '*144*10*1234567*1100#' });
  });
});

describe('a code that pays nobody (P8.13)', () => {
  const order = async (client: TestClient, fields: Parameters<typeof buildFinalService>[1], more: object = {}) =>
    client.post('/api/tickets', orderBody(await buildFinalService(api.db, fields), more));

  test('is given where the shop has no address, and filed nowhere else', async () => {
    await buildDialTemplate(api.db, typeId);
    const shop = await startTestApi({
      publicUrl: 'http://guichet.example',
      on: { database: String(api.config.database) },
    });
    const { user, client: here } = await buildCaller(api);
    const there = await signInAs(shop, user);
    const flags = async (client: TestClient) => (await client.get('/api/payment-types')).body[0].refusesExamples;
    expect([await flags(here), await flags(there)]).toEqual([false, true]);
    const examples = [null, '*144*2*{marchand}*XX#', '*144*2*00000000*XX#'];
    for (const phoneNumber of examples) {
      expect(await order(here, { phoneNumber })).toMatchObject({
        status: 201,
        body: { dialCode: expect.stringContaining('*00000000*') },
      });
      expect(await order(there, { phoneNumber })).toMatchObject({
        status: 422,
        body: { code: 'NOT_PAYABLE', message: 'Ce service ne peut pas encore être payé ici.' },
      });
    }
    expect(await countRows(api, 'tickets', `user_id = ${user.id}`)).toBe(examples.length);
    await buildMerchantNumber(api.db, typeId);
    expect(await order(there, { phoneNumber: null })).toMatchObject({
      status: 201,
      body: { dialCode: '*144*10*1234567*1100#' },
    });
  });

  test('is none where there is nothing to pay, and no reason to refuse', async () => {
    const shop = await startTestApi({
      publicUrl: 'http://guichet.example',
      on: { database: String(api.config.database) },
    });
    const client = await signInAs(shop, (await buildCaller(api)).user);
    const free = { price: 'Gratuit', commissionValue: 0, phoneNumber: '*144*00000000*1#' };
    expect(await order(client, free, { totalPrice: 0 })).toMatchObject({ status: 201, body: { dialCode: null } });
  });
});

describe('a code that does not work (P9.12)', () => {
  const reportBy = async (fields: Parameters<typeof buildTicket>[2]) => {
    const { user, client } = await buildCaller(api);
    const { id } = await buildTicket(api.db, user.id, { dialCode: '*144*1#', ...fields });
    return client.post(`/api/tickets/${id}/code-report`, { reason: 'invalid-code' });
  };

  test('is reported once a ticket, by its own user, while it waits', async () => {
    const { user, client } = await buildCaller(api);
    const { id } = await buildTicket(api.db, user.id, { dialCode: '*144*1#' });
    const url = `/api/tickets/${id}/code-report`;
    expect(await client.post(url, { reason: 'sans raison' })).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    const first = await client.post(url, { reason: 'no-answer' });
    expect(first).toMatchObject({ status: 200, body: { id, codeReportedAt: expect.any(String) } });
    expect((await client.post(url, { reason: 'other' })).body.codeReportedAt).toBe(first.body.codeReportedAt);
    expect(await countRows(api, 'code_reports', `ticket_id = ${id} and reason = 'no-answer'`)).toBe(1);
    const other = (await buildCaller(api)).client;
    expect(await other.post(url, { reason: 'other' })).toMatchObject({
      status: 404,
      body: { code: 'TICKET_NOT_FOUND' },
    });
    expect(await reportBy({ status: 'approved' })).toMatchObject({ status: 409, body: { code: 'CODE_REPORT_CLOSED' } });
    expect(await reportBy({ dialCode: null })).toMatchObject({ status: 409, body: { code: 'CODE_REPORT_CLOSED' } });
  });

  test("of a template: three people in a day mark it, which an administrator's judgement ends", async () => {
    const { id } = await buildDialTemplate(api.db, typeId);
    const { user, client } = await buildCaller(api);
    // One person, three tickets.
    for (let count = 0; count < 3; count += 1) {
      const ticket = await buildTicket(api.db, user.id, { dialCode: '*144*1#', dialTemplateId: id });
      await client.post(`/api/tickets/${ticket.id}/code-report`, { reason: 'other' });
    }
    expect(await list()).toMatchObject([{ state: 'unverified', reports: 1 }]);
    await reportBy({ dialTemplateId: id });
    await reportBy({ dialTemplateId: id });
    expect(await list()).toMatchObject([{ state: 'reported', reports: 3 }]);
    const [stored] = await list();
    await admin.put(`${templatesUrl()}/${id}`, {
      ...code,
      state: 'verified',
      message: null,
      expectedUpdatedAt: stored?.updatedAt,
    });
    expect(await list()).toMatchObject([{ state: 'verified', reports: 0 }]);
  });

  test("of a template that changed since the filing counts for none, and yesterday's reports count no more", async () => {
    const { id } = await buildDialTemplate(api.db, typeId);
    for (let count = 0; count < 3; count += 1)
      await reportBy({ dialTemplateId: id, createdAt: new Date(Date.now() - 3_600_000) });
    expect(await list()).toMatchObject([{ state: 'unverified', reports: 0 }]);
    await reportBy({ dialTemplateId: id });
    await reportBy({ dialTemplateId: id });
    await api.pool.query("update code_reports set created_at = now() - interval '25 hours'");
    await api.pool.query("update dial_templates set checked_at = now() - interval '26 hours'");
    await reportBy({ dialTemplateId: id });
    expect(await list()).toMatchObject([{ state: 'unverified', reports: 1 }]);
  });
});
