import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDialTemplate } from '#contract/dial-code.ts';
import { countryOf, nationalDigits } from '#contract/phone.ts';
import { priceOf } from '#contract/pricing.ts';
import { readPhone } from '#contract/read-phone.ts';
import { maximumLevel } from '#contract/shapes.ts';
import { buildAdmin, buildFinalService, buildPaymentType, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { makeUpData } from './made-up-data.ts';

const volume = { users: 300, tickets: 3_000 };
const people = `(password = '-' or is_guest)`;
const progress: string[] = [];
let api: TestApi;
let admin: { client: TestClient; user: { id: number } };
let strangers: number[];

beforeAll(async () => {
  ({ api, admin, strangers } = await startFilled((line) => progress.push(line)));
});
afterAll(() => api.close());

/** A database where somebody filed a ticket before the rest was made up; `strangers` are the tickets not made up. */
async function startFilled(tell?: (line: string) => void) {
  const started = await startTestApi();
  const administrator = await buildAdmin(started);
  await buildPaymentType(started.db, 'Orange Money');
  await buildPaymentType(started.db, 'Wave');
  const range = { minPrice: 1, maxPrice: 2_000, commissionType: 'fixed' as const, commissionValue: 15 };
  await buildFinalService(started.db, {
    allowUserPriceInput: true,
    commissionType: 'range',
    commissionRanges: [range, { ...range, minPrice: 2_001, maxPrice: null, commissionType: 'percentage' }],
  });
  const ticket = await buildTicket(started.db, (await buildUser(started.db)).id);
  await makeUpData(started.pool, volume, tell);
  return { api: started, admin: administrator, strangers: [ticket.id] };
}

async function rowsOf<Row extends object>(query: string, values: unknown[] = []): Promise<Row[]> {
  return (await api.pool.query<Row>(query, values)).rows;
}

async function countOf(query: string, values: unknown[] = []): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(`select count(*)::int as count from ${query}`, values);
  return row?.count ?? Number.NaN;
}

const share = async (query: string) => (await countOf(query)) / volume.tickets;

test('people: as many as asked for, in the order of time, with numbers of their country', async () => {
  const rows = await rowsOf<{ phone: string; country_code: string; is_guest: boolean; created_at: Date }>(
    `select phone, country_code, is_guest, created_at from users where ${people} order by id`,
  );
  expect(rows).toHaveLength(volume.users);
  const times = rows.map((row) => row.created_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
  const registered = rows.filter((row) => !row.is_guest);
  for (const { phone, country_code } of registered) {
    expect(readPhone(phone, '+226')).toEqual({ e164: phone });
    expect(countryOf(phone)?.code).toBe(country_code);
  }
  expect(new Set(registered.map((row) => row.country_code))).toHaveLength(7);
  expect(registered.length).toBeLessThan(rows.length);
  expect(await countOf(`users where ${people} and is_verified`)).toBeGreaterThan(0.8 * volume.users);
  expect(
    await countOf(`users where ${people} and email is not null and email !~ '^[a-z.]+[0-9]+@example[.]org$'`),
  ).toBe(0);
});

test('nobody made up can sign in', async () => {
  const [row] = await rowsOf<{ phone: string }>(`select phone from users where password = '-' and is_verified limit 1`);
  const answer = await api.client().post('/api/auth/signin', { phoneOrEmail: row?.phone, password: '-' });
  expect(answer.status).toBe(401);
});

test('tickets: as many as asked for, in the order of time, over a year, none before its user', async () => {
  const rows = await rowsOf<{ id: number; created_at: Date }>(
    'select id, created_at from tickets where id <> all ($1) order by id',
    [strangers],
  );
  expect(rows).toHaveLength(volume.tickets);
  const times = rows.map((row) => row.created_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const day = 24 * 60 * 60 * 1000;
  expect(Date.now() - (times[0] ?? 0)).toBeGreaterThan(363 * day);
  expect(Date.now() - (times[0] ?? 0)).toBeLessThan(366 * day);
  expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
  expect(await countOf('tickets t join users u on u.id = t.user_id and u.created_at > t.created_at')).toBe(0);
});

test('the paths have every length and are those of the catalogue', async () => {
  const lengths = await rowsOf<{ length: number; paths: number }>(
    `select jsonb_array_length(service_path) as length, count(distinct service_path)::int as paths
     from tickets where id <> all ($1) group by 1 order by 1`,
    [strangers],
  );
  expect(lengths.map((row) => row.length)).toEqual(Array.from({ length: maximumLevel }, (_, index) => index + 1));
  expect(lengths.reduce((sum, row) => sum + row.paths, 0)).toBeGreaterThan(500);
  const finals = await countOf('services where is_final_level');
  expect(finals).toBeGreaterThan(1_200);
  expect(finals).toBeLessThan(1_400);
  const astray = await rowsOf(
    `with recursive up as (
       select id as leaf, services.* from services where is_final_level
       union all select up.leaf, parent.* from up join services parent on parent.id = up.parent_id
     ), paths as (
       select leaf, jsonb_agg(jsonb_build_object('id', id, 'name', name, 'price', price, 'level', level) order by level) as path
       from up group by leaf
     )
     select id, service_path, path from tickets left join paths on leaf = service_id
     where id <> all ($1) and path is distinct from service_path`,
    [strangers],
  );
  expect(astray).toEqual([]);
});

test('a few services are asked for very often, most seldom', async () => {
  const rows = await rowsOf<{ count: number }>(
    'select count(*)::int as count from tickets group by service_id order by 1 desc',
  );
  const counts = rows.map((row) => row.count);
  expect(counts.slice(0, 20).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(volume.tickets / 3);
  expect(counts.at(-1)).toBeLessThan(3);
});

test('price, commission and dial code are what the contract makes of the service', async () => {
  const rows = await rowsOf<
    Record<'price' | 'template' | 'dial_code' | 'beneficiary' | 'total_price', string> & Priced
  >(
    `select amount, commission, total_price, dial_code, service_id, beneficiary_phone_number as beneficiary, s.price,
            s.allow_user_price_input as typed, phone_number as template, s.commission_type, s.commission_value::float8
     from tickets join services s on s.id = service_id where tickets.id <> all ($1)`,
    [strangers],
  );
  expect(rows).toHaveLength(volume.tickets);
  for (const row of rows) {
    const rule = ruleOf(row);
    const { total } = priceOf(row.amount, rule);
    expect({ ...row, total_price: String(total), commission: total - row.amount }).toEqual(row);
    // What people type for a service that asks for it is not what it lists.
    if (!row.typed) expect(row.amount).toBe(Number.parseInt(row.price.replace(/\s/g, ''), 10));
    expect(readPhone(row.beneficiary, '+226')).toEqual({ e164: row.beneficiary });
    const beneficiary = nationalDigits(row.beneficiary);
    expect(row.dial_code).toBe(fillDialTemplate(row.template, { total, beneficiary, serviceId: row.service_id }));
  }
  expect(new Set(rows.map((row) => countryOf(row.beneficiary)))).toHaveLength(7);
});

interface Priced {
  amount: number;
  commission: number;
  typed: boolean;
  service_id: number;
  commission_type: 'fixed' | 'percentage' | 'range';
  commission_value: number;
}

function ruleOf({ commission_type: type, commission_value: value }: Priced) {
  if (type !== 'range') return { type, value };
  const [low, high] = [{ type: 'fixed', value: 15 } as const, { type: 'percentage', value: 15 } as const];
  return {
    type,
    ranges: [
      { minPrice: 1, maxPrice: 2_000, rate: low },
      { minPrice: 2_001, maxPrice: null, rate: high },
    ],
  };
}

test('most tickets are approved, some rejected, and the newest are the likeliest to wait', async () => {
  expect(await share(`tickets where status = 'approved'`)).toBeCloseTo(0.9, 1);
  expect(await share(`tickets where status = 'rejected'`)).toBeCloseTo(0.09, 1);
  const pending = await share(`tickets where status = 'pending'`);
  expect(pending).toBeGreaterThan(0.005);
  expect(pending).toBeLessThan(0.02);
  const recent = `(select * from tickets order by id desc limit ${volume.tickets / 10}) newest where status = 'pending'`;
  expect(await share(recent)).toBeGreaterThan(pending / 2);
  expect(await countOf(`tickets where status = 'rejected' and reject_reason is not null`)).toBeGreaterThan(0);
  expect(await countOf(`tickets where updated_at not between created_at and now()`)).toBe(0);
  expect(await countOf(`tickets where (status = 'pending') <> (updated_at = created_at)`)).toBe(0);
});

test('the same volume in an equal database gives the same people, orders and statuses', async () => {
  const other = await startFilled();
  const read = async ({ pool }: TestApi) => {
    const made = await pool.query(
      `select id, first_name, last_name, phone, email, is_verified from users where password = '-' order by id`,
    );
    const filed = await pool.query(
      'select id, status, amount, commission, service_path, payment_type_name, idempotency_key from tickets where id <> all ($1) order by id',
      [strangers],
    );
    return { people: made.rows, tickets: filed.rows };
  };
  const [mine, theirs] = await Promise.all([read(api), read(other.api)]).finally(() => other.api.close());
  expect(mine.people.length).toBeGreaterThan(0);
  expect(theirs).toEqual(mine);
});

test('somebody has many tickets, a few belong to nobody, and the payment types are those offered', async () => {
  const [most] = await rowsOf<{ count: number }>(
    'select count(*)::int as count from tickets where user_id is not null group by user_id order by 1 desc',
  );
  expect(most?.count).toBeGreaterThan(volume.tickets / 20);
  expect(await share('tickets where user_id is null')).toBeCloseTo(0.01, 2);
  const wrong =
    'tickets t left join payment_types p on p.id = payment_type_id where payment_type_name is distinct from p.name';
  expect(await countOf(`${wrong} and t.id <> all ($1)`, [strangers])).toBe(0);
});

test('every ticket has the event of its creation, and every decided one that of its decision', async () => {
  const expected = `
    select id, 'pending', null, user_id, created_at from tickets where id <> all ($1)
    union all select id, status, reject_reason, $2, updated_at from tickets where id <> all ($1) and status <> 'pending'`;
  const actual = `select ticket_id, status, reason, actor_id, created_at from ticket_events where ticket_id <> all ($1)`;
  expect(await rowsOf(`(${expected}) except all (${actual})`, [strangers, admin.user.id])).toEqual([]);
  expect(await rowsOf(`(${actual}) except all (${expected})`, [strangers, admin.user.id])).toEqual([]);
});

test('decided tickets of known people have the notification that the product itself would write', async () => {
  const waiting = await rowsOf<{ id: number }>(
    `select id from tickets where status = 'pending' and user_id is not null and id <> all ($1) order by id limit 3`,
    [strangers],
  );
  const bodies = [{ status: 'approved' }, { status: 'rejected' }, { status: 'rejected', reason: 'Demande en double' }];
  expect(waiting).toHaveLength(bodies.length);
  for (const [index, { id }] of waiting.entries())
    expect((await admin.client.patch(`/api/tickets/${id}/status`, bodies[index])).status).toBe(200);
  const expected = `
    select user_id, id, case status when 'approved' then 'success' else 'error' end,
           case status when 'approved' then 'Demande approuvée' else 'Demande rejetée' end,
           case status when 'approved' then format('Votre demande n°\u00a0%s (%s) a été approuvée.', id, service_path -> -1 ->> 'name')
                else format('Votre demande n°\u00a0%s (%s) a été rejetée.%s', id, service_path -> -1 ->> 'name', ' Motif : ' || reject_reason)
           end, updated_at
    from tickets where status <> 'pending' and user_id is not null`;
  const actual = 'select user_id, related_ticket_id, type, title, message, created_at from notifications';
  expect(await rowsOf(`(${expected}) except all (${actual})`)).toEqual([]);
  expect(await rowsOf(`(${actual}) except all (${expected})`)).toEqual([]);
  const read = (await countOf('notifications where is_read')) / (await countOf('notifications'));
  expect(read).toBeCloseTo(0.7, 1);
});

test('payments: pairs that are sure and doubtful, some taken back, and an account with all that comes in on it', async () => {
  const { sure, doubtful } = (await admin.client.get('/api/admin/payments/proposals')).body;
  expect([sure.length, doubtful.length]).toEqual([expect.toSatisfy((n) => n > 0), expect.toSatisfy((n) => n > 0)]);
  const [account] = (await admin.client.get('/api/admin/payments/accounts')).body;
  expect(account).toMatchObject({ unread: 1, messages: 3, sources: [{ kind: 'sms', isSilent: false }] });
  expect((await admin.client.get('/api/admin/payments/messages')).body).toContainEqual(
    expect.objectContaining({ accountId: account.id, text: null }),
  );
  expect(await countOf(`payment_lines where direction = 'reversal'`)).toBeGreaterThan(0);
  expect(
    await countOf(`payment_lines l where state = 'reversed' and not exists (
    select from payment_lines r where r.direction = 'reversal' and r.plain_reference = l.plain_reference)`),
  ).toBe(0);
});

test('it tells its progress in French', () => {
  const counts = [volume.users, volume.tickets].map((count) => count.toLocaleString('fr-FR'));
  expect(progress).toEqual([
    'Catalogue inventé ajouté.',
    `Personnes : ${counts[0]} sur ${counts[0]}.`,
    `Tickets : ${counts[1]} sur ${counts[1]}.`,
    'Mise à jour des statistiques de la base.',
  ]);
});

test('a second time adds as much again, and no second catalogue', async () => {
  const read = async () => ({
    // By the ids, since the hourly clean-up may delete a guest at any time.
    users: Number((await rowsOf<{ highest: number }>('select max(id) as highest from users'))[0]?.highest),
    services: await countOf('services'),
    tickets: await countOf('tickets'),
  });
  const before = await read();
  const lines: string[] = [];
  await makeUpData(api.pool, volume, (line) => lines.push(line));
  expect(lines).not.toContain('Catalogue inventé ajouté.');
  expect(await read()).toEqual({
    users: before.users + volume.users,
    services: before.services,
    tickets: before.tickets + volume.tickets,
  });
  expect(await countOf('ticket_events')).toBeGreaterThan(3.9 * volume.tickets);
});

const seed = path.join(import.meta.dirname, 'seed.ts');

test.each([
  ['--users', 'beaucoup', '--users attend un nombre entier'],
  ['--tickets', '1e9', '--tickets attend un nombre entier'],
  ['--users', '5000001', '--users attend un nombre entier'],
  ['--personnes', '5', "n'est pas compris"],
  ['1000', '50000', "n'est pas compris"],
])('npm run seed -- %s %s says what is wrong, and fails', (first, second, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [seed, first, second], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});
