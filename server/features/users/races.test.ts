import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildPaymentType,
  buildTicket,
  buildUser,
  knownPassword,
} from '#server/testing/builders.ts';
import { ticketRequest } from '#server/testing/requests.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp();
});
afterAll(() => it.close());

const rounds = Array.from({ length: 8 }, (_, index) => index);

test('a sign-in with the old password does not outlive the reset it ran beside', async () => {
  const admin = await buildAdmin(it);
  for (const round of rounds) {
    const user = await buildUser(it.db);
    const callers = Array.from({ length: 5 }, () => it.client());
    const credentials = { phoneOrEmail: user.phone, password: knownPassword };
    const [reset, ...signIns] = await Promise.all([
      admin.client.patch(`/api/admin/users/${user.id}/reset-password`, { password: `nouveau-${round}` }),
      ...callers.map((caller) => caller.post('/api/auth/signin', credentials)),
    ]);
    expect(reset.status).toBe(200);
    for (const answer of signIns) expect([200, 401]).toContain(answer.status);
    const states = await Promise.all(callers.map(async (caller) => (await caller.get('/api/auth/me')).status));
    expect(states).toEqual(callers.map(() => 401));
  }
});

test('deciding on a ticket while its user is deleted never blocks either, and loses nothing', async () => {
  const [one, other] = [await buildAdmin(it), await buildAdmin(it)];
  for (const _ of rounds) {
    const user = await buildUser(it.db);
    const ticket = await buildTicket(it.db, user.id);
    const [decided, deleted] = await Promise.all([
      one.client.patch(`/api/tickets/${ticket.id}/status`, { status: 'approved' }),
      other.client.delete(`/api/admin/users/${user.id}`),
    ]);
    expect([decided.status, deleted.status]).toEqual([200, 200]);
    const { rows } = await it.pool.query('select status, user_id from tickets where id = $1', [ticket.id]);
    expect(rows).toEqual([{ status: 'approved', user_id: null }]);
  }
});

test('filing a ticket, or signing in, while the account is deleted is done or refused, and never fails', async () => {
  const admin = await buildAdmin(it);
  const path = await buildFinalService(it.db);
  const { name } = await buildPaymentType(it.db);
  for (const _ of rounds) {
    const { user, client } = await buildCaller(it);
    const request = ticketRequest(path, { paymentTypeName: name });
    const [filed, signedIn, deleted] = await Promise.all([
      client.post('/api/tickets', request),
      it.client().post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword }),
      admin.client.delete(`/api/admin/users/${user.id}`),
    ]);
    expect([201, 401]).toContain(filed.status);
    expect([200, 401]).toContain(signedIn.status);
    expect(deleted.status).toBe(200);
  }
});
