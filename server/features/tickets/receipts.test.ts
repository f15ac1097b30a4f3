import { beforeEach, describe, expect, test } from 'vitest';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on' });
const { client: admin } = await buildAdmin(api);
const owner = await buildCaller(api);
beforeEach(() => api.pool.query('delete from rate_limits'));

const verify = (code: string) => api.client().get(`/api/receipts/${encodeURIComponent(code)}`);
const notFound = { status: 404, body: { code: 'RECEIPT_NOT_FOUND', message: 'Reçu introuvable.' } };

const steps = [
  { id: 1, name: 'Télécom et mobile', price: null, level: 1 },
  { id: 2, name: 'Forfait internet 7 jours', price: '1 000 FCFA', level: 2 },
];
async function buildReceipt(fields: Parameters<typeof buildTicket>[2] = {}) {
  const ticket = await buildTicket(api.db, owner.user.id, { status: 'approved', servicePath: steps, ...fields });
  const { body } = await owner.client.get(`/api/tickets/${ticket.id}/receipt`);
  return { ticket, code: body.code as string };
}

test("the code of one's own approved ticket shows anyone what was ordered, and nothing of its person", async () => {
  const { ticket, code } = await buildReceipt();
  expect(code).toMatch(new RegExp(`^${ticket.id}-[0-9A-HJKMNP-TV-Z]{12}$`));
  const answer = await verify(code);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ticketId: ticket.id,
    serviceName: 'Forfait internet 7 jours',
    createdAt: ticket.createdAt.toISOString(),
    paymentTypeName: 'Orange Money',
    totalPrice: '1100',
    isFree: false,
    status: 'approved',
    beneficiary: '+226 XX XX XX 56',
  });
  expect((await owner.client.get(`/api/tickets/${ticket.id}/receipt`)).body).toEqual({ code });
});

test('a code is read in either case, O as 0, I and L as 1, with space around it', async () => {
  for (let tries = 0; tries < 12; tries += 1) {
    const { ticket, code } = await buildReceipt();
    const mistyped = code.replaceAll('0', tries % 2 ? 'o' : 'O').replaceAll('1', ['I', 'l', 'L'][tries % 3] ?? 'i');
    for (const typed of [` ${mistyped.toLowerCase()} `, mistyped])
      expect((await verify(typed)).body).toMatchObject({ ticketId: ticket.id });
  }
});

test.each([
  [{ totalPrice: '0', amount: 0, commission: 0 }, false],
  [
    { totalPrice: '0', amount: 0, commission: 0, servicePath: [{ id: 1, name: 'Don', price: '0 FCFA', level: 1 }] },
    true,
  ],
])('of a total of 0 it says whether that is the price: %j', async (fields, isFree) => {
  const { code } = await buildReceipt({ servicePath: [{ id: 1, name: 'Don', price: null, level: 1 }], ...fields });
  expect((await verify(code)).body).toMatchObject({ totalPrice: '0', isFree });
});

describe('no code is given', () => {
  const ask = (client: TestClient, id: number | string) => client.get(`/api/tickets/${id}/receipt`);

  test("of another's ticket, for administrators neither, nor of one that is none", async () => {
    const { ticket } = await buildReceipt();
    const ticketNotFound = { status: 404, body: { code: 'TICKET_NOT_FOUND' } };
    const { client: other } = await buildCaller(api);
    for (const client of [other, admin]) expect(await ask(client, ticket.id)).toMatchObject(ticketNotFound);
    expect(await ask(owner.client, 2_147_483_647)).toMatchObject(ticketNotFound);
    for (const id of ['2147483648', '0', '-1', '1e3', "1'--", '99999999999999999999'])
      expect(await ask(owner.client, encodeURIComponent(id))).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect((await ask(api.client(), ticket.id)).status).toBe(401);
  });

  test.each(['pending', 'rejected'] as const)('of a %s ticket', async (status) => {
    const ticket = await buildTicket(api.db, owner.user.id, { status });
    expect(await ask(owner.client, ticket.id)).toMatchObject({ status: 409, body: { code: 'TICKET_NOT_APPROVED' } });
  });
});

describe('the status is as it is now', () => {
  test('of a ticket that is no longer approved, and approved again; one that waits has none', async () => {
    const { ticket, code } = await buildReceipt();
    for (const status of ['rejected', 'approved']) {
      await admin.patch(`/api/tickets/${ticket.id}/status`, { status });
      expect((await verify(code)).body).toMatchObject({ ticketId: ticket.id, status });
    }
    await api.pool.query("update tickets set status = 'pending' where id = $1", [ticket.id]);
    await expect.poll(() => verify(code)).toMatchObject(notFound);
  });

  test("of a person who is deleted the ticket remains, and so does its receipt; a deleted ticket's is gone", async () => {
    const { user, client } = await buildCaller(api);
    const { id } = await buildTicket(api.db, user.id, { status: 'approved' });
    const { code } = (await client.get(`/api/tickets/${id}/receipt`)).body;
    await admin.delete(`/api/admin/users/${user.id}`);
    expect(await verify(code)).toMatchObject({ status: 200, body: { ticketId: id } });
    await api.pool.query('delete from tickets where id = $1', [id]);
    await expect.poll(() => verify(code)).toMatchObject(notFound);
  });
});

describe('a wrong code is not found', () => {
  test('with any of its characters changed, of another ticket, of one filed at another time', async () => {
    const { ticket, code } = await buildReceipt();
    const [number = '', seal = ''] = code.split('-');
    for (const place of seal.split('').keys())
      expect(
        await verify(`${number}-${seal.slice(0, place)}${seal[place] === '7' ? '8' : '7'}${seal.slice(place + 1)}`),
      ).toMatchObject(notFound);
    const { ticket: other } = await buildReceipt();
    expect(await verify(`${other.id}-${seal}`)).toMatchObject(notFound);
    await api.pool.query("update tickets set created_at = created_at + interval '1 ms' where id = $1", [ticket.id]);
    await expect.poll(() => verify(code)).toMatchObject(notFound);
  });

  test.each([
    '1',
    '1-',
    '-0123456789AB',
    '1-0123456789ABC',
    '0-0123456789AB',
    '2147483648-0123456789AB',
    '99999999999999999999-0123456789AB',
    '1-UUUUUUUUUUUU',
    "1' or '1'='1",
    '%00',
    '../tickets/1',
  ])('%j', async (code) => {
    expect(await api.client().get(`/api/receipts/${encodeURIComponent(code.toWellFormed())}`)).toMatchObject(notFound);
  });
});

test('guesses are limited by address; right codes count as well', async () => {
  const { code } = await buildReceipt();
  expect((await verify('1-0123456789AB')).status).toBe(404);
  const { rowCount } = await api.pool.query("update rate_limits set points = 600 where key like 'receiptsPerAddress%'");
  expect(rowCount).toBe(1);
  for (const each of ['1-0123456789AB', code, 'x']) {
    const refused = await verify(each);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  }
});
