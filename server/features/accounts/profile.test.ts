import { beforeEach, describe, expect, test } from 'vitest';
import { signInLimits } from '#server/features/entry/limits.ts';
import { rateLimits } from '#server/http/limits.ts';
import {
  buildAdmin,
  buildCaller,
  buildTicket,
  buildUser,
  knownPassword,
  nextPhone,
  signInAs,
} from '#server/testing/builders.ts';
import { signIn } from '#server/testing/sign-in-steps.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi({ rateLimits: 'on' });
beforeEach(() => api.pool.query('truncate rate_limits'));

describe("one's own profile", () => {
  const profile = { firstName: 'Aïcha', lastName: "N'Diaye", email: 'aicha@exemple.sn' };
  const changeTo = (client: TestClient, fields: object = {}) =>
    client.patch('/api/auth/profile', { ...profile, ...fields });

  test.each([
    ['a person', {}],
    ['an administrator', { isAdmin: true }],
  ])('of %s is changed: here, on other devices and in the panel, and the session goes on', async (_, fields) => {
    const { client, user } = await buildCaller(api, fields);
    const other = await signInAs(api, user);
    const { client: admin } = await buildAdmin(api);
    const ticket = await buildTicket(api.db, user.id);
    const before = client.cookies.get('guichet_session');
    const answer = await changeTo(client);
    expect(answer).toMatchObject({ status: 200, body: { user: { ...profile, id: user.id, phone: user.phone } } });
    expect(client.cookies.get('guichet_session')).toBe(before);
    for (const each of [client, other]) expect((await each.get('/api/auth/me')).body).toEqual(answer.body);
    expect((await admin.get(`/api/admin/users?search=${user.phone.slice(4)}`)).body).toMatchObject([profile]);
    expect((await admin.get(`/api/admin/tickets/${ticket.id}`)).body.user).toMatchObject(profile);
  });

  test('has no number, role or other account in it', async () => {
    const { client, user } = await buildCaller(api);
    const other = await buildUser(api.db);
    const more = {
      id: other.id,
      userId: other.id,
      phone: nextPhone(),
      isAdmin: true,
      isVerified: false,
      countryCode: '+228',
    };
    const { body } = await changeTo(client, more);
    const { phone, countryCode, id } = user;
    expect(body.user).toMatchObject({ ...profile, id, phone, countryCode, isAdmin: false, isVerified: true });
    expect(await api.pool.query('select first_name from users where id = $1', [other.id])).toMatchObject({
      rows: [{ first_name: other.firstName }],
    });
  });

  test.each([
    [{ firstName: '  ' }, 'firstName', 'Ce champ est requis.'],
    [{ email: 'sans arobase' }, 'email', "Cette adresse e-mail n'est pas valide."],
    [{ email: undefined }, 'email', expect.any(String)],
  ])('with %j is refused at its field, and stays', async (fields, path, message) => {
    const { client, user } = await buildCaller(api);
    const answer = await changeTo(client, fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(answer.body.issues).toContainEqual({ path, message });
    expect((await client.get('/api/auth/me')).body.user.firstName).toBe(user.firstName);
  });

  test('is changed so often in an hour, by each person', async () => {
    const { client } = await buildCaller(api);
    for (let times = 0; times < rateLimits.profileChangesPerPerson.points; times += 1)
      expect((await changeTo(client)).status).toBe(200);
    const refused = await changeTo(client);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await changeTo((await buildCaller(api)).client)).status).toBe(200);
  });
});

/** Nobody proves an address: whoever takes another's gets nothing by it, and takes nothing from them. */
describe("an e-mail address taken from another's profile", () => {
  let address: string;
  let victim: Awaited<ReturnType<typeof buildUser>>;
  /** More than are compared at a sign-in, all older than the account whose address they take. */
  let takers: Awaited<ReturnType<typeof buildCaller>>[];
  const take = async (email = address) => {
    for (const { client, user } of takers) {
      const { firstName, lastName } = user;
      expect((await client.patch('/api/auth/profile', { firstName, lastName, email })).status).toBe(200);
    }
  };
  const byAddress = async (password = knownPassword) => signIn(api.client(), address.toUpperCase(), password);

  beforeEach(async () => {
    takers = await Promise.all(Array.from({ length: signInLimits.candidates + 1 }, () => buildCaller(api)));
    address = `${nextPhone().slice(1)}@exemple.bf`;
    victim = await buildUser(api.db, { email: address });
  });

  test('does not shut them out, nor lead them to the account of one who has the same password', async () => {
    await take();
    expect((await byAddress()).body.user).toMatchObject({ id: victim.id });
    const { rows } = await api.pool.query("select key from rate_limits where split_part(key, ':', 2) = any($1)", [
      takers.map(({ user }) => `user-${user.id}`),
    ]);
    expect(rows).toEqual([]);
  });

  test('does not let the taker in: the password tells whose account is meant', async () => {
    const [{ client, user } = await buildCaller(api)] = takers;
    const password = { newPassword: 'du-preneur', confirmPassword: 'du-preneur' };
    await client.post('/api/auth/change-password', { currentPassword: knownPassword, ...password });
    await client.patch('/api/auth/profile', { firstName: 'X', lastName: 'Y', email: address });
    expect((await byAddress('du-preneur')).body.user.id).toBe(user.id);
    expect((await byAddress('ni-l-un')).status).toBe(401);
    const reset = await api.client().post('/api/auth/forgot-password', { phoneOrEmail: address });
    expect(reset).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
    expect((await client.get('/api/auth/me')).body.user.id).toBe(user.id);
  });
});
