import { beforeEach, describe, expect, test } from 'vitest';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildFinalService, buildPaymentType, buildTicket } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { listTicketEvents } from './store.ts';

let owner: Awaited<ReturnType<typeof buildCaller>>;
let ticketId: number;
const api = await startTestApi();
const { client: admin, user: administrator } = await buildAdmin(api);
beforeEach(async () => {
  owner = await buildCaller(api);
  ticketId = (await buildTicket(api.db, owner.user.id)).id;
});

const change = (body: object, client = admin) => client.patch(`/api/tickets/${ticketId}/status`, body);
const notifications = async () =>
  (await api.pool.query('select * from notifications where related_ticket_id = $1 order by id', [ticketId])).rows;
const statuses = async () => (await listTicketEvents(api.db, ticketId)).map(({ event }) => event.status);
const stored = async () => (await api.pool.query('select * from tickets where id = $1', [ticketId])).rows[0];

describe('a decision', () => {
  test('an approval changes the ticket, notes who did it and tells the user', async () => {
    const answer = await change({ status: 'approved' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: ticketId,
        status: 'approved',
        rejectReason: null,
        user: { id: owner.user.id, firstName: 'Awa', phone: owner.user.phone, email: null },
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain('argon2');
    expect(await stored()).toMatchObject({ status: 'approved' });
    expect(await listTicketEvents(api.db, ticketId)).toMatchObject([
      { event: { status: 'pending' }, actor: { id: owner.user.id } },
      { event: { status: 'approved', reason: null }, actor: { id: administrator.id } },
    ]);
    expect(await notifications()).toMatchObject([
      {
        user_id: owner.user.id,
        title: 'Demande approuvée',
        type: 'success',
        is_read: false,
        message: `Votre demande n°\u00a0${ticketId} (Envoi) a été approuvée.`,
      },
    ]);
  });

  test('a rejection shows its reason to the user, in the ticket and in the notification', async () => {
    const reason = 'Numéro <b>inconnu</b>';
    expect(await change({ status: 'rejected', reason: `  ${reason} ` })).toMatchObject({
      status: 200,
      body: { status: 'rejected', rejectReason: reason },
    });
    const mine = await owner.client.get(`/api/tickets/user/${owner.user.id}`);
    expect(mine.body).toMatchObject([{ id: ticketId, status: 'rejected', rejectReason: reason }]);
    expect(await notifications()).toMatchObject([{ title: 'Demande rejetée', type: 'error' }]);
    expect((await notifications())[0].message).toContain(`Motif : ${reason}`);
    expect(await listTicketEvents(api.db, ticketId)).toMatchObject([{}, { event: { status: 'rejected', reason } }]);
  });

  test.each([null, '   '])('a rejection with the reason %j has none', async (reason) => {
    expect(await change({ status: 'rejected', reason })).toMatchObject({ status: 200, body: { rejectReason: null } });
    expect((await notifications())[0].message).not.toContain('Motif');
  });

  test('the same decision again changes nothing and tells nobody', async () => {
    await change({ status: 'rejected', reason: 'Doublon' });
    const before = await stored();
    for (const body of [{ status: 'rejected' }, { status: 'rejected', reason: 'Autre', expectedStatus: 'pending' }])
      expect(await change(body)).toMatchObject({ status: 200, body: { status: 'rejected', rejectReason: 'Doublon' } });
    expect(await stored()).toEqual(before);
    expect(await statuses()).toEqual(['pending', 'rejected']);
    expect(await notifications()).toHaveLength(1);
  });

  test('an administrator who saw an older status is told so, and nothing changes', async () => {
    await change({ status: 'approved', expectedStatus: 'pending' });
    const late = await change({ status: 'rejected', expectedStatus: 'pending' });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'STATUS_CHANGED', message: 'Un autre administrateur vient de modifier ce ticket.' },
    });
    expect(await statuses()).toEqual(['pending', 'approved']);
    expect(await notifications()).toHaveLength(1);
    expect(await change({ status: 'rejected', expectedStatus: 'approved' })).toMatchObject({ status: 200 });
  });

  test('the ticket of a deleted user is decided without a notification', async () => {
    await api.pool.query('delete from users where id = $1', [owner.user.id]);
    expect(await change({ status: 'approved' })).toMatchObject({
      status: 200,
      body: { status: 'approved', userId: null, user: null },
    });
    expect(await statuses()).toEqual(['pending', 'approved']);
    expect(await notifications()).toEqual([]);
  });
});

describe('all or nothing', () => {
  test('when the notification cannot be written, the decision is not made either', async () => {
    await api.pool.query('alter table notifications add constraint none_now check (false) not valid');
    try {
      const answer = await change({ status: 'approved' });
      expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL', message: 'Erreur interne' } });
      expect(answer.body.requestId).toEqual(expect.any(String));
      expect(JSON.stringify(answer.body)).not.toMatch(/none_now|insert|notifications/i);
    } finally {
      await api.pool.query('alter table notifications drop constraint none_now');
    }
    expect(await stored()).toMatchObject({ status: 'pending' });
    expect(await statuses()).toEqual(['pending']);
    expect(await change({ status: 'approved' })).toMatchObject({ status: 200 });
  });

  test('40 decisions of two administrators at once: as many notifications as changes, and the last one stands', async () => {
    const { client: colleague } = await buildAdmin(api);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        change({ status: index % 2 === 0 ? 'approved' : 'rejected' }, index % 4 < 2 ? admin : colleague),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 40 }, () => 200));
    const history = await statuses();
    const changes = history.length - 1;
    expect(changes).toBeGreaterThanOrEqual(2);
    expect(history.filter((status, index) => index > 0 && status === history[index - 1])).toEqual([]);
    const told = await notifications();
    expect(told.length).toBe(changes);
    expect(told.map((row) => (row.type === 'success' ? 'approved' : 'rejected'))).toEqual(history.slice(1));
    expect((await stored()).status).toBe(history.at(-1));
  });

  test('tickets are filed while their service is deleted, without an error, and each keeps its path', async () => {
    await buildPaymentType(api.db);
    for (let round = 0; round < 3; round += 1) {
      const path = await buildFinalService(api.db);
      const [deleted, ...filed] = await Promise.all([
        admin.delete(`/api/admin/services/${path.at(-1)?.id}`),
        ...Array.from({ length: 6 }, (_, index) =>
          owner.client.post('/api/tickets', orderBody(path, { beneficiaryPhoneNumber: `70 00 0${round} 0${index}` })),
        ),
      ]);
      expect(deleted?.status).toBe(200);
      for (const answer of filed) expect([201, 422]).toContain(answer.status);
      const made = filed.filter((answer) => answer.status === 201).map((answer) => answer.body.id as number);
      const { rows } = await api.pool.query(
        'select service_id, service_path from tickets where id = any($1) order by id',
        [made],
      );
      expect(rows.map((row) => [row.service_id, row.service_path.length])).toEqual(made.map(() => [null, 2]));
      expect(await countRows(api, 'services', `id = ${path.at(-1)?.id}`)).toBe(0);
    }
  });
});
