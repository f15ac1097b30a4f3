import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { buildAdmin } from '#server/testing/builders.ts';
import { request, startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();

const data = JSON.stringify({ name: 'Trop tard' });
const bodies = [
  { kind: 'JSON', url: '/api/admin/payment-types', type: 'application/json', body: data },
  {
    kind: 'a form',
    url: '/api/services',
    type: 'multipart/form-data; boundary=x',
    body: `--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n${data}\r\n--x--\r\n`,
  },
];
const countWritten = async (): Promise<number> => {
  const { rows } = await api.pool.query(
    "select name from payment_types where name = 'Trop tard' union all select name from services where name = 'Trop tard'",
  );
  return rows.length;
};

/** Changes a person as another process would, and has this one hear of it. */
const change = async (id: number, set: string) => {
  await api.pool.query(`update users set ${set} where id = $1`, [id]);
  await api.app.changeFeed.catchUp();
};
const ends: { how: string; status: number; end: (id: number, client: TestClient) => Promise<unknown> }[] = [
  { how: 'demoted', status: 403, end: (id) => change(id, 'is_admin = false') },
  {
    how: 'deactivated',
    status: 401,
    end: (id) => change(id, 'is_admin = false, is_verified = false, deactivated_at = now()'),
  },
  { how: 'signed out', status: 401, end: (_, client) => client.post('/api/auth/signout') },
];

describe.each(bodies)('while a body arrives, $kind', ({ url, type, body }) => {
  /** Begins the call, does this when its caller was let in and the body asked for, and then sends the rest. */
  async function send(meanwhile: (id: number, client: TestClient) => Promise<unknown>) {
    const { user, client } = await buildAdmin(api);
    const asked = Promise.withResolvers<void>();
    const payload = new Readable({ read: () => asked.resolve() });
    const cookies = Object.fromEntries(client.cookies);
    const answer = request(api.app, { method: 'POST', url, cookies, headers: { 'content-type': type }, payload });
    await asked.promise;
    payload.push(body.slice(0, 5));
    await meanwhile(user.id, client);
    payload.push(body.slice(5));
    payload.push(null);
    return answer;
  }

  test.each(ends)('whoever is $how meanwhile writes nothing', async ({ status, end }) => {
    const answer = await send(end);
    expect(answer.statusCode).toBe(status);
    expect(await countWritten()).toBe(0);
  });

  test('and who is still who they were writes', async () => {
    expect((await send(async () => {})).statusCode).toBe(201);
    expect(await countWritten()).toBe(1);
    await api.pool.query("delete from payment_types where name = 'Trop tard'");
    await api.pool.query("delete from services where name = 'Trop tard'");
  });
});
