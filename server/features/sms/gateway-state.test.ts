import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdSms } from '#server/testing/hurry-sms.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { checkBalances, registerGateways } from './gateway-alarms.ts';
import { sendSms } from './send-sms.ts';
import { type Balance, createRoute, type SmsGateway, type SmsOutcome } from './sms-route.ts';

/** A gateway that answers as it is told. */
class Gateway implements SmsGateway {
  readonly name: string;
  readonly dialCodes: string[] | undefined;
  outcome: SmsOutcome = { kind: 'sent', gatewayId: 'x' };
  balance: Balance | { failure: string } = { units: 1_000 };

  constructor(name: string, dialCodes?: string[]) {
    this.name = name;
    this.dialCodes = dialCodes;
  }

  async send(): Promise<SmsOutcome> {
    return this.outcome;
  }

  async readBalance() {
    return this.balance;
  }
}

const orange = new Gateway('orange', ['226']);
const infobip = new Gateway('infobip');
const fails: SmsOutcome = { kind: 'refused', failure: 'refus 403' };
const sent: SmsOutcome = { kind: 'sent', gatewayId: 'x' };
const route = createRoute(
  [orange, infobip],
  new Map([
    ['226', [orange, infobip]],
    ['229', [infobip]],
  ]),
);
const logged: object[] = [];
const log = { error: (details: object) => void logged.push(details), warn() {} };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ sms: route });
  await holdSms(api.pool);
});
afterAll(() => api.close());

const readGateways = async () => (await api.pool.query('select * from sms_gateways order by position')).rows;

/** Sends so many messages, as jobs of their own would. */
async function send(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { rows } = await api.pool.query(
      `insert into sms_messages (recipient, body, reference, drop_after)
       values ('+22670123456', 'Bonjour', $1, now() + interval '5 minutes') returning id`,
      [randomUUID()],
    );
    await sendSms({ db: api.db, sms: route, outlast: (work) => work(), log }, { id: rows[0].id, job: '1' });
  }
}

test('each attempt goes to a gateway that is not in doubt yet, and where none is left to the first again', async () => {
  const asked: string[] = [];
  const inDoubt = (name: string): SmsGateway => ({
    name,
    dialCodes: undefined,
    async send() {
      asked.push(name);
      return { kind: 'unknown', failure: 'pas de réponse à temps' };
    },
  });
  const three = [inDoubt('un'), inDoubt('deux'), inDoubt('trois')];
  const sms = createRoute(three, new Map([['226', three]]));
  const { rows } = await api.pool.query(
    `insert into sms_messages (recipient, body, drop_after)
     values ('+22670123456', 'Bonjour', now() + interval '5 minutes') returning id`,
  );
  const { id } = rows[0];
  const tools = { db: api.db, sms, outlast: <Result>(work: () => Promise<Result>) => work(), log };
  const read = async () =>
    (await api.pool.query('select status, attempts, doubtful, job_id as job from sms_messages where id = $1', [id]))
      .rows[0];
  for (let attempt = 1; attempt <= 4; attempt += 1) await sendSms(tools, { id, job: (await read()).job ?? '1' });
  expect(asked).toEqual(['un', 'deux', 'trois', 'un']);
  expect(await read()).toMatchObject({ status: 'queued', attempts: 4, doubtful: ['un', 'deux', 'trois'] });
  // A job that a dead process left behind, beside the one that took its place, does nothing.
  await sendSms(tools, { id, job: '1' });
  expect(asked).toHaveLength(4);
  await api.pool.query('delete from sms_messages where id = $1', [id]);
});

test('a start writes down its gateways with their places and countries, and leaves those that are gone without one', async () => {
  expect(await readGateways()).toMatchObject([
    { name: 'orange', position: 0, dial_codes: '226', failures_in_a_row: 0, last_sent_at: null },
    { name: 'infobip', position: 1, dial_codes: '226,225,223,227,229,228,221' },
  ]);
  const other = createRoute([infobip], new Map([['226', [infobip]]]));
  await registerGateways(api.db, other);
  expect(await readGateways()).toMatchObject([
    { name: 'infobip', position: 0 },
    { name: 'orange', position: null },
  ]);
  await registerGateways(api.db, route);
  expect(await readGateways()).toMatchObject([{ name: 'orange', position: 0 }, { name: 'infobip' }]);
});

test('each attempt is written down with the gateways that it went through', async () => {
  await send(1);
  let [first, second] = await readGateways();
  expect(first).toMatchObject({ last_sent_at: expect.any(Date), last_failed_at: null, failure: null });
  expect(second).toMatchObject({ last_sent_at: null });
  orange.outcome = fails;
  await send(2);
  [first, second] = await readGateways();
  expect(first).toMatchObject({ last_failed_at: expect.any(Date), failure: 'refus 403', failures_in_a_row: 2 });
  expect(second).toMatchObject({ last_sent_at: expect.any(Date), failures_in_a_row: 0 });
  orange.outcome = sent;
  await send(1);
  [first] = await readGateways();
  expect(first).toMatchObject({ failure: 'refus 403', failures_in_a_row: 0 });
});

/** Has the messages so far lie an hour back, for what the gateways are judged by. */
const letPassAnHour = () => api.pool.query("update sms_gateways set recent_at = recent_at - interval '1 hour'");

test("numbers that get no SMS are not the gateway's fault", async () => {
  await letPassAnHour();
  const before = (await readGateways())[0];
  orange.outcome = { kind: 'refused', failure: 'refus (SVC0004)', about: 'number' };
  await send(12);
  expect((await readGateways())[0]).toMatchObject({ failures_in_a_row: 0, last_failed_at: before?.last_failed_at });
  orange.outcome = sent;
  await letPassAnHour();
});

test('what is left of paid messages is written down', async () => {
  const check = (orangeHas: number | { failure: string }) => {
    orange.balance = typeof orangeHas === 'number' ? { units: orangeHas, dialCode: '226' } : orangeHas;
    return checkBalances({ db: api.db, sms: route, log });
  };
  await check(200);
  expect(await readGateways()).toMatchObject([{ balance: 200, balance_at: expect.any(Date) }, { balance: 1_000 }]);
  await check(199);
  await check(0);
  logged.length = 0;
  await check({ failure: 'erreur 503' });
  expect(await readGateways()).toMatchObject([
    { balance: 0, balance_failure: 'erreur 503' },
    { balance_failure: null },
  ]);
  expect(logged).toEqual([{ gateway: 'orange', failure: 'erreur 503' }]);
  await check(500);
  expect(await readGateways()).toMatchObject([{ balance: 500, balance_failure: null }, {}]);
});
