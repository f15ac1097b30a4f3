import { expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
const userId = (await buildUser(api.db)).id;

const decide = (body: object) => admin.post('/api/admin/ticket-decisions', body);

test('each ticket is decided by itself, and says what became of it', async () => {
  const waiting = await buildTicket(api.db, userId);
  const done = await buildTicket(api.db, userId, { status: 'rejected' });
  const taken = await buildTicket(api.db, userId, { status: 'approved' });
  const answer = await decide({
    status: 'rejected',
    reason: 'Paiement introuvable.',
    tickets: [
      { id: taken.id, expectedStatus: 'pending' },
      { id: waiting.id, expectedStatus: 'pending' },
      { id: 2_000_000_000 },
      { id: done.id },
    ],
  });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      results: [
        { id: taken.id, outcome: 'refused', message: 'Un autre administrateur vient de modifier ce ticket.' },
        { id: waiting.id, outcome: 'changed' },
        { id: 2_000_000_000, outcome: 'refused', message: 'Ticket introuvable.' },
        { id: done.id, outcome: 'unchanged' },
      ],
    },
  });
  const ids = [waiting.id, done.id, taken.id];
  const { rows } = await api.pool.query(
    'select id, status, reject_reason as reason from tickets where id = any($1) order by id',
    [ids],
  );
  expect(rows).toEqual([
    { id: waiting.id, status: 'rejected', reason: 'Paiement introuvable.' },
    { id: done.id, status: 'rejected', reason: null },
    { id: taken.id, status: 'approved', reason: null },
  ]);
  expect(await countRows(api, 'notifications', `related_ticket_id in (${ids})`)).toBe(1);
  // A row in the log for each change, as if they had been decided one by one.
  const { rows: log } = await api.pool.query(
    "select target, details from audit_log where action like '%decisions' and target = any($1)",
    [ids.map(String)],
  );
  const details = { status: 'rejected', reason: 'Paiement introuvable.', before: { status: 'pending' } };
  expect(log).toEqual([{ target: String(waiting.id), details }]);
});

test('a ticket is read with its history: who did what, when, and why', async () => {
  const { id } = await buildTicket(api.db, userId);
  await admin.patch(`/api/tickets/${id}/status`, { status: 'rejected', reason: 'Montant différent.' });
  await admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
  const { body } = await admin.get(`/api/admin/tickets/${id}`);
  expect(body).toMatchObject({
    id,
    status: 'approved',
    user: { id: userId },
    events: [
      { status: 'pending', actor: { id: userId }, reason: null },
      { status: 'rejected', actor: { firstName: 'Fatou' }, reason: 'Montant différent.' },
      { status: 'approved', actor: { firstName: 'Fatou' }, reason: null },
    ],
  });
  expect(await admin.get('/api/admin/tickets/2000000000')).toMatchObject({
    status: 404,
    body: { code: 'TICKET_NOT_FOUND' },
  });
});
