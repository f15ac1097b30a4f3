import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listMigrations, runOnEmpty } from '#server/database/migration-list.ts';
import { type ImageStore, localImageStore } from '#server/features/uploads/image-store.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  knownPassword,
  signInAs,
} from '#server/testing/builders.ts';
import { startRelay } from '#server/testing/relay.ts';
import { createDatabase, startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { jsonFrame, kinds } from './format.ts';
import { restore } from './restore.ts';
import { writeBackupFile } from './write-file.ts';

/** Texts that a careless format would change. */
const hostile = 'tab\t, line\nbreak, \\N, \\., back\\slash, "quoted", ’œ🇧🇫, \r\n';

let folder: string;
let api: TestApi;
let admin: TestClient;
let filer: Awaited<ReturnType<typeof buildCaller>>;
let order: object;
let image: { url: string; bytes: Buffer };
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-backup-'));
  api = await startTestApi();
  ({ client: admin } = await buildAdmin(api));
  filer = await buildCaller(api, { lastName: hostile });
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, at) => (at * 7919) % 251));
  image = { url: await api.images.put(bytes, new Map([[160, bytes.subarray(0, 1_000)]])), bytes };
  const { id } = await buildPaymentType(api.db, 'Wave');
  await api.pool.query('update payment_types set picture_url = $1 where id = $2', [image.url, id]);
  const servicePath = await buildFinalService(api.db);
  order = {
    serviceId: servicePath.at(-1)?.id,
    servicePath: servicePath.map((step) => ({ id: step.id })),
    paymentTypeName: 'Wave',
    totalPrice: '1100',
    beneficiaryPhoneNumber: '70 12 34 56',
  };
  await buildNotification(api.db, filer.user.id, hostile);
  await api.pool.query(
    `insert into sms_messages (recipient, body, drop_after) values ('+22670000001', 'code 1234', now() + interval '1 h')`,
  );
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
/** An empty database, and an empty folder for its images. */
async function emptyPlace() {
  const made = await createDatabase();
  ends.push(made.drop);
  count += 1;
  const imagesFolder = path.join(folder, `images-${count}`);
  return { ...made, imagesFolder, images: localImageStore(imagesFolder) };
}

async function ask<Row extends pg.QueryResultRow>(config: pg.ClientConfig, query: string): Promise<Row[]> {
  const client = new pg.Client(config);
  await client.connect();
  return (await client.query<Row>(query).finally(() => client.end())).rows;
}

/** Each table that holds what people entered, as PostgreSQL itself adds it up: how many rows, and one text for all of them. */
async function sumsOf(config: pg.ClientConfig): Promise<Record<string, string>> {
  const derived = ['changes', 'change_feed', 'tallies', 'tally_changes', 'online_steps', 'sms_messages', 'backups'];
  const tables = await ask<{ name: string }>(
    config,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all('{${derived}}') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await ask<{ sum: string }>(
      config,
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
    );
    sums[name] = row?.sum ?? '';
  }
  return sums;
}

const schemaOf = (config: pg.ClientConfig) =>
  ask(
    config,
    `select 'constraint' as kind, conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) || convalidated as what
     from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) || indisvalid
     from pg_index join pg_class c on c.oid = indrelid where c.relnamespace = 'public'::regnamespace
     union all select 'trigger', tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
     order by 1, 2`,
  );

test('made while people file, restored elsewhere: all of one instant, and the shop goes on', async () => {
  const file = path.join(folder, 'under load');
  const stop = new AbortController();
  let filed = 0;
  const filers = Array.from({ length: 4 }, async () => {
    const client = await signInAs(api, filer.user);
    while (!stop.signal.aborted) {
      expect((await client.post('/api/tickets', order, { 'idempotency-key': crypto.randomUUID() })).status).toBe(201);
      filed += 1;
    }
  });
  await vi.waitFor(() => expect(filed).toBeGreaterThan(20), { timeout: 20_000, interval: 5 });
  const before = filed;
  const { manifest, bytes, lost } = await backUp(api, { file });
  const during = filed;
  await vi.waitFor(() => expect(filed).toBeGreaterThan(during), { timeout: 20_000, interval: 5 });
  stop.abort();
  await Promise.all(filers);
  expect(lost).toEqual([]);
  expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 });
  const saved = Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]));
  expect(saved.tickets).toBeGreaterThanOrEqual(before);
  expect(saved.tickets).toBeLessThanOrEqual(filed);
  expect(saved.ticket_events).toBe(saved.tickets);
  const small = path.basename(image.url).replace('.webp', '-160.webp');
  expect(Object.fromEntries(manifest.images.map(({ name, bytes: length }) => [name, length]))).toEqual({
    [path.basename(image.url)]: image.bytes.length,
    [small]: 1_000,
  });

  // Again when nobody writes, so that what is restored can be compared with what is there.
  await backUp(api, { file, force: true });
  const place = await emptyPlace();
  await restore({ file }, async () => place);
  expect(await sumsOf(place.config)).toEqual(await sumsOf(api.config));
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
  expect(await ask(place.config, 'select status, body from sms_messages')).toEqual([{ status: 'expired', body: null }]);

  const restored = await startTestApi({ on: place });
  ends.push(restored.close);
  const again = restored.client();
  const credentials = { phoneOrEmail: filer.user.phone, password: knownPassword };
  expect((await again.post('/api/auth/signin', credentials)).status).toBe(200);
  // Who was signed in still is.
  const [stayed, boss] = [filer.client, admin].map((each) => {
    const client = restored.client();
    for (const [name, value] of each.cookies) client.cookies.set(name, value);
    return client;
  }) as [TestClient, TestClient];
  expect((await stayed.get('/api/auth/me')).body).toMatchObject({
    user: { id: filer.user.id, lastName: hostile },
  });
  expect((await restored.client().get(image.url)).raw).toEqual(image.bytes);
  const [highest] = await ask<{ id: number }>(place.config, 'select max(id) as id from tickets');
  // Under a key of its own: without one it would be the last one again, of some seconds ago.
  const next = await stayed.post('/api/tickets', order, { 'idempotency-key': crypto.randomUUID() });
  expect(next.status).toBe(201);
  expect(next.body.id).toBeGreaterThan(highest?.id ?? 0);
  const listed = await boss.get('/api/admin/tickets?limit=1');
  expect(listed.headers['x-total-count']).toBe(String(filed + 1));
});

test('a backup of an earlier version restores into this one', async () => {
  const earlier = await emptyPlace();
  const client = new pg.Client(earlier.config);
  await client.connect();
  await runOnEmpty(client, listMigrations().slice(0, 8));
  await client.query(
    `insert into users (first_name, last_name, phone, is_verified) values ('Awa', 'Sawadogo', '+22670000001', true);
     insert into tickets (user_id, payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, fingerprint)
     values (1, 'Wave', 1000, 100, '1100', '[{"id": 1, "name": "Envoi", "price": "1 000 FCFA", "level": 1}]', '+22670123456', 'x')`,
  );
  await client.end();
  const file = path.join(folder, 'earlier');
  const { manifest } = await backUp(earlier, { file });
  expect(manifest.migration.number).toBe(7);
  expect(manifest.tables.map(({ name }) => name)).not.toContain('backups');

  const place = await emptyPlace();
  await restore({ file }, async () => place);
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
  expect(await ask(place.config, 'select total_price, payment_reference, path_id from tickets')).toEqual([
    { total_price: '1100', payment_reference: null, path_id: 1 },
  ]);
  expect(await ask(place.config, "select what, count from tallies where hour > 'epoch' order by what")).toEqual([
    { what: 'tickets:pending', count: 1 },
    { what: 'users', count: 1 },
  ]);
});

const relations = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace";

test('beside images that are not in the backup nothing is restored, unless that is asked for', async () => {
  const file = path.join(folder, 'drill');
  await backUp(api, { file, force: true });
  const place = await emptyPlace();
  // Of the shop that lives on: the backup's own, and one that came later.
  await place.images.putBack(path.basename(image.url), image.bytes);
  const later = path.basename(await place.images.put(Buffer.from('later')));
  const refused = restore({ file }, async () => place);
  await expect(refused).rejects.toThrow(`(1, dont ${later}) : si un autre Guichet s’en sert`);
  expect((await place.images.listFiles()).toSorted()).toEqual([path.basename(image.url), later].toSorted());
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  await restore({ file, force: true }, async () => place);
  expect(await place.images.listFiles()).toHaveLength(3);
});

test('when the answer to COMMIT is lost, the images stay with the rows that are there', async () => {
  const file = path.join(folder, 'lost answer');
  await backUp(api, { file });
  const place = await emptyPlace();
  const relay = await startRelay(place.config as { host: string; port: number });
  ends.push(relay.close);
  relay.breakAfter('commit\0');
  const config = { ...place.config, host: '127.0.0.1', port: relay.port };
  await expect(restore({ file }, async () => ({ ...place, config }))).rejects.toThrow();
  expect(await ask(place.config, 'select picture_url as url from payment_types where picture_url is not null')).toEqual(
    [{ url: image.url }],
  );
  expect((await place.images.readFile(path.basename(image.url)))?.equals(image.bytes)).toBe(true);
  expect(await place.images.listFiles()).toHaveLength(2);
});

test('an image of which only a size is left is said to be lost', async () => {
  const bytes = Buffer.from('whole');
  const url = await api.images.put(bytes, new Map([[160, bytes]]));
  await buildPaymentType(api.db, 'Moov');
  await api.pool.query("update payment_types set picture_url = $1 where name = 'Moov'", [url]);
  rmSync(path.join(api.imagesFolder, path.basename(url)));
  const { lost } = await backUp(api, { file: path.join(folder, 'lost') });
  expect(lost).toEqual([url]);
});

test('what is not empty, or newer than this version, is refused; what does not fit leaves nothing', async () => {
  const file = path.join(folder, 'refused');
  await backUp(api, { file });
  const into = async (config: pg.ClientConfig, images: ImageStore) =>
    restore({ file }, async () => ({ config, images })).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  const place = await emptyPlace();
  await ask(place.config, 'create table notes ()');
  expect(await into(place.config, place.images)).toContain('La base de données n’est pas vide');
  expect(await into(api.config, place.images)).toContain('La base de données n’est pas vide');
  expect(await place.images.listFiles()).toEqual([]);
  await ask(place.config, 'drop table notes');

  // A disk that takes sizes, and not the image itself.
  const full: ImageStore = {
    ...place.images,
    async putBack(name, bytes) {
      if (name === path.basename(image.url)) throw new Error('the disk is full');
      await place.images.putBack(name, bytes);
    },
  };
  expect(await into(place.config, full)).toBe('the disk is full');
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  expect(await place.images.listFiles()).toEqual([]);

  // A row that the product's own rules forbid, as a damaged database may hold.
  await api.pool.query('alter table notifications drop constraint notifications_user_id_users_id_fk');
  await api.pool.query("insert into notifications (user_id, title, message) values (999999, 'x', 'x')");
  await backUp(api, { file, force: true });
  expect(await into(place.config, place.images)).toContain('notifications_user_id_users_id_fk');
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
  expect(await place.images.listFiles()).toEqual([]);

  const manifest = {
    takenAt: new Date().toISOString(),
    postgres: '19.1',
    migration: { number: 99, when: 9_999_999_999_999 },
    tables: [],
    images: [],
    sequences: [],
  };
  const frames = Readable.from([jsonFrame(kinds.manifest, manifest)]);
  await writeBackupFile(frames, { file, force: true }, async () => {});
  expect(await into(place.config, place.images)).toContain(
    'Cette sauvegarde est d’une version plus récente de Guichet',
  );

  const newest = 'select max(id) from drizzle.__drizzle_migrations';
  await api.pool.query(`update drizzle.__drizzle_migrations set created_at = created_at + 1 where id = (${newest})`);
  const made = backUp(api, { file: path.join(folder, 'newer') });
  await expect(made).rejects.toThrow('La base de données est d’une version plus récente de Guichet');
});
