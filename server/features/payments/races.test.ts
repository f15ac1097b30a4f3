import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildPaymentLine, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admins: TestClient[];
beforeAll(async () => {
  api = await startTestApi();
  admins = [(await buildAdmin(api)).client, (await buildAdmin(api)).client];
});
afterAll(() => api.close());

/** How an administrator pairs a line with a ticket; answers what became of it. */
const ways = {
  async approval(client: TestClient, lineId: number, ticketId: number) {
    const { status, body } = await client.post('/api/admin/payments/approvals', { pairs: [{ lineId, ticketId }] });
    const [{ outcome, code }] = status === 200 ? body.results : [{ code: body.code }];
    return outcome === 'approved' ? 'paired' : code;
  },
  async match(client: TestClient, lineId: number, ticketId: number) {
    const { status, body } = await client.post(`/api/admin/payments/lines/${lineId}/match`, { ticketId });
    return status === 200 ? 'paired' : body.code;
  },
};
type Way = keyof typeof ways;

test.each<[one: Way, other: Way]>([
  ['approval', 'approval'],
  ['match', 'match'],
  ['approval', 'match'],
])('of two payments for one ticket, by %s and by %s at once, one pays it and the other is told so', async (...both) => {
  const { id: userId } = await buildUser(api.db);
  for (let turn = 0; turn < 10; turn += 1) {
    const { id: ticketId } = await buildTicket(api.db, userId);
    const lines = [await buildPaymentLine(api.db), await buildPaymentLine(api.db)];
    const outcomes = await Promise.all(
      both.map((way, index) => ways[way](admins[index] as TestClient, lines[index]?.id ?? 0, ticketId)),
    );
    expect(outcomes.toSorted()).toEqual(['PAYMENT_TAKEN', 'paired']);
    expect(await countRows(api, 'payment_matches', `ticket_id = ${ticketId}`)).toBe(1);
  }
});

test('of an approval and a decision at once, no ticket is decided twice, and a payment that lost stays free', async () => {
  const { id: userId } = await buildUser(api.db);
  for (let turn = 0; turn < 10; turn += 1) {
    const { id: ticketId } = await buildTicket(api.db, userId);
    const { id: lineId } = await buildPaymentLine(api.db);
    const [outcome, decision] = await Promise.all([
      ways.approval(admins[0] as TestClient, lineId, ticketId),
      admins[1]?.patch(`/api/tickets/${ticketId}/status`, {
        status: 'rejected',
        reason: 'Faux',
        expectedStatus: 'pending',
      }),
    ]);
    const isPaid = outcome === 'paired';
    expect([outcome, decision?.status]).toEqual(isPaid ? ['paired', 409] : ['STATUS_CHANGED', 200]);
    expect(await countRows(api, 'payment_matches', `line_id = ${lineId}`)).toBe(isPaid ? 1 : 0);
    expect(await countRows(api, 'ticket_events', `ticket_id = ${ticketId}`)).toBe(2);
  }
});
