import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { zstdDecompressSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMigrations, runOnEmpty } from '#server/database/migration-list.ts';
import { insertImage } from '#server/features/uploads/store.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  knownPassword,
  signInAs,
} from '#server/testing/builders.ts';
import { askOn as ask, relations } from '#server/testing/empty-place.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startRelay } from '#server/testing/relay.ts';
import { createDatabase, startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { backUp } from './back-up.ts';
import { entryNames } from './format.ts';
import { restore } from './restore.ts';
import { digestFrameBytes } from './sums.ts';
import { writeBackupFile } from './write-file.ts';

/** Texts that a careless format would change. */
const hostile = 'tab\t, line\nbreak, \\N, \\., back\\slash, "quoted", \'œ🇧🇫, \r\n';

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
  image = { url: await insertImage(api.db, { webp: bytes, webp160: bytes.subarray(0, 1_000) }), bytes };
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
  // Rows of 640 KB, of which a part of a table holds one or two.
  const long = "select $1, 'x', repeat(md5(n::text), 20000) from generate_series(1, 4) n";
  await api.pool.query(`insert into notifications (user_id, title, message) ${long}`, [filer.user.id]);
  await api.pool.query(
    `insert into push_subscriptions (user_id, endpoint, p256dh, auth) values (${filer.user.id}, 'https://push.example/1', 'x', 'x')`,
  );
  await api.pool.query(
    `insert into reset_tokens (token, user_id, expires_at) values ('x', ${filer.user.id}, now() + interval '1 h')`,
  );
  await api.pool.query("insert into otp_flows (phone, purpose) values ('+22670000001', 'reset')");
  await api.pool.query(
    `insert into sms_messages (recipient, body, drop_after) values ('+22670000001', 'code 1234', now() + interval '1 h')`,
  );
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

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
  await eventually(() => expect(filed).toBeGreaterThan(20));
  const before = filed;
  const { manifest, bytes } = await backUp(api, { file });
  const during = filed;
  await eventually(() => expect(filed).toBeGreaterThan(during));
  stop.abort();
  await Promise.all(filers);
  expect(statSync(file)).toMatchObject({ size: bytes, mode: 0o100600 });
  const saved = Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]));
  // Those without a row here too.
  expect(Object.keys(saved)).toEqual(expect.arrayContaining(Object.keys(await sumsOf(api.config))));
  expect(saved.tickets).toBeGreaterThanOrEqual(before);
  expect(saved.tickets).toBeLessThanOrEqual(filed);
  expect(saved.ticket_events).toBe(saved.tickets);

  // Again when nobody writes, so that what is restored can be compared with what is there.
  await backUp(api, { file, force: true });
  const place = await createDatabase();
  await restore({ file }, async () => place);
  const ended = ['sessions', 'push_subscriptions', 'reset_tokens', 'otp_flows'];
  const [there, here] = [await sumsOf(place.config), await sumsOf(api.config)];
  for (const table of ended) {
    expect(here[table]).not.toBe('0 ');
    if (table !== 'otp_flows') expect(there[table]).toBe('0 ');
  }
  const without = (sums: Record<string, string>) =>
    Object.fromEntries(Object.entries(sums).filter(([name]) => !ended.includes(name)));
  expect(without(there)).toEqual(without(here));
  expect(await ask(place.config, 'select closed_at is null as open from otp_flows')).toEqual([{ open: false }]);
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
  expect(await ask(place.config, 'select status, body from sms_messages')).toEqual([{ status: 'expired', body: null }]);

  const restored = await startTestApi({ on: place });
  ends.push(restored.close);
  const again = restored.client();
  const credentials = { phoneOrEmail: filer.user.phone, password: knownPassword };
  expect((await again.post('/api/auth/signin', credentials)).status).toBe(200);
  // Who was signed in then is not any more, administrators neither.
  for (const each of [filer.client, admin]) {
    const former = restored.client();
    for (const [name, value] of each.cookies) former.cookies.set(name, value);
    expect((await former.get('/api/auth/me')).status).toBe(401);
  }
  expect((await again.get('/api/auth/me')).body).toMatchObject({
    user: { id: filer.user.id, lastName: hostile },
  });
  expect((await restored.client().get(image.url)).raw).toEqual(image.bytes);
  const [highest] = await ask<{ id: number }>(place.config, 'select max(id) as id from tickets');
  // Under a key of its own: without one it would be the last one again, of some seconds ago.
  const next = await again.post('/api/tickets', order, { 'idempotency-key': crypto.randomUUID() });
  expect(next.status).toBe(201);
  expect(next.body.id).toBeGreaterThan(highest?.id ?? 0);
  const { client: boss } = await buildAdmin(restored);
  const listed = await boss.get('/api/admin/tickets?limit=1');
  expect(listed.headers['x-total-count']).toBe(String(filed + 1));
});

test('a backup of an earlier version restores into this one', async () => {
  const earlier = await createDatabase();
  const client = new pg.Client(earlier.config);
  await client.connect();
  await runOnEmpty(client, listMigrations().slice(0, 1));
  await client.query(
    `insert into users (first_name, last_name, phone, is_verified) values ('Awa', 'Sawadogo', '+22670000001', true);
     insert into tickets (user_id, payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, fingerprint)
     values (1, 'Wave', 1000, 100, '1100', '[{"id": 1, "name": "Envoi", "price": "1 000 FCFA", "level": 1}]', '+22670123456', 'x')`,
  );
  await client.end();
  const made = path.join(folder, 'made today');
  const { manifest } = await backUp(earlier, { file: made });
  expect(manifest.migration.number).toBe(0);
  // Its images were files, of which one was broken.
  const webp = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c00' } })
    .webp()
    .toBuffer();
  const names = [`${'a'.repeat(32)}.webp`, `${'a'.repeat(32)}-160.webp`, `${'b'.repeat(32)}.webp`];
  const images = names.map((name, at) => ({ name, content: at === 2 ? webp.subarray(1) : webp }));
  const listed = images.map(({ name, content }) => ({ name, bytes: content.length, sha256: hash('sha256', content) }));
  const tar = zstdDecompressSync(readFileSync(made).subarray(0, -digestFrameBytes));
  const tables = (await unpackTar(tar)).slice(0, -1);
  const file = path.join(folder, 'earlier');
  await writeBackupFile(
    Readable.from([
      ...images.map(({ name, content }) => ({ name: entryNames.image(name), content })),
      ...tables.map(({ header, data }) => ({ name: header.name, content: Buffer.from(data ?? []) })),
      { name: entryNames.manifest, content: Buffer.from(JSON.stringify({ ...manifest, images: listed })) },
    ]),
    { file },
    async () => {},
  );

  const place = await createDatabase();
  await restore({ file }, async () => place);
  expect(await schemaOf(place.config)).toEqual(await schemaOf(api.config));
  expect(await ask(place.config, 'select total_price, payment_reference, path_id from tickets')).toEqual([
    { total_price: '1100', payment_reference: null, path_id: 1 },
  ]);
  expect(await ask(place.config, 'select url, webp, webp160, webp320 from images')).toEqual([
    { url: `/uploads/${names[0]}`, webp, webp160: webp, webp320: null },
  ]);
  expect(await ask(place.config, "select what, count from tallies where hour > 'epoch' order by what")).toEqual([
    { what: 'tickets:pending', count: 1 },
    { what: 'users', count: 1 },
  ]);
});

test.each([
  ["raise exception 'could not extend file' using errcode = '53100'", 'le disque de PostgreSQL est plein.'],
  [
    "raise exception 'temporary file too large' using errcode = '53400'",
    "à l'une de ses limites (temporary file too large).",
  ],
  ['perform pg_terminate_backend(pg_backend_pid())', "PostgreSQL s'arrête ou redémarre."],
])(
  'a restoration that PostgreSQL ends by itself is told in a sentence, leaves nothing, and can be done again: %s',
  async (statement, reason) => {
    const file = path.join(folder, 'ended');
    await backUp(api, { file, force: true });
    const place = await createDatabase();
    await ask(
      place.config,
      `create function end_it() returns event_trigger language plpgsql as $$ begin ${statement}; end $$;
     create event trigger end_it on ddl_command_end when tag in ('CREATE INDEX') execute function end_it()`,
    );
    const ended = await restore({ file }, async () => place).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(CannotStart);
    expect((ended as Error).message).toContain(`La restauration s'est arrêtée : `);
    expect((ended as Error).message).toContain(reason);
    expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);
    await ask(place.config, 'drop event trigger end_it; drop function end_it()');
    await restore({ file }, async () => place);
  },
);

test('when the answer to COMMIT is lost, what was restored stays', async () => {
  const file = path.join(folder, 'lost answer');
  await backUp(api, { file });
  const place = await createDatabase();
  const relay = await startRelay(place.config as { host: string; port: number });
  ends.push(relay.close);
  relay.breakAfter('commit\0');
  const config = { ...place.config, host: '127.0.0.1', port: relay.port };
  await expect(restore({ file }, async () => ({ config }))).rejects.toThrow();
  expect(await ask(place.config, 'select picture_url as url from payment_types where picture_url is not null')).toEqual(
    [{ url: image.url }],
  );
});

test('what is not empty, newer than this version or from before 1.0 is refused; what does not fit leaves nothing', async () => {
  const file = path.join(folder, 'refused');
  await backUp(api, { file });
  const into = async (config: pg.ClientConfig) =>
    restore({ file }, async () => ({ config })).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  const place = await createDatabase();
  await ask(place.config, 'create table notes ()');
  expect(await into(place.config)).toContain("La base de données n'est pas vide");
  expect(await into(api.config)).toContain("La base de données n'est pas vide");
  await ask(place.config, 'drop table notes');

  // A row that the product's own rules forbid, as a damaged database may hold.
  await api.pool.query('alter table notifications drop constraint notifications_user_id_users_id_fk');
  await api.pool.query("insert into notifications (user_id, title, message) values (999999, 'x', 'x')");
  await backUp(api, { file, force: true });
  expect(await into(place.config)).toContain('notifications_user_id_users_id_fk');
  expect(await ask(place.config, relations)).toEqual([{ count: 0 }]);

  const manifest = {
    takenAt: new Date().toISOString(),
    postgres: '19.1',
    migration: { number: 99, when: 9_999_999_999_999 },
    tables: [],
    images: [],
    sequences: [],
  };
  const write = (made: object) =>
    writeBackupFile(
      Readable.from([{ name: entryNames.manifest, content: Buffer.from(JSON.stringify(made)) }]),
      { file, force: true },
      async () => {},
    );
  await write(manifest);
  expect(await into(place.config)).toContain("Cette sauvegarde est d'une version plus récente de Guichet");
  await write({ ...manifest, migration: { number: 16, when: 1795403320996 } });
  expect(await into(place.config)).toContain("d'une version de Guichet d'avant la 1.0");

  const newest = 'select max(id) from drizzle.__drizzle_migrations';
  await api.pool.query(`update drizzle.__drizzle_migrations set created_at = created_at + 1 where id = (${newest})`);
  const made = backUp(api, { file: path.join(folder, 'newer') });
  await expect(made).rejects.toThrow("La base de données est d'une autre version de Guichet");
});
