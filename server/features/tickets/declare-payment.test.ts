import { beforeEach, describe, expect, test } from 'vitest';
import { paymentReferenceLength, referencesReplacedAtMost } from '#contract/tickets.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildTicket, nextNumber } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { listTicketEvents } from './store.ts';

let owner: Awaited<ReturnType<typeof buildCaller>>;
let ticketId: number;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  owner = await buildCaller(api);
  ticketId = (await buildTicket(api.db, owner.user.id)).id;
});

const declare = (reference?: unknown, id = ticketId, client = owner.client) =>
  client.post(`/api/tickets/${id}/payment-declaration`, reference === undefined ? {} : { reference });
const decide = (status: string) => admin.patch(`/api/tickets/${ticketId}/status`, { status });
const stored = async () => (await api.pool.query('select * from tickets where id = $1', [ticketId])).rows[0];
/** One that no other ticket has. */
const newReference = () => `PP240512.1234.A${String(nextNumber()).padStart(5, '0')}`;

describe('a payment declared', () => {
  test('is on the ticket, which stays pending, and tells nobody', async () => {
    const reference = newReference();
    const answer = await declare(reference);
    expect(answer).toMatchObject({
      status: 200,
      body: { id: ticketId, status: 'pending', paymentReference: reference, paymentDeclaredAt: expect.any(String) },
    });
    const mine = await owner.client.get(`/api/tickets/user/${owner.user.id}`);
    expect(mine.body).toEqual([answer.body]);
    const seen = await admin.get(`/api/admin/tickets/${ticketId}`);
    expect(seen.body).toMatchObject({ status: 'pending', paymentReference: reference, paymentReferenceUses: 0 });
    expect(await countRows(api, 'notifications', `related_ticket_id = ${ticketId}`)).toBe(0);
    expect((await listTicketEvents(api.db, ticketId)).map(({ event }) => event.status)).toEqual(['pending']);
    const { rows } = await api.pool.query("select 1 from audit_log where action like '%payment-declaration'");
    expect(rows).toEqual([]);
  });

  test.each([
    ['  pp240512.1234.a12345 ', 'PP240512.1234.A12345'],
    ['ci 2405 12/77-b', 'CI240512/77-B'],
    ['\u202aＰＰ２６．7\u202c', 'PP26.7'],
    ['x'.repeat(paymentReferenceLength), 'X'.repeat(paymentReferenceLength)],
  ])('under the reference %j is kept as %j', async (typed, kept) => {
    expect(await declare(typed)).toMatchObject({ status: 200, body: { paymentReference: kept } });
    expect(await stored()).toMatchObject({ payment_reference: kept });
  });

  test('again changes nothing, however it is typed, and neither does leaving the reference out', async () => {
    const reference = newReference();
    const first = await declare(reference);
    const before = await stored();
    for (const repeated of [reference, ` ${reference.toLowerCase()} `, undefined, null, '']) {
      expect(await declare(repeated)).toMatchObject({ status: 200, body: first.body });
      expect(await stored()).toEqual(before);
    }
  });

  test('a few times, each kept for administrators; then what stands may be repeated and not replaced', async () => {
    const references = Array.from({ length: referencesReplacedAtMost + 1 }, newReference);
    for (const reference of references)
      expect(await declare(reference)).toMatchObject({ status: 200, body: { paymentReference: reference } });
    const { body: seen } = await admin.get(`/api/admin/tickets/${ticketId}`);
    expect(seen).toMatchObject({
      paymentReference: references.at(-1),
      earlierReferences: references.slice(0, -1),
    });
    const before = await stored();
    expect(await declare(newReference())).toMatchObject({ status: 409, body: { code: 'REFERENCE_SETTLED' } });
    expect(await declare(references.at(-1))).toMatchObject({ status: 200 });
    expect(await stored()).toEqual(before);
  });

  test('20 times at once under different references is no more often than one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => declare(newReference())));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([
      ...Array(referencesReplacedAtMost + 1).fill(200),
      ...Array(20 - referencesReplacedAtMost - 1).fill(409),
    ]);
    expect((await stored()).earlier_references).toHaveLength(referencesReplacedAtMost);
  });

  test('with other marks is the same one: it stands as it was typed first, and counts as used beside others', async () => {
    const reference = newReference();
    const marked = reference.replaceAll('.', '-');
    const { body: first } = await declare(reference);
    const before = await stored();
    expect(await declare(marked)).toMatchObject({ status: 200, body: first });
    expect(await stored()).toEqual(before);
    const other = await buildTicket(api.db, owner.user.id);
    await declare(`${marked.slice(0, 4)}/${marked.slice(4)}`, other.id);
    for (const id of [ticketId, other.id])
      expect((await admin.get(`/api/admin/tickets/${id}`)).body).toMatchObject({ paymentReferenceUses: 1 });
  });

  test.each(['A1é', 'PP240512;1234', '<b>1</b>', 'a\0b', '=1+1', '---', 'x'.repeat(paymentReferenceLength + 1), 12])(
    'under %j, which is no reference, is refused',
    async (reference) => {
      const answer = await declare(reference);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
      expect(answer.body.issues[0].path).toBe('reference');
      expect(await stored()).toMatchObject({ payment_reference: null, payment_declared_at: null });
    },
  );
});

test('once it is decided, a declaration whose answer was lost may be repeated; another one may not be made', async () => {
  const reference = newReference();
  await declare(reference);
  await decide('approved');
  for (const repeated of [reference, undefined])
    expect(await declare(repeated)).toMatchObject({
      status: 200,
      body: { status: 'approved', paymentReference: reference },
    });
  expect(await declare(newReference())).toMatchObject({ status: 409, body: { code: 'TICKET_DECIDED' } });
  expect(await stored()).toMatchObject({ payment_reference: reference });
});

describe('a reference that other tickets have', () => {
  const usesOf = async (id: number) => (await admin.get(`/api/admin/tickets/${id}`)).body.paymentReferenceUses;

  test('is counted for administrators alone, in the list, in the ticket and in the answer to a decision', async () => {
    const reference = newReference();
    const { user, client } = await buildCaller(api);
    const others = [await buildTicket(api.db, user.id), await buildTicket(api.db, user.id)];
    for (const { id } of others) await declare(reference.toLowerCase(), id, client);
    const answer = await declare(reference);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).not.toHaveProperty('paymentReferenceUses');

    const none = await buildTicket(api.db, owner.user.id);
    const list = await admin.get('/api/admin/tickets?limit=4');
    const ids = [none.id, ...others.map(({ id }) => id).toReversed(), ticketId];
    expect(
      list.body.map((each: { id: number; paymentReferenceUses: number }) => [each.id, each.paymentReferenceUses]),
    ).toEqual([
      [ids[0], 0],
      [ids[1], 2],
      [ids[2], 2],
      [ids[3], 2],
    ]);
    expect(await usesOf(ticketId)).toBe(2);
    expect(await decide('rejected')).toMatchObject({ body: { paymentReferenceUses: 2 } });
    expect(await usesOf(others[0]?.id ?? 0)).toBe(2);
    await declare(newReference(), others[0]?.id, client);
    expect(await usesOf(others[0]?.id ?? 0)).toBe(0);
    expect(await usesOf(ticketId)).toBe(1);
  });
});

describe("one's own ticket", () => {
  const read = (client: TestClient, id: number | string = ticketId) => client.get(`/api/tickets/${id}`);

  test('has its history without names, and the declaration', async () => {
    const reference = newReference();
    await declare(reference);
    await admin.patch(`/api/tickets/${ticketId}/status`, { status: 'rejected', reason: 'Montant différent.' });
    const { status, body } = await read(owner.client);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ticketId,
      status: 'rejected',
      rejectReason: 'Montant différent.',
      paymentReference: reference,
      paymentDeclaredAt: expect.any(String),
      events: [
        { status: 'pending', reason: null },
        { status: 'rejected', reason: 'Montant différent.' },
      ],
    });
    for (const event of body.events)
      expect(Object.keys(event).toSorted()).toEqual(['createdAt', 'id', 'reason', 'status']);
    expect(JSON.stringify(body)).not.toMatch(/actor|Fatou|paymentReferenceUses/);
  });
});
