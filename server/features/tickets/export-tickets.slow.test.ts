import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildFinalService, buildTicket, buildUser } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { exportTickets } from './ticket-export.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(() => api.pool.query('truncate tickets cascade'));

const everything = { where: 'true', values: [] as unknown[] };

function start(filter = everything, timeZone = 'UTC'): Readable {
  return exportTickets({ config: api.pool.options, pool: api.pool, filter, timeZone });
}

async function read(bytes: Uint8Array) {
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  const [heading = [], ...rows] = sheets[0]?.rows ?? [];
  return { sheets, cells: sheets[0]?.cells, heading, rows };
}

const readAll = async (filter = everything, timeZone = 'UTC') => read(await buffer(start(filter, timeZone)));

/** The export's connections, busy or not. */
async function connections(): Promise<string[]> {
  const { rows } = await api.pool.query(
    "select state from pg_stat_activity where datname = current_database() and application_name like 'guichet-export %'",
  );
  return rows.map((row) => row.state);
}

/** Starts an export and answers its thread, too. */
function startWatched(filter = everything): { stream: Readable; worker: Worker } {
  let worker: Worker | undefined;
  const listen = (message: unknown) => {
    worker = (message as { worker: Worker }).worker;
  };
  subscribe('worker_threads', listen);
  const stream = start(filter);
  unsubscribe('worker_threads', listen);
  if (!worker) throw new Error('no thread was started');
  return { stream, worker };
}

test('a ticket is a row of typed cells under a bold heading that stays', async () => {
  const user = await buildUser(api.db, { email: 'awa@exemple.bf', phone: '+2250700000001' });
  const service = (await buildFinalService(api.db)).at(-1)?.id;
  const ticket = await buildTicket(api.db, user.id, {
    serviceId: service,
    status: 'approved',
    numberOfBeneficiaries: 3,
    amount: 1_250_000,
    commission: 500,
    totalPrice: '1250500',
    servicePath: [
      { id: 1, name: 'Transfert', price: null, level: 1 },
      { id: 2, name: "Envoi à l'étranger", price: '1 000 FCFA', level: 2 },
    ],
    beneficiaryPhoneNumber: '+22901020304',
    createdAt: new Date('2026-03-01T09:05:07Z'),
    updatedAt: new Date('2026-03-02T10:00:00Z'),
  });
  const { sheets, cells, heading, rows } = await readAll();
  expect(sheets.map((sheet) => sheet.name)).toEqual(['Tickets']);
  expect(sheets[0]?.freezePane).toMatchObject({ rows: 1 });
  expect(heading).toEqual([
    'ID du ticket',
    'Utilisateur',
    'E-mail',
    'Téléphone',
    'Service',
    'Statut',
    'Nombre de bénéficiaires',
    'Prix total',
    'Téléphone du bénéficiaire',
    'Type de paiement',
    'Date de création',
    'Date de mise à jour',
  ]);
  expect(rows).toEqual([
    [
      ticket.id,
      'Awa Ouédraogo',
      'awa@exemple.bf',
      '+2250700000001',
      "Envoi à l'étranger",
      'Approuvé',
      3,
      1_250_500,
      '+22901020304',
      'Orange Money',
      new Date('2026-03-01T09:05:07Z'),
      new Date('2026-03-02T10:00:00Z'),
    ],
  ]);
  expect(heading.map((_, column) => cells?.get(`0,${column}`)?.style?.font?.bold)).toEqual(heading.map(() => true));
  expect(cells?.get('1,1')?.style?.font?.bold).not.toBe(true);
  expect(cells?.get('1,7')?.style?.numFmt).toBe('#,##0 "FCFA"');
  for (const column of [10, 11]) expect(cells?.get(`1,${column}`)?.style?.numFmt).toBe('dd/mm/yyyy hh:mm');
});

test('no name becomes a formula or breaks the file', async () => {
  const long = 'é'.repeat(40_000);
  const names = [
    '=HYPERLINK("x")',
    '+cmd',
    '@SUM(A1)',
    '-1+1',
    '\t=1',
    '\u0001=1',
    'A\u0001wa & <Co>',
    '_x003D_1',
    long,
  ];
  for (const firstName of names) await buildTicket(api.db, (await buildUser(api.db, { firstName, lastName: '' })).id);
  const { cells, rows } = await readAll();
  expect(rows.map((row) => row[1]).reverse()).toEqual([
    '\'=HYPERLINK("x")',
    "'+cmd",
    "'@SUM(A1)",
    "'-1+1",
    "'\t=1",
    "'=1",
    'Awa & <Co>',
    '_x003D_1',
    'é'.repeat(32_767),
  ]);
  for (let row = 1; row <= names.length; row += 1) expect(cells?.get(`${row},1`)?.type ?? 'string').toBe('string');
  expect([...(cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)).toEqual([]);
});

test('who or what is unknown is said, and a guest has no phone', async () => {
  const guest = await buildUser(api.db, {
    firstName: 'Invité',
    lastName: '',
    phone: 'guest:00000000-0000-4000-8000-000000000000',
    isGuest: true,
    isVerified: false,
    password: null,
  });
  const user = await buildUser(api.db, { email: null });
  await buildTicket(api.db, guest.id, { status: 'pending' });
  const gone = await buildTicket(api.db, user.id, { status: 'rejected' });
  await api.pool.query('update tickets set user_id = null where id = $1', [gone.id]);
  const { rows } = await readAll();
  expect(rows.map((row) => row.slice(1, 6))).toEqual([
    ['Utilisateur inconnu', null, null, 'Service inconnu', 'Rejeté'],
    ['Invité', null, null, 'Service inconnu', 'En attente'],
  ]);
});

test('dates show the clock of the zone asked for', async () => {
  const user = await buildUser(api.db);
  const winter = { createdAt: new Date('2026-01-31T23:30:15Z'), updatedAt: new Date('2026-01-31T23:30:15Z') };
  await buildTicket(api.db, user.id, winter);
  const summer = { createdAt: new Date('2026-07-31T23:30:15Z'), updatedAt: new Date('2026-07-31T23:30:15Z') };
  await buildTicket(api.db, user.id, summer);
  const rowsOf = (...hours: string[]) => hours.map((hour) => Array(2).fill(new Date(`${hour}:30:15Z`)));
  const inParis = rowsOf('2026-08-01T01', '2026-02-01T00');
  for (const [zone, expected] of Object.entries({
    'Africa/Lagos': rowsOf('2026-08-01T00', '2026-02-01T00'),
    UTC: rowsOf('2026-07-31T23', '2026-01-31T23'),
    'Europe/Paris': inParis,
  }))
    expect((await readAll(everything, zone)).rows.map((row) => row.slice(-2))).toEqual(expected);
  // Wherever the server runs.
  const elsewhere = await read(await exportIn('Pacific/Auckland', 'Europe/Paris'));
  expect(elsewhere.rows.map((row) => row.slice(-2))).toEqual(inParis);
});

/** The bytes that a process in `processZone` writes. */
async function exportIn(processZone: string, timeZone: string): Promise<Buffer> {
  const script = `
    import { pipeline } from 'node:stream/promises';
    import pg from 'pg';
    import { exportTickets } from '#server/features/tickets/ticket-export.ts';
    const pool = new pg.Pool(JSON.parse(process.argv[1]));
    const filter = { where: 'true', values: [] };
    await pipeline(exportTickets({ config: pool.options, pool, filter, timeZone: process.argv[2] }), process.stdout);
    await pool.end();`;
  const { host, port, user, password, database } = api.pool.options;
  const settings = JSON.stringify({ host, port, user, password, database });
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script, settings, timeZone], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, TZ: processZone },
    encoding: 'buffer',
  });
  return stdout;
}

test('without tickets there is a heading alone', async () => {
  const { heading, rows } = await readAll();
  expect(heading[0]).toBe('ID du ticket');
  expect(rows).toEqual([]);
});

test("the filter's condition and parameters choose among tickets and their users", async () => {
  const [one, two] = [await buildUser(api.db), await buildUser(api.db)];
  await buildTicket(api.db, one.id, { status: 'approved' });
  const wanted = await buildTicket(api.db, two.id, { status: 'approved' });
  await buildTicket(api.db, two.id);
  const where = 't.status = $1 and u.phone = $2 or t.created_at < $3';
  const { rows } = await readAll({ where, values: ['approved', two.phone, new Date(0)] });
  expect(rows.map(([id]) => id)).toEqual([wanted.id]);
});

/** Made in one statement, two microseconds in turn, so that a page ends among equal ones. */
async function fill(count: number, name: string): Promise<void> {
  const client = await api.pool.connect();
  // So many rows at once may take longer than any statement of the product's, where other tests run beside.
  await client.query('set statement_timeout = 0');
  await client.query(
    `insert into tickets (payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number,
                          fingerprint, service_id, created_at)
     select 'Wave', 100, 0, '100', jsonb_build_array(jsonb_build_object('name', ${name})), '+22670123456', n::text, $2,
            timestamptz '2026-01-01 00:00:00.000001+00' + make_interval(secs => n % 2 * 0.000001)
     from generate_series(1, $1::int) n`,
    [count, (await buildFinalService(api.db)).at(-1)?.id],
  );
  client.release(true);
}

test('a stream that is destroyed takes the running query and the thread with it', async () => {
  await fill(1, "'Envoi'");
  const { stream, worker } = startWatched({ where: '(select true from pg_sleep(60))', values: [] });
  stream.resume();
  await eventually(async () => expect(await connections()).toEqual(['active']));
  stream.destroy();
  await once(stream, 'close');
  await eventually(async () => expect(await connections()).toEqual([]));
  expect(worker.threadId).toBe(-1);
  expect(stream.errored).toBe(null);
});

/** Words that cannot be compressed to less than many pieces. */
const noise = "(select string_agg(md5(n::text || i::text), '') from generate_series(1, 60) i)";
const piece = 256 * 1024;

test('each of several pages of tickets of the same moment is there once, newest first', async () => {
  await fill(12_000, "'Envoi'");
  const { rows } = await api.pool.query('select id from tickets order by created_at desc, id desc');
  const exported = await readAll();
  expect(exported.rows.map(([id]) => id)).toEqual(rows.map((row) => row.id));
  await eventually(async () => expect(await connections()).toEqual([]));
});

test('so does one that is destroyed before it begins, and one whose reader stops in the middle', async () => {
  await fill(6_000, noise);
  const early = startWatched();
  early.stream.destroy();
  await once(early.stream, 'close');
  const late = startWatched();
  await once(late.stream, 'readable');
  expect(late.stream.read()).toHaveLength(piece);
  expect(await connections()).toHaveLength(1);
  late.stream.destroy(new Error('gone'));
  await expect(once(late.stream, 'close')).rejects.toThrow('gone');
  await eventually(() => expect(late.stream.closed).toBe(true));
  await eventually(async () => expect(await connections()).toEqual([]));
  expect([early.worker.threadId, late.worker.threadId]).toEqual([-1, -1]);
});

test('the thread asks for no further page while nobody reads', async () => {
  // A page is twenty pieces, which is more than the thread may be ahead.
  await fill(6_000, noise);
  await api.pool.query('create sequence pages_read');
  const { stream, worker } = startWatched({ where: "(select nextval('pages_read')) > 0", values: [] });
  const pagesRead = async () =>
    (await api.pool.query<{ pages: number }>('select last_value::int as pages from pages_read where is_called')).rows[0]
      ?.pages;
  let before = worker.performance.eventLoopUtilization();
  await eventually(async () => {
    const pages = await pagesRead();
    const { utilization } = worker.performance.eventLoopUtilization(before);
    before = worker.performance.eventLoopUtilization();
    expect([pages, utilization < 0.01]).toEqual([1, true]);
  });
  const pieces: number[] = [];
  for await (const { length } of stream) pieces.push(length);
  expect(pieces.length).toBeGreaterThan(12);
  expect(Math.max(...pieces)).toBe(piece);
  expect(await pagesRead()).toBe(2);
});

test('what the thread cannot do is an error of the stream', async () => {
  await fill(1, "'Envoi'");
  await expect(buffer(start({ where: 't.gone', values: [] }))).rejects.toThrow('column t.gone does not exist');
  await expect(buffer(start(everything, 'Mars/Olympus'))).rejects.toThrow('time zone "Mars/Olympus" not recognized');
  const config = { ...api.pool.options, password: 'wrong', host: '127.0.0.1', port: 1 };
  const unreachable = exportTickets({ config, pool: api.pool, filter: everything, timeZone: 'UTC' });
  await expect(buffer(unreachable)).rejects.toThrow('ECONNREFUSED');
  await eventually(async () => expect(await connections()).toEqual([]));
});

test('a connection that breaks in the middle is an error, and no shorter file', async () => {
  await fill(1, "'Envoi'");
  const { stream, worker } = startWatched({ where: '(select true from pg_sleep(60))', values: [] });
  // Whether PostgreSQL's last word is read before the next write to it fails, or after.
  const broken = expect(buffer(stream)).rejects.toThrow(/^(terminating connection due to .*|(write|read) E\w+)$/);
  await eventually(async () => expect(await connections()).toEqual(['active']));
  await api.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'guichet-export %'`,
  );
  await broken;
  await eventually(() => expect(worker.threadId).toBe(-1));
});

test('so is a thread that ends without a word', async () => {
  await fill(1, "'Envoi'");
  const { stream, worker } = startWatched({ where: '(select true from pg_sleep(60))', values: [] });
  const broken = expect(buffer(stream)).rejects.toThrow('the thread that writes the file ended before it');
  await eventually(async () => expect(await connections()).toEqual(['active']));
  await worker.terminate();
  await broken;
  await eventually(async () => expect(await connections()).toEqual([]));
});
