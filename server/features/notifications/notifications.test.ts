import { beforeEach, describe, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildNotification } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';

let awa: Awaited<ReturnType<typeof buildCaller>>;
let issa: Awaited<ReturnType<typeof buildCaller>>;
let ids: number[];
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  awa = await buildCaller(api);
  issa = await buildCaller(api, { firstName: 'Issa' });
  ids = [];
  for (let index = 0; index < 5; index += 1) {
    ids.push((await buildNotification(api.db, awa.user.id, `Titre ${index}`)).id);
    await buildNotification(api.db, issa.user.id);
  }
});

const list = (client: TestClient, query = '') => client.get(`/api/notifications/user/${awa.user.id}${query}`);
const unread = async (client: TestClient, userId: number) =>
  (await client.get(`/api/notifications/user/${userId}/unread-count`)).body.count as number;
const markRead = (client: TestClient, id: number | undefined) => client.patch(`/api/notifications/${id}/read`);

test("a list of notifications holds the user's own, newest first, with their number", async () => {
  const { status, body, headers } = await list(awa.client);
  expect(status).toBe(200);
  expect(body.map((each: { id: number }) => each.id)).toEqual(ids.toReversed());
  expect(body[0]).toEqual({
    id: ids[4],
    userId: awa.user.id,
    title: 'Titre 4',
    message: 'Votre demande est approuvée.',
    isRead: false,
    type: 'info',
    relatedTicketId: null,
    createdAt: expect.any(String),
  });
  expect(headers['x-total-count']).toBe('5');
});

describe('reading', () => {
  test('marks one notification, once and for all, and the count follows', async () => {
    expect(await unread(awa.client, awa.user.id)).toBe(5);
    expect(await markRead(awa.client, ids[2])).toMatchObject({ status: 200, body: { id: ids[2], isRead: true } });
    expect(await markRead(awa.client, ids[2])).toMatchObject({ status: 200, body: { id: ids[2], isRead: true } });
    expect(await unread(awa.client, awa.user.id)).toBe(4);
    expect(await unread(issa.client, issa.user.id)).toBe(5);
    expect(await awa.client.get(`/api/notifications/${ids[2]}`)).toMatchObject({ status: 200, body: { isRead: true } });
  });

  test("another's notification does not exist, for an administrator either, and stays unread", async () => {
    for (const client of [issa.client, admin])
      for (const answer of [await client.get(`/api/notifications/${ids[0]}`), await markRead(client, ids[0])])
        expect(answer).toMatchObject({
          status: 404,
          body: { code: 'NOTIFICATION_NOT_FOUND', message: 'Notification introuvable' },
        });
    expect(await countRows(api, 'notifications', `id = ${ids[0]} and not is_read`)).toBe(1);
  });
});

test('a notification goes with its user, and with nobody else', async () => {
  expect(await admin.delete(`/api/admin/users/${awa.user.id}`)).toMatchObject({ status: 200 });
  expect(await countRows(api, 'notifications', `user_id = ${awa.user.id}`)).toBe(0);
  expect(await unread(issa.client, issa.user.id)).toBe(5);
});
