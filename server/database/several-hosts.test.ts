import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import type { FastifyError } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { asFailure } from '#server/http/failures.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { startFakePostgres } from '#server/testing/fake-postgres.ts';
import { type Relay, startRelay } from '#server/testing/relay.ts';
import { findWritable } from './clients.ts';
import { connect } from './connect.ts';
import { asSentence, requireUsableServer } from './usable-server.ts';

const server = inject('server');
const database = `hosts_${randomUUID().replaceAll('-', '')}`;
const open: net.Server[] = [];
let relay: Relay;
let dead: number;

async function ask(statement: string) {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A server that lets anybody in and takes writes or not; its history is older than the real one's, or else newer. */
async function fake(readOnly: 'on' | 'off'): Promise<number> {
  const made = await startFakePostgres(
    (sql): Record<string, string> =>
      sql.startsWith('show')
        ? { transaction_read_only: readOnly }
        : { file: `${readOnly === 'off' ? '00000000' : 'FFFFFFFE'}0000000100000001` },
  );
  open.push(made);
  return (made.address() as net.AddressInfo).port;
}

beforeAll(async () => {
  // All of them answer: what is found does not hang on which was the first to.
  Object.assign(databaseLimits, { otherHostsMs: 60_000 });
  await ask(`create database ${database}`);
  relay = await startRelay(server);
  const closed = net.createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  dead = (closed.address() as net.AddressInfo).port;
  closed.close();
});
afterAll(async () => {
  relay.close();
  for (const each of open) each.close();
  await ask(`drop database ${database} with (force)`);
});

const urlOf = (...ports: number[]) =>
  `postgres://${server.user}:${server.password}@${ports.map((port) => `127.0.0.1:${port}`).join()}/${database}`;
const addressesOf = (...ports: number[]) => ports.map((port) => urlOf(port));

test.each([
  ['the first is down', () => [dead, relay.port]],
  ['the last is down', () => [relay.port, dead]],
  ['the first takes no writes', async () => [await fake('on'), relay.port]],
  ['the first takes writes and has lost its office', async () => [await fake('off'), relay.port]],
])('of several servers the one that takes writes is found: %s', async (_, choose) => {
  const ports = await choose();
  expect(await findWritable(addressesOf(...ports))).toBe(urlOf(relay.port));
  const connection = connect({ connectionString: urlOf(...ports) }, () => {});
  try {
    expect((await connection.pool.query('select current_database() as name')).rows).toEqual([{ name: database }]);
    const beside = await connection.openClient({}, () => {});
    expect(beside.isDirect).toBe(true);
    await beside.end();
  } finally {
    await connection.close();
  }
});

test('where none takes writes, callers are told to come back, and a start says so', async () => {
  // Another one that is down would be a reason to come back by itself.
  for (const other of [await fake('on'), dead]) {
    const url = urlOf(await fake('on'), other);
    const connection = connect({ connectionString: url }, () => {});
    const error = await connection.pool.query('select 1').catch((thrown: unknown) => thrown);
    expect(asFailure(error as FastifyError)).toMatchObject({ code: 'BUSY' });
    await connection.close();
    await expect(requireUsableServer(url)).rejects.toThrow("aucun de ses serveurs n'accepte d'écrire");
  }
});

test('where none answers, the start names them all, without the password', async () => {
  const other = await fake('on');
  open.at(-1)?.close();
  const url = urlOf(dead, other);
  const sentence = `aucun serveur n'écoute sur 127.0.0.1:${dead} ni sur 127.0.0.1:${other}`;
  await expect(requireUsableServer(url)).rejects.toThrow(sentence);
  expect(asSentence(new Error('any'), url).message).not.toContain(server.password);
});
