import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { askOn } from '#server/testing/empty-place.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { requireUsableServer } from './usable-server.ts';

const { host, port, user, password } = inject('server');
const id = randomUUID().replaceAll('-', '');
const database = `usable_${id}`;
const latin = `latin_${id}`;
const guest = `guest_${id}`;

async function ask(...statements: string[]) {
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

beforeAll(() =>
  ask(
    `create database ${database} template template0`,
    `create database ${latin} template template0 encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
    `create role ${guest} login password 'secret-du-compte'`,
  ),
);
afterAll(() =>
  ask(`drop database ${database} with (force)`, `drop database ${latin} with (force)`, `drop role ${guest}`),
);

const urlOf = (parts: { user?: string; password?: string; database?: string; at?: string; host?: string }) => {
  const url = new URL(`postgres://${parts.at ?? `localhost:${port}`}/${parts.database ?? database}`);
  Object.assign(url, { username: parts.user ?? user, password: parts.password ?? password });
  if (!parts.at) url.searchParams.set('host', host);
  return url.href;
};

async function refusalOf(url: string): Promise<string> {
  const error: unknown = await requireUsableServer(url).then(
    () => expect.unreachable('it was accepted'),
    (thrown: unknown) => thrown,
  );
  expect(error).toHaveProperty('message', expect.stringMatching(/^\p{Lu}.*[.)]$/u));
  const { message } = error as Error;
  expect(message).toContain('DATABASE_URL');
  expect(message).not.toContain('secret');
  expect(message).not.toContain('injoignable');
  return message;
}

test('a server that serves is accepted', async () => {
  await expect(requireUsableServer(urlOf({}))).resolves.toBeUndefined();
});

test('each reason not to serve is named, and the password never is', async () => {
  expect(await refusalOf(urlOf({ password: 'secret-faux' }))).toContain(
    `le compte « ${user} » ou son mot de passe est refusé`,
  );
  expect(await refusalOf(urlOf({ database: 'absente' }))).toContain('pas de base « absente »');
  expect(await refusalOf(urlOf({ at: 'machine-absente.invalid:5432', password: 'secret' }))).toContain(
    '« machine-absente.invalid » ne désigne aucune machine',
  );
  expect(await refusalOf(urlOf({ at: '127.0.0.1:1', password: 'secret' }))).toContain(
    "aucun serveur n'écoute sur 127.0.0.1:1",
  );
  expect(await refusalOf(urlOf({ database: latin }))).toContain('LATIN1');
  expect(await refusalOf(urlOf({ user: guest, password: 'secret-du-compte' }))).toContain(
    `« ${guest} » de DATABASE_URL ne peut pas créer de tables`,
  );
});

test('a server that is too old is told which version it is and which it would have to be', async () => {
  const { database: old, config } = await createDatabase();
  // A function of its own stands before PostgreSQL's.
  await askOn(
    config,
    `create schema old;
     create function old.current_setting(name text) returns text language sql as $$
       select case name when 'server_version_num' then '140005' when 'server_version' then '14.5'
                        else pg_catalog.current_setting(name) end $$;
     alter database ${old} set search_path = old, pg_catalog`,
  );
  expect(await refusalOf(urlOf({ database: old }))).toContain('PostgreSQL 14.5 : Guichet demande la version 15');
});
