import { expect, test } from 'vitest';
import type { AuditEntry } from '#contract/audit.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { signUpBody, takeResetToken } from '#server/testing/auth-steps.ts';
import { buildAdmin, buildCaller, buildTicket, buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { auditLimits } from './limits.ts';

const api = await startTestApi();
const { client: reader } = await buildAdmin(api);

const list = async (query = '') => (await reader.get(`/api/admin/audit?${query}`)).body as AuditEntry[];

test('an entry says who did what on what, in French, with the fields that changed', async () => {
  const { client, user: admin } = await buildAdmin(api);
  const { id } = await buildTicket(api.db, (await buildUser(api.db)).id);
  const rejection = { status: 'rejected', reason: '👍'.repeat(200) };
  await client.patch(`/api/tickets/${id}/status`, rejection);
  expect(await list(`actorId=${admin.id}`)).toEqual([
    {
      id: expect.any(Number),
      actor: { id: admin.id, name: 'Fatou Ouédraogo' },
      title: 'Ticket décidé',
      action: 'PATCH /api/tickets/:id/status',
      object: 'ticket',
      target: String(id),
      details: { ...rejection, before: { status: 'pending' } },
      ip: '127.0.0.1',
      createdAt: expect.stringMatching(/^2\d{3}-.*Z$/),
    },
  ]);
});

test('the log is filtered by person and by object, and read page by page', async () => {
  const { client, user: admin } = await buildAdmin(api);
  const { id } = await buildUser(api.db);
  for (const action of ['deactivate', 'activate']) await client.patch(`/api/admin/users/${id}/${action}`);
  const { client: other } = await buildAdmin(api);
  await other.patch(`/api/admin/users/${id}/deactivate`);
  // A ticket of the same number is another object.
  await api.pool.query("insert into audit_log (action, target, ip) values ('PATCH /api/tickets/:id/status', $1, 'x')", [
    id,
  ]);

  const titles = async (query: string) => (await list(query)).map(({ title }) => title);
  expect(await titles(`actorId=${admin.id}`)).toEqual(['Utilisateur réactivé', 'Utilisateur désactivé']);
  const about = ['Utilisateur désactivé', 'Utilisateur réactivé', 'Utilisateur désactivé'];
  expect(await titles(`object=user&target=${id}`)).toEqual(about);
  expect(await titles(`object=user&target=${id}&actorId=${admin.id}`)).toEqual(about.slice(1));
  expect(await titles(`object=ticket&target=${id}`)).toEqual(['Ticket décidé']);
  expect(await titles('actorId=2147483647')).toEqual([]);

  const [newest] = await list(`object=user&target=${id}&limit=1`);
  expect(await titles(`object=user&target=${id}&before=${newest?.id}`)).toEqual(about.slice(1));
  const { headers } = await reader.get(`/api/admin/audit?limit=1&object=user&target=${id}`);
  expect(headers['x-total-count']).toBe('3');
  for (const query of ['object=personne', 'target=abc', 'actorId=0', 'limit=1001'])
    expect((await reader.get(`/api/admin/audit?${query}`)).status, query).toBe(400);
});

test("an administrator's sign-ins, sign-outs and exports are in the log as soon as they are answered", async () => {
  const { client, user } = await buildAdmin(api);
  await buildTicket(api.db, user.id);
  const signIn = api.client();
  await signIn.post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
  await client.get('/api/admin/ticket-export?timeZone=Africa/Lome');
  await client.post('/api/auth/signout');
  expect((await list(`actorId=${user.id}`)).map(({ title }) => title)).toEqual([
    'Déconnexion',
    'Tickets exportés',
    'Connexion',
  ]);
});

test('what is refused, what is only read and the ways of others are not', async () => {
  const { client, user } = await buildCaller(api);
  const { client: admin, user: administrator } = await buildAdmin(api);
  await client.get('/api/admin/users');
  await api.client().post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
  await api.client().post('/api/auth/signin', { phoneOrEmail: administrator.phone, password: 'faux-mot' });
  await admin.get(`/api/tickets/user/${user.id}`);
  await admin.patch('/api/admin/users/2147483647/deactivate');
  for (const { id } of [user, administrator]) expect(await list(`actorId=${id}`)).toEqual([]);
});

test("a person's own change is, also after they are deleted, and without their password, code or number", async () => {
  const phone = nextPhone();
  const client = api.client();
  await client.post('/api/auth/signup', signUpBody(phone, { password: 'mot-secret', confirmPassword: 'mot-secret' }));
  const { body } = await client.post('/api/auth/verify-otp', { phone, code: await api.readCode(phone) });
  const passwords = { currentPassword: 'mot-secret', newPassword: 'mot-neuf-1', confirmPassword: 'mot-neuf-1' };
  await client.post('/api/auth/change-password', passwords);
  const { client: other, token } = await takeResetToken(api, phone);
  await other.post('/api/auth/reset-password', { newPassword: 'mot-secret', confirmPassword: 'mot-secret', token });
  await reader.delete(`/api/admin/users/${body.user.id}`);
  expect(await list(`actorId=${body.user.id}`)).toMatchObject([
    { title: 'Mot de passe changé', actor: { id: body.user.id, name: '' }, details: {} },
  ]);
  const { rows } = await api.pool.query(
    'select string_agg(row_to_json(audit_log)::text, chr(10)) as text from audit_log',
  );
  for (const secret of ['mot-', 'argon2', phone.slice(4), token]) expect(rows[0].text).not.toContain(secret);
});

test('the log only grows, until the clean-up deletes what is two years old', async () => {
  for (const query of ["update audit_log set ip = 'x' where false", 'delete from audit_log', 'truncate audit_log'])
    await expect(api.pool.query(query)).rejects.toThrow('audit_log is append-only');
  await api.pool.query(
    `insert into audit_log (action, ip, created_at)
     select 'old', 'x', now() - make_interval(days => $1::int, mins => n) from generate_series(-1, 1) n`,
    [auditLimits.keptDays],
  );
  await cleanUp(api);
  await expect(api.pool.query('delete from audit_log')).rejects.toThrow('audit_log is append-only');
  const { rows } = await api.pool.query("select count(*)::int as n from audit_log where action = 'old'");
  expect(rows).toEqual([{ n: 1 }]);
  expect((await list('limit=1000')).find(({ action }) => action === 'old')?.title).toBe('Ancienne action');
});

test('what is read and audited has an entry each time, also by who has the same answer already', async () => {
  const { client, user: admin } = await buildAdmin(api);
  for (const status of [200, 200]) expect((await client.get('/api/admin/payments/messages')).status).toBe(status);
  // Written once it is answered.
  const entry = { title: 'Messages non lus consultés' };
  await expect.poll(() => list(`actorId=${admin.id}`)).toMatchObject([entry, entry]);
});
