import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeText } from '#server/features/auth/codes.ts';
import { countSms, signUpBody, startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { buildUser, nextPhone } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { holdSms, hurrySms } from '#server/testing/hurry-sms.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { consoleGateway, fileGateway } from './gateways/local.ts';
import { sendSms } from './send-sms.ts';
import { routeThrough, type SmsGateway, type SmsMessage, type SmsOutcome } from './sms-route.ts';
import { queueSms } from './store.ts';

/** The basic alphabet of GSM 03.38, whose characters count once. */
const gsm7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** A gateway that does as it is told, and notes what it was asked to send. */
class FakeGateway implements SmsGateway {
  readonly name = 'fake';
  readonly dialCodes = undefined;
  readonly asked: SmsMessage[] = [];
  down = false;

  async send(message: SmsMessage): Promise<SmsOutcome> {
    this.asked.push(message);
    return this.down ? { kind: 'unknown', failure: 'erreur 503' } : { kind: 'sent', gatewayId: 'its-name' };
  }

  askedFor(phone: string): number {
    return this.asked.filter((message) => message.to === phone).length;
  }
}

const gateway = new FakeGateway();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ sms: routeThrough(gateway), worker: true });
  await holdSms(api.pool);
});
afterAll(() => api.close());

async function readMessage(phone: string) {
  const { rows } = await api.pool.query('select * from sms_messages where recipient = $1', [phone]);
  expect(rows).toHaveLength(1);
  return rows[0];
}

const untilEnded = (phone: string, status: string) =>
  eventually(async () => expect(await readMessage(phone)).toMatchObject({ status }));

/** Waits until a number's message was tried so often, and has its next attempt made now. */
async function hurry(phone: string, attempts: number): Promise<void> {
  await eventually(async () =>
    expect(await readMessage(phone)).toMatchObject({ attempts, failure: 'fake : erreur 503' }),
  );
  await hurrySms(api.pool);
}

test('a queued message is sent once, and its body is wiped', async () => {
  const phone = nextPhone();
  await queueSms(api.db, { to: phone, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
  await untilEnded(phone, 'sent');
  const row = await readMessage(phone);
  expect(row).toMatchObject({ body: null, provider: 'fake', gateway_id: 'its-name', failure: null, attempts: 1 });
  expect(row.sent_at).toBeInstanceOf(Date);
  expect(gateway.asked.filter((message) => message.to === phone)).toEqual([
    { to: phone, text: 'Bonjour', reference: row.reference },
  ]);
});

test('no trace of a code is left in the database once it was sent', async () => {
  const phone = nextPhone();
  await api.client().post('/api/auth/signup', signUpBody(phone));
  await untilEnded(phone, 'sent');
  const [, code] = /est (\d{4})\./.exec(gateway.asked.find((message) => message.to === phone)?.text ?? '') ?? [];
  expect(code).toMatch(/^\d{4}$/);
  expect((await readMessage(phone)).body).toBeNull();
  await eventually(async () => {
    const { rows } = await api.pool.query('select payload from graphile_worker._private_jobs');
    expect(rows).toEqual([]);
  });
});

test('a message of a transaction that fails is never sent', async () => {
  const phone = nextPhone();
  await expect(
    api.db.transaction(async (tx) => {
      await queueSms(tx, { to: phone, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
      throw new Error('something else went wrong');
    }),
  ).rejects.toThrow('something else');
  const after = nextPhone();
  await queueSms(api.db, { to: after, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
  await untilEnded(after, 'sent');
  expect(await countSms(api, phone)).toBe(0);
  expect(gateway.askedFor(phone)).toBe(0);
});

describe('while the gateway is down', () => {
  test('a sign-up is answered all the same, and its message is sent when the gateway is back', async () => {
    gateway.down = true;
    const phone = nextPhone();
    const answer = await api.client().post('/api/auth/signup', signUpBody(phone));
    expect(answer.status).toBe(201);
    await eventually(() => expect(gateway.askedFor(phone)).toBe(1));
    expect(await readMessage(phone)).toMatchObject({ status: 'queued', body: expect.stringContaining('Guichet') });
    gateway.down = false;
    await hurry(phone, 1);
    await untilEnded(phone, 'sent');
    expect(await readMessage(phone)).toMatchObject({ body: null, attempts: 2, failure: null });
    expect(gateway.askedFor(phone)).toBe(2);
  });

  test('a message is tried for as long as it is worth something, then given up and wiped', async () => {
    gateway.down = true;
    const phone = nextPhone();
    await queueSms(api.db, { to: phone, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
    for (let attempts = 1; attempts < 6; attempts += 1) await hurry(phone, attempts);
    await eventually(() => expect(gateway.askedFor(phone)).toBe(6));
    await api.pool.query('update sms_messages set drop_after = now() where recipient = $1', [phone]);
    await hurry(phone, 6);
    await untilEnded(phone, 'expired');
    expect(await readMessage(phone)).toMatchObject({
      body: null,
      attempts: 6,
      provider: 'fake',
      gateway_id: null,
      failure: 'fake : erreur 503',
      sent_at: null,
    });
    expect(gateway.askedFor(phone)).toBe(6);
    gateway.down = false;
    const { id } = await readMessage(phone);
    const tools = {
      db: api.db,
      sms: routeThrough(gateway),
      outlast: (work: () => never) => work(),
      log: { error() {}, warn() {} },
    };
    await sendSms(tools, { id, job: '1' });
    expect(gateway.askedFor(phone)).toBe(6);
  });

  test('a message that grew old meanwhile is never sent', async () => {
    gateway.down = true;
    const phone = nextPhone();
    await queueSms(api.db, { to: phone, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
    await eventually(() => expect(gateway.askedFor(phone)).toBe(1));
    await api.pool.query("update sms_messages set drop_after = now() - interval '1 second' where recipient = $1", [
      phone,
    ]);
    gateway.down = false;
    await hurry(phone, 1);
    await untilEnded(phone, 'expired');
    expect(await readMessage(phone)).toMatchObject({ body: null, sent_at: null });
    expect(gateway.askedFor(phone)).toBe(1);
  });
});

test("a code's message grows old with its code, after 5 minutes", async () => {
  const phone = nextPhone();
  await api.client().post('/api/auth/signup', signUpBody(phone));
  const { rows } = await api.pool.query(
    `select m.drop_after = c.expires_at as together, c.expires_at - c.created_at = interval '5 minutes' as five
     from sms_messages m join otp_codes c on c.phone = m.recipient where m.recipient = $1`,
    [phone],
  );
  expect(rows).toEqual([{ together: true, five: true }]);
});

test('the database refuses to keep the body of a message that ended', async () => {
  const phone = nextPhone();
  await queueSms(api.db, { to: phone, text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
  await untilEnded(phone, 'sent');
  await expect(
    api.pool.query("update sms_messages set body = 'again' where recipient = $1", [phone]),
  ).rejects.toMatchObject({ constraint: 'sms_messages_wiped' });
});

describe('every text', () => {
  const hosts = [undefined, 'localhost', 'guichet.example', 'services.guichet-afrique-de-l-ouest.example'];
  for (const purpose of ['signup', 'reset'] as const)
    test.each(hosts)(`of a ${purpose} code on %s is GSM-7, one message long, and names the code once`, (host) => {
      const text = codeText('0042', purpose, host);
      for (const character of text) expect(gsm7).toContain(character);
      expect(text.length).toBeLessThanOrEqual(160);
      expect(text.split('\n')[0]?.match(/\b\d{4}\b/g)).toEqual(['0042']);
      // The last line is that of WebOTP (https://wicg.github.io/sms-one-time-codes/).
      if (host) expect(text.split('\n').at(-1)).toBe(`@${host} #0042`);
      expect(text).toContain('Guichet');
    });

  test("is one message long even where the host's name is not short", () => {
    for (const purpose of ['signup', 'reset'] as const)
      expect(codeText('0042', purpose, `${'a'.repeat(60)}.example.bf`).length).toBeLessThanOrEqual(160);
  });

  test('tells a sign-up from a reset', () => {
    expect(codeText('0042', 'signup', undefined)).toContain('vérification');
    expect(codeText('0042', 'reset', undefined)).toContain('réinitialisation');
  });

  test("that the product sends is so, with the site's host", async () => {
    const site = await startTestApi({ publicUrl: 'https://guichet.example:8443/' });
    try {
      const { phone } = await buildUser(site.db);
      const signUp = nextPhone();
      const codes = [await startSignUp(site, signUp), await startReset(site, phone)];
      const sent = site.sentSms();
      expect(sent.map((message) => message.to)).toEqual([signUp, phone]);
      sent.forEach(({ text }, index) => {
        expect(text).toContain(`est ${codes[index]?.code}.`);
        expect(text.split('\n').at(-1)).toBe(`@guichet.example #${codes[index]?.code}`);
        for (const character of text) expect(gsm7).toContain(character);
        expect(text.length).toBeLessThanOrEqual(160);
      });
    } finally {
      await site.close();
    }
  });
});

test("the file gateway adds one JSON line of to, text and at per message, for its owner's eyes only", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-sms-'));
  try {
    const file = path.join(folder, 'made', 'when needed', 'sms.jsonl');
    const gateway = fileGateway(file);
    expect(gateway.name).toBe('file');
    const before = Date.now();
    await gateway.send({ to: '+22670123456', text: 'première\n\n@guichet.example #0042', reference: 'a' });
    await gateway.send({ to: '+221771234567', text: 'seconde "ligne"', reference: 'b' });
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe('');
    const [first, second] = lines.slice(0, 2).map((line) => JSON.parse(line));
    expect(Object.keys(first)).toEqual(['to', 'text', 'at']);
    expect(first).toMatchObject({ to: '+22670123456', text: 'première\n\n@guichet.example #0042' });
    expect(second).toMatchObject({ to: '+221771234567', text: 'seconde "ligne"' });
    expect(new Date(first.at).toISOString()).toBe(first.at);
    expect(Date.parse(first.at)).toBeGreaterThanOrEqual(before);
    expect(statSync(file).mode & 0o077).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the console gateway prints a message on one line', async () => {
  const lines: string[] = [];
  await consoleGateway((line) => lines.push(line)).send({
    to: '+22670123456',
    text: 'code 0042\n\n@localhost #0042',
    reference: 'a',
  });
  expect(lines).toEqual([expect.stringMatching(/\+22670123456.*code 0042.*@localhost #0042$/)]);
  expect(lines[0]).not.toContain('\n');
});
