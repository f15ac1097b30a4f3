import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';
import { routeThrough, type SmsGateway, type SmsMessage, type SmsOutcome } from '#server/features/sms/sms-route.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startWorker, type Worker } from './worker.ts';

/** A PostgreSQL of its own, which the tests stop and start. */
let folder: string;
let database: EmbeddedDatabase;
let connections: Connection[];
let workers: Worker[];
let gateway: Gateway;
let reports: string[];

/** Takes a message when it is told to, and notes every one it was asked to send. */
class Gateway implements SmsGateway {
  readonly name = 'fake';
  readonly asked: string[] = [];
  #open: Promise<void> = Promise.resolve();
  release = () => {};

  hold(): void {
    this.#open = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  async send({ to }: SmsMessage): Promise<SmsOutcome> {
    this.asked.push(to);
    await this.#open;
    return { kind: 'sent' };
  }
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-outage-')));
  // The account PostgreSQL runs under for root must get in; a folder of mkdtemp is ours alone.
  chmodSync(folder, 0o755);
  database = await startEmbeddedDatabase(folder);
  await migrate(database.config);
});
beforeEach(() => {
  connections = [];
  workers = [];
  gateway = new Gateway();
  reports = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all(connections.map((connection) => connection.close()));
});
afterAll(async () => {
  await database.stop();
  for (const made of [findHome(folder), folder]) rmSync(made, { recursive: true, force: true });
});

/** What a process has: connections and a worker. */
async function startProcess(): Promise<Connection> {
  const connection = connect(database.config, () => {});
  connections.push(connection);
  const log = { error: (_: object, message: string) => void reports.push(message), warn: () => {} };
  workers.push(
    await startWorker({ ...connection, sms: routeThrough(gateway), log: log as never, secret: 'x'.repeat(32) }),
  );
  return connection;
}

/** Queues a message that is due in so many seconds, as the application does. */
const queueSms = ({ pool }: Connection, to: string, seconds = 0) =>
  pool.query(
    `with message as (
       insert into sms_messages (recipient, body, drop_after) values ($1, 'Bonjour', now() + interval '5 minutes') returning id
     )
     select graphile_worker.add_job('send_sms', json_build_object('id', id), max_attempts => 3,
       run_at => now() + make_interval(secs => $2)) from message`,
    [to, seconds],
  );

const untilSent = ({ pool }: Connection, to: string) =>
  eventually(async () => {
    const { rows } = await pool.query('select status, body from sms_messages where recipient = $1', [to]);
    expect(rows).toEqual([{ status: 'sent', body: null }]);
  });

const untilNoJobIsLeft = ({ pool }: Connection) =>
  eventually(async () => {
    const { rows } = await pool.query("select * from graphile_worker.jobs where task_identifier = 'send_sms'");
    expect(rows).toEqual([]);
  });

const untilReported = (message: string, times: number) =>
  eventually(() => expect(reports.filter((each) => each === message).length).toBeGreaterThanOrEqual(times));

test('of two processes, messages in hand when the database goes away, due meanwhile, and new after, are each sent once', async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  gateway.hold();
  await queueSms(first, 'in hand');
  await eventually(() => expect(gateway.asked).toEqual(['in hand']));
  await queueSms(first, 'due meanwhile', 1);
  await database.stop();
  gateway.release();
  await untilReported('job runner does not start yet', 2);

  database = await startEmbeddedDatabase(folder);
  await untilSent(first, 'in hand');
  await untilSent(second, 'due meanwhile');
  await queueSms(second, 'new');
  await untilSent(second, 'new');
  await untilNoJobIsLeft(first);
  expect(gateway.asked).toEqual(['in hand', 'due meanwhile', 'new']);
});

test('a message that was taken just as the connection broke, so that nobody heard, leaves all the same', async () => {
  const connection = await startProcess();
  let lost = 0;
  connection.pool.on('acquire', (client: pg.PoolClient) => {
    const { query } = client;
    if (Object.hasOwn(client, 'query')) return;
    const failing = async (...asked: unknown[]) => {
      const answer = await Reflect.apply(query, client, asked);
      const [statement] = asked as [{ name?: string }];
      if (lost > 0 || !statement.name?.startsWith('get_job') || answer.rowCount === 0) return answer;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    Object.assign(client, { query: failing });
  });
  await queueSms(connection, 'taken unheard');
  await untilSent(connection, 'taken unheard');
  expect(lost).toBe(1);
  expect(gateway.asked).toEqual(['taken unheard']);
});

test('a worker stops while the database is away, and its message in hand is left to the next', async () => {
  const connection = await startProcess();
  gateway.hold();
  await queueSms(connection, 'left');
  await eventually(() => expect(gateway.asked).toEqual(['left']));
  await database.stop();
  gateway.release();
  await untilReported('job runner does not start yet', 1);
  await workers.pop()?.stop();

  database = await startEmbeddedDatabase(folder);
  const { rows } = await connection.pool.query("select status, body from sms_messages where recipient = 'left'");
  expect(rows).toEqual([{ status: 'queued', body: 'Bonjour' }]);
});
