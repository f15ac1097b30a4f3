import { expect, test } from 'vitest';
import { countSessions } from '#server/testing/auth-steps.ts';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildPaymentType,
  buildUser,
  knownPassword,
} from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();

const rounds = Array.from({ length: 4 }, (_, index) => index);

test('a sign-in with the old password does not outlive the reset it ran beside', async () => {
  const admin = await buildAdmin(api);
  for (const round of rounds) {
    const user = await buildUser(api.db);
    const callers = Array.from({ length: 5 }, () => api.client());
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

test('filing a ticket, or signing in, while the account is deleted is done or refused, and never fails', async () => {
  const admin = await buildAdmin(api);
  const path = await buildFinalService(api.db);
  const { name } = await buildPaymentType(api.db);
  for (const _ of rounds) {
    const { user, client } = await buildCaller(api);
    const request = orderBody(path, { paymentTypeName: name });
    const [filed, signedIn] = await Promise.all([
      client.post('/api/tickets', request),
      api.client().post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword }),
      admin.client.delete(`/api/admin/users/${user.id}`),
    ]);
    expect(await countRows(api, 'users', `id = ${user.id}`)).toBe(0);
    expect(await countSessions(api, user.id)).toBe(0);
    const kept = await countRows(api, 'tickets', `id = ${filed.body.id ?? 0} and user_id is null`);
    expect([filed.status, kept]).toEqual(kept ? [201, 1] : [401, 0]);
    expect([200, 401]).toContain(signedIn.status);
  }
});
