import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { registerGateways } from './gateway-alarms.ts';
import { sendSms } from './send-sms.ts';
import { createRoute, type SmsGateway, type SmsMessage, type SmsOutcome } from './sms-route.ts';

/** A gateway that answers as it is told, and tells what it has only where it `tells`. */
class Gateway implements SmsGateway {
  readonly name: string;
  readonly dialCodes = undefined;
  readonly asked: SmsMessage[] = [];
  lookUps = 0;
  perSecond: number | undefined;
  outcome: SmsOutcome | Promise<never> = { kind: 'sent', gatewayId: 'x' };
  find: ((message: SmsMessage) => Promise<SmsOutcome | undefined>) | undefined;

  constructor(name: string, { tells }: { tells: boolean }) {
    this.name = name;
    if (tells)
      this.find = async ({ reference }) => {
        this.lookUps += 1;
        return this.asked.some((each) => each.reference === reference) ? { kind: 'sent', gatewayId: 'x' } : undefined;
      };
  }

  async send(message: SmsMessage): Promise<SmsOutcome> {
    this.asked.push(message);
    return this.outcome;
  }
}

let telling: Gateway;
let mute: Gateway;
/** Without a worker: the jobs are run here. */
let api: Connection;
beforeAll(async () => {
  const database = await createDatabase(`template ${templateDatabase}`);
  api = connect(database.config, () => {});
});
afterAll(() => api.close());
beforeEach(async () => {
  telling = new Gateway('infobip', { tells: true });
  mute = new Gateway('orange', { tells: false });
  await api.pool.query('delete from sms_gateways');
  await api.pool.query('delete from sms_messages');
});

/** A message that is queued, as a job has it in hand. */
async function queue(): Promise<number> {
  const { rows } = await api.pool.query(
    `insert into sms_messages (recipient, body, kind, drop_after)
     values ('+22670123456', 'Bonjour', 'decision', now() + interval '1 day') returning id`,
  );
  return rows[0].id;
}

/** Sends it through these gateways, as the job that has it in hand. */
async function send(id: number, ...gateways: Gateway[]): Promise<void> {
  const sms = createRoute(gateways, new Map([['226', gateways]]));
  const { job } = await read(id);
  const log = { error() {}, warn() {} };
  await sendSms({ db: api.db, sms, outlast: (work) => work(), log }, { id, job: job ?? '1' });
}

const read = async (id: number) =>
  (await api.pool.query('select *, job_id as job from sms_messages where id = $1', [id])).rows[0];

/** Has a process die while the first gateway has the message and has not answered. */
async function dieWhileSending(id: number, ...gateways: Gateway[]): Promise<void> {
  const [first] = gateways as [Gateway];
  first.outcome = new Promise<never>(() => {});
  void send(id, ...gateways);
  await expect.poll(() => first.asked.length).toBe(1);
  first.outcome = { kind: 'sent', gatewayId: 'x' };
}

test('what a gateway has that can be asked is not sent again after a crash', async () => {
  const id = await queue();
  await dieWhileSending(id, telling, mute);
  expect(await read(id)).toMatchObject({ status: 'queued', attempts: 0, doubtful: ['infobip'] });
  await send(id, telling, mute);
  expect(await read(id)).toMatchObject({ status: 'sent', provider: 'infobip', gateway_id: 'x', body: null });
  expect([telling.asked.length, mute.asked.length, telling.lookUps]).toEqual([1, 0, 1]);
});

test('what one may have that cannot be asked goes to another first, and once more to it where there is none', async () => {
  let id = await queue();
  await dieWhileSending(id, mute, telling);
  await send(id, mute, telling);
  expect(await read(id)).toMatchObject({ status: 'sent', provider: 'infobip' });
  expect([mute.asked.length, telling.asked.length]).toEqual([1, 1]);
  id = await queue();
  mute.asked.length = 0;
  await dieWhileSending(id, mute);
  await send(id, mute);
  expect(await read(id)).toMatchObject({ status: 'sent', provider: 'orange' });
  expect(mute.asked).toHaveLength(2);
});

test('one that surely did not take it is no longer in doubt', async () => {
  const id = await queue();
  mute.outcome = { kind: 'unreachable', failure: 'trop de messages (429)' };
  await send(id, mute);
  expect(await read(id)).toMatchObject({ status: 'queued', attempts: 1, doubtful: [] });
});

test('what is wrong with an account is waited out, what is wrong with a number fails at once', async () => {
  const id = await queue();
  mute.outcome = { kind: 'refused', failure: 'refus 401', about: 'account' };
  telling.outcome = { kind: 'refused', failure: 'refus (REJECTED_DESTINATION)', about: 'number' };
  await send(id, mute, telling);
  expect(await read(id)).toMatchObject({
    status: 'queued',
    body: 'Bonjour',
    failure: 'orange : refus 401 ; infobip : refus (REJECTED_DESTINATION)',
  });
  mute.outcome = { kind: 'refused', failure: 'refus 400' };
  await send(id, mute, telling);
  expect(await read(id)).toMatchObject({ status: 'failed', body: null, attempts: 2 });
});

test('each pause is longer than the one before, and none goes beyond what the message is worth', async () => {
  const id = await queue();
  mute.outcome = { kind: 'refused', failure: 'refus 403', about: 'account' };
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await send(id, mute);
    const { rows } = await api.pool.query(
      `select ceil(extract(epoch from run_at - now()))::int as seconds
       from graphile_worker._private_jobs jobs join sms_messages m on m.job_id = jobs.id where m.id = $1`,
      [id],
    );
    pauses.push(rows[0].seconds);
  }
  const expected = [2, 5, 10, 20, 40, 60, 60];
  pauses.forEach((seconds, index) => {
    // The database's clock has gone on since.
    expect(seconds).toBeGreaterThan((expected[index] ?? 0) / 2 - 1);
    expect(seconds).toBeLessThanOrEqual(Math.ceil((expected[index] ?? 0) * 1.25));
  });
  await api.pool.query("update sms_messages set drop_after = now() + interval '30 s' where id = $1", [id]);
  await send(id, mute);
  const { rows } = await api.pool.query(
    `select run_at = drop_after as together
     from graphile_worker._private_jobs jobs join sms_messages m on m.job_id = jobs.id where m.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ together: true }]);
});

test('a gateway is left alone for as long as it asks, by every message, and the next one has them at once', async () => {
  await registerGateways(api.db, createRoute([mute, telling], new Map([['226', [mute, telling]]])));
  mute.outcome = { kind: 'unreachable', failure: 'trop de messages (429)', retryAfterSeconds: 40 };
  await send(await queue(), mute);
  const [first] = (
    await api.pool.query("select next_at - now() > interval '30 s' as later from sms_gateways where name = 'orange'")
  ).rows;
  expect(first).toEqual({ later: true });
  const id = await queue();
  await send(id, mute);
  expect(await read(id)).toMatchObject({ status: 'queued', attempts: 0, failure: null });
  await send(id, mute, telling);
  expect(await read(id)).toMatchObject({ status: 'sent', provider: 'infobip' });
  expect(mute.asked).toHaveLength(1);
});

test("a gateway's own rate is kept: who has no turn yet waits for it, and nobody is asked meanwhile", async () => {
  await registerGateways(api.db, createRoute([mute], new Map([['226', [mute]]])));
  // One in a thousand seconds, so that none of them passes here.
  mute.perSecond = 0.001;
  const [first, second] = [await queue(), await queue()];
  await send(first, mute);
  expect(await read(first)).toMatchObject({ status: 'sent' });
  await send(second, mute);
  expect(await read(second)).toMatchObject({ status: 'queued', attempts: 0, failure: null });
  expect(mute.asked).toHaveLength(1);
  const { rows } = await api.pool.query(
    `select run_at > now() + interval '500 s' as later
     from graphile_worker._private_jobs jobs join sms_messages m on m.job_id = jobs.id where m.id = $1`,
    [second],
  );
  expect(rows).toEqual([{ later: true }]);
});

test('one that says nothing three times in a row gets one message a pause, which finds it back for all', async () => {
  await registerGateways(api.db, createRoute([mute], new Map([['226', [mute]]])));
  mute.outcome = { kind: 'unknown', failure: 'erreur 503' };
  const ids: number[] = [];
  for (let round = 0; round < 8; round += 1) ids.push(await queue());
  for (const id of ids.slice(0, 4)) await send(id, mute);
  // Its pause, and theirs, are longer than this test.
  await api.pool.query("update sms_gateways set next_at = next_at + interval '1 h'");
  await api.pool.query("update graphile_worker._private_jobs set run_at = run_at + interval '1 h'");
  for (const id of ids.slice(4)) await send(id, mute);
  // The fourth is the one that looks whether it is back.
  expect(mute.asked).toHaveLength(4);
  expect(await read(ids[7] as number)).toMatchObject({
    status: 'queued',
    attempts: 0,
    failure: "orange : ne répond pas pour l'instant",
  });
  const countDue = async () =>
    (
      await api.pool.query(
        `select count(*)::int as due from sms_messages m join graphile_worker._private_jobs jobs on jobs.id = m.job_id
         where m.status = 'queued' and run_at <= now()`,
      )
    ).rows[0].due;
  expect(await countDue()).toBe(0);
  await api.pool.query('update sms_gateways set next_at = now()');
  mute.outcome = { kind: 'sent', gatewayId: 'x' };
  await send(ids[7] as number, mute);
  expect(await countDue()).toBe(7);
  for (const id of ids.slice(0, 7)) await send(id, mute);
  expect(mute.asked).toHaveLength(12);
});
