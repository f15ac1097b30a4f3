import { once } from 'node:events';
import net from 'node:net';
import { runOnce, type Task } from 'graphile-worker';
import type pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { routeThrough, type SmsGateway, type SmsMessage, type SmsOutcome } from '#server/features/sms/sms-route.ts';
import { eventually } from '#server/testing/eventually.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { takeJobs } from '#server/testing/take-jobs.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { jobLimits } from './limits.ts';
import { freeAbandonedJobs, runnerOptions } from './runner.ts';
import { startWorker, type Worker } from './worker.ts';

let port: number;
const sockets = new Set<net.Socket>();
let connections: Connection[];
let workers: Worker[];
let gateway: Gateway;
let reports: string[];

/** Takes a message when it is told to, and notes every one it was asked to send. */
class Gateway implements SmsGateway {
  readonly name = 'fake';
  readonly dialCodes = undefined;
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

async function open(): Promise<void> {
  await once(door.listen(port, '127.0.0.1'), 'listening');
  port = (door.address() as net.AddressInfo).port;
}
function takeAway(): void {
  door.close();
  for (const socket of sockets) socket.destroy();
}

const { config } = await createDatabase(`template ${templateDatabase}`);
/** Around the door. */
const direct = connect(config, () => {});
/** A port that leads to the database, while it is there. */
const door = net.createServer((near) => {
  const far = net.connect(`${config.host}/.s.PGSQL.${config.port}`);
  for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
  near.pipe(far).on('close', () => near.destroy());
  far.pipe(near).on('close', () => far.destroy());
});
port = 0;
await open();
beforeEach(async () => {
  await direct.pool.query(`delete from sms_messages;
    select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker.jobs where locked_by is not null));
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
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
  takeAway();
  await direct.close();
});

/** What a process has: connections and a worker. */
async function startProcess(): Promise<Connection> {
  const connection = connect({ ...config, host: '127.0.0.1', port }, () => {});
  connections.push(connection);
  const log = { error: (_: object, message: string) => void reports.push(message), warn: () => {} };
  workers.push(await startWorker({ ...connection, sms: routeThrough(gateway), log: log as never }));
  return connection;
}

/** Queues a message that is due in so many seconds, as the application does. */
const queueSms = (to: string, seconds = 0) =>
  direct.pool.query(
    `with message as (
       insert into sms_messages (recipient, body, drop_after) values ($1, 'Bonjour', now() + interval '5 minutes') returning id
     )
     select graphile_worker.add_job('send_sms', json_build_object('id', id), max_attempts => 3,
       run_at => now() + make_interval(secs => $2)) from message`,
    [to, seconds],
  );

const untilSent = (to: string) =>
  eventually(async () => {
    const { rows } = await direct.pool.query('select status, body from sms_messages where recipient = $1', [to]);
    expect(rows).toEqual([{ status: 'sent', body: null }]);
  });

test('messages in hand when the database goes away, due meanwhile, and new after, are all sent, the latter once', async () => {
  await startProcess();
  await startProcess();
  gateway.hold();
  await queueSms('in hand');
  await eventually(() => expect(gateway.asked).toEqual(['in hand']));
  await queueSms('due meanwhile', 1);
  takeAway();
  gateway.release();
  await eventually(() => expect(reports).toContain('job runner does not start yet'));
  await open();
  await untilSent('in hand');
  await untilSent('due meanwhile');
  await queueSms('new');
  await untilSent('new');
  await eventually(async () =>
    expect(
      (await direct.pool.query("select from graphile_worker.jobs where task_identifier = 'send_sms'")).rowCount,
    ).toBe(0),
  );
  // What was taken and not noted is sent again.
  expect(gateway.asked.filter((to) => to !== 'in hand').toSorted()).toEqual(['due meanwhile', 'new']);
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
  await queueSms('taken unheard');
  await untilSent('taken unheard');
  expect(lost).toBe(1);
  expect(gateway.asked).toEqual(['taken unheard']);
});

test('a worker stops while the database is away, and its message in hand is left to the next', async () => {
  await startProcess();
  gateway.hold();
  await queueSms('left');
  await eventually(() => expect(gateway.asked).toEqual(['left']));
  takeAway();
  gateway.release();
  await eventually(() => expect(reports).toContain('job runner does not start yet'));
  await workers.pop()?.stop();
  await open();
  const { rows } = await direct.pool.query("select status, body from sms_messages where recipient = 'left'");
  expect(rows).toEqual([{ status: 'queued', body: 'Bonjour' }]);
});

test("the jobs of dead runners are freed after a lease, with their queues, and nobody else's", async () => {
  const names = ['dead', 'seen', 'young'];
  for (const name of names) {
    await direct.pool.query('select graphile_worker.add_job($1, max_attempts => 3, queue_name => $1)', [name]);
    await takeJobs(direct.pool, name, name === 'young' ? 0 : jobLimits.leaseSeconds + 1);
  }
  await direct.pool.query("insert into job_runners (id) values ('seen runner')");
  await direct.pool.query(
    "insert into job_runners (id, seen_at) values ('dead runner', now() - interval '1 h'), ('young runner', now() - interval '1 h')",
  );
  const ran: string[] = [];
  const note: Task = async (_, { job }) => void ran.push(job.task_identifier);
  const run = () =>
    runOnce({
      pgPool: direct.pool,
      taskList: Object.fromEntries(names.map((name) => [name, note])),
      ...runnerOptions,
    });
  await run();
  expect(ran).toEqual([]);
  await freeAbandonedJobs(direct.pool);
  await run();
  expect(ran).toEqual(['dead']);
});
