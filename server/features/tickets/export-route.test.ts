import { once } from 'node:events';
import http from 'node:http';
import { readXlsx } from 'hucre';
import { expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
const { id } = await buildUser(api.db, { firstName: 'Aïcha', lastName: 'Ouédraogo' });
const userId = String(id);
const path = (name: string) => [{ id: 1, name, price: null, level: 1 }];
await buildTicket(api.db, id, { servicePath: path('Forfait internet') });
const { id: second } = await buildTicket(api.db, id, {
  servicePath: path("Facture d'électricité"),
  status: 'approved',
});
await buildTicket(api.db, id, { servicePath: path('Transfert'), status: 'approved' });

const url = (query: Record<string, string> = {}) =>
  `/api/admin/ticket-export?${new URLSearchParams({ timeZone: 'Africa/Ouagadougou', ...query })}`;

/** The rows of the file, without its head. */
async function rowsOf(raw: Buffer): Promise<unknown[][]> {
  const { sheets } = await readXlsx(new Uint8Array(raw));
  expect(sheets.map((sheet) => sheet.name)).toEqual(['Tickets']);
  return sheets[0]?.rows.slice(1) ?? [];
}

test('the file holds the tickets that the list shows for the same filter, and says how many', async () => {
  const filters: Record<string, string>[] = [
    {},
    { status: 'approved' },
    { search: 'ELECTRICITE' },
    { search: 'forfait', status: 'pending' },
    { search: String(second) },
  ];
  for (const each of filters) {
    const filter = { ...each, userId };
    const list = await admin.get(`/api/admin/tickets?${new URLSearchParams(filter)}`);
    const file = await admin.get(url(filter));
    expect(file.status).toBe(200);
    expect(file.headers['x-total-count']).toBe(list.headers['x-total-count']);
    const ids = (await rowsOf(file.raw)).map(([id]) => id);
    expect(ids).toEqual(list.body.map((ticket: { id: number }) => ticket.id));
    expect(ids.length).toBeGreaterThan(0);
  }
});

test('instants are included, the first one and the last one, as in the list', async () => {
  const { id } = await buildUser(api.db);
  const instants = ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z', '2026-01-02T03:04:05.680Z'];
  for (const at of instants) await buildTicket(api.db, id, { createdAt: new Date(at) });
  const [first = '', middle = '', last = ''] = instants;
  for (const [filter, count] of [
    [{ from: first, to: last }, 3],
    [{ from: middle, to: last }, 2],
    [{ from: first, to: middle }, 2],
    [{ from: middle, to: middle }, 1],
  ] as const) {
    const query = { ...filter, userId: String(id) };
    const listed = (await admin.get(`/api/admin/tickets?${new URLSearchParams(query)}`)).body;
    const exported = (await rowsOf((await admin.get(url(query))).raw)).map(([number]) => number);
    expect(exported).toEqual(listed.map((ticket: { id: number }) => ticket.id));
    expect(exported).toHaveLength(count);
  }
});

test('a second export at a time waits; a sender who hangs up makes room', async () => {
  const { hostname, port } = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }));
  // More than the line between the two holds, however well it is packed.
  await api.pool.query(
    `insert into tickets (status, payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, fingerprint)
     select 'rejected', (select string_agg(md5((n * 100 + k)::text), '') from generate_series(1, 90) k), 100, 0, '100',
            '[{"id": 1, "name": "Beaucoup", "price": null, "level": 1}]', '+22670123456', 'x' from generate_series(1, 6000) n`,
  );
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // Nobody reads it: it waits for its reader, the file half made.
  const request = http.get({ hostname, port, path: url(), headers: { cookie } });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(answer.headers).toMatchObject({ 'x-total-count': expect.any(String) });
  expect(await admin.get(url())).toMatchObject({ status: 503, body: { code: 'EXPORT_BUSY', retryAfter: 30 } });
  request.destroy();
  await eventually(async () => expect(await rowsOf((await admin.get(url({ userId }))).raw)).toHaveLength(3));
});
