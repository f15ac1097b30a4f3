import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeText } from '#server/features/entry/codes.ts';
import { nextPhone } from '#server/testing/builders.ts';
import { setClock } from '#server/testing/database-clock.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { fileGateway } from './gateways/local.ts';
import { createRoute, type SmsGateway, type SmsMessage, type SmsOutcome } from './sms-route.ts';
import { listGateways, type OutgoingSms, queueSms } from './store.ts';

/** A gateway that does as it is told, and notes what it was asked to send. */
class FakeGateway implements SmsGateway {
  readonly asked: SmsMessage[] = [];
  outcome: SmsOutcome = { kind: 'sent' };
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async send(message: SmsMessage): Promise<SmsOutcome> {
    this.asked.push(message);
    return this.outcome;
  }
}

const noon = '2026-11-26T12:00:00Z';
const [first, second] = [new FakeGateway('first'), new FakeGateway('second')];
const byDialCode = new Map([
  ['226', [first, second]],
  ['229', [first]],
]);
const api = await startTestApi({ sms: createRoute([first, second], byDialCode), clock: noon });
beforeEach(async () => {
  for (const each of [first, second]) Object.assign(each, { asked: [], outcome: { kind: 'sent' } });
  await api.pool.query('truncate sms_messages; update sms_gateways set failures_in_a_row = 0, failure = null');
  await api.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
  await setClock(api.pool, noon);
});

const queue = async (message: Partial<OutgoingSms> = {}) => {
  const to = message.to ?? nextPhone();
  await queueSms(api.db, { to, text: 'Bonjour', kind: 'test', lifetimeSeconds: 300, ...message });
  return to;
};
const readMessage = async () => (await api.pool.query('select status, body, sent_at from sms_messages')).rows[0];
/** Seconds until the queue tries the message again. */
const readPause = async () => {
  const { rows } = await api.pool.query(
    "select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where task_identifier = 'send_sms'",
  );
  return rows[0]?.seconds;
};
const afterNoon = async (seconds: number) => {
  await setClock(api.pool, new Date(Date.parse(noon) + seconds * 1_000).toISOString());
  await api.runJobs();
};

test('a message is sent once, its body is wiped, and nothing of it is left in the queue', async () => {
  const to = await queue();
  await api.runJobs();
  await api.runJobs();
  expect(first.asked).toEqual([{ to, text: 'Bonjour' }]);
  expect(await readMessage()).toEqual({ status: 'sent', body: null, sent_at: expect.any(Date) });
  expect(await readPause()).toBeUndefined();
});

test('a message of a transaction that fails is never sent', async () => {
  const failing = api.db.transaction(async (tx) => {
    await queueSms(tx, { to: nextPhone(), text: 'Bonjour', kind: 'test', lifetimeSeconds: 60 });
    throw new Error('something else went wrong');
  });
  await expect(failing).rejects.toThrow('something else');
  await api.runJobs();
  expect(first.asked).toEqual([]);
});

test('codes leave before decisions, whichever was queued first', async () => {
  const decision = await queue({ kind: 'decision' });
  const code = await queue({ kind: 'code' });
  await api.runJobs();
  expect(first.asked.map(({ to }) => to)).toEqual([code, decision]);
});

test.each<[string, SmsOutcome]>([
  ['refused the number', { kind: 'refused', failure: 'refus 400', about: 'number' }],
  ['refused our keys', { kind: 'refused', failure: 'refus 401', about: 'account' }],
  ['cannot be reached', { kind: 'unreachable', failure: 'injoignable (ECONNREFUSED)' }],
])('where a gateway %s, and so took no message for certain, the next one has it at once', async (_, outcome) => {
  first.outcome = outcome;
  await queue();
  await api.runJobs();
  expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
  expect((await readMessage()).status).toBe('sent');
});

describe('a gateway in doubt', () => {
  test.each<[string, SmsOutcome]>([
    ['503', { kind: 'unknown', failure: 'erreur 503', retryAfterSeconds: 40 }],
    ['silence', { kind: 'unknown', failure: 'pas de réponse à temps' }],
  ])('by %s: the message is tried later, beginning with the next gateway', async (_, outcome) => {
    first.outcome = outcome;
    await queue();
    await api.runJobs();
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    expect(await readPause()).toBeCloseTo(Math.E, 2);
    await afterNoon(3);
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    expect((await readMessage()).status).toBe('sent');
  });

  test('that is alone: pauses grow, Retry-After comes on top, and the message leaves when it is back', async () => {
    first.outcome = { kind: 'unknown', failure: 'erreur 503' };
    await queue({ to: '+2290190000001' });
    await api.runJobs();
    expect(await readPause()).toBeCloseTo(Math.E, 2);
    first.outcome = { kind: 'unknown', failure: 'erreur 503', retryAfterSeconds: 40 };
    await afterNoon(3);
    expect(await readPause()).toBeCloseTo(40 + Math.E ** 2, 2);
    first.outcome = { kind: 'sent' };
    await afterNoon(49);
    expect(first.asked).toHaveLength(2);
    await afterNoon(51);
    expect(first.asked).toHaveLength(3);
    expect((await readMessage()).status).toBe('sent');
  });

  test('that takes five messages a second is given 60 codes at once, and all leave within a minute', async () => {
    first.outcome = { kind: 'unknown', failure: 'trop de messages (429)', isThrottled: true };
    for (let code = 0; code < 60; code += 1) await queue({ to: '+2290190000001', kind: 'code' });
    const takesFive = () => {
      let left = 5;
      first.send = async () => {
        left -= 1;
        return left >= 0 ? { kind: 'sent' } : first.outcome;
      };
    };
    for (let second = 0; second < 60; second += 1) {
      takesFive();
      await afterNoon(second);
    }
    Reflect.deleteProperty(first, 'send');
    const { rows } = await api.pool.query('select status, count(*)::int from sms_messages group by status');
    expect(rows).toEqual([{ status: 'sent', count: 60 }]);
  });

  test.each([
    ['code', 300],
    ['decision', 86_400],
  ] as const)('a %s is tried until it is %d s old, then dropped and wiped', async (kind, lifetimeSeconds) => {
    first.outcome = { kind: 'unknown', failure: 'erreur 503' };
    await queue({ to: '+2290190000001', kind, lifetimeSeconds });
    await api.runJobs();
    for (let seconds = (await readPause()) + 1; seconds < lifetimeSeconds; seconds += (await readPause()) + 1)
      await afterNoon(seconds);
    expect(first.asked.length).toBeGreaterThan(4);
    expect(await readMessage()).toMatchObject({ status: 'queued', body: 'Bonjour' });
    const tries = first.asked.length;
    await afterNoon(3 * lifetimeSeconds);
    expect(await readMessage()).toMatchObject({ status: 'expired', body: null, sent_at: null });
    expect(first.asked).toHaveLength(tries);
    expect(await readPause()).toBeUndefined();
  });
});

test('failures in a row of a gateway are counted until its first success, and none by numbers that it does not know', async () => {
  const failures = async () => (await listGateways(api.db)).map((each) => `${each.name} ${each.failuresInARow}`);
  const send = async () => {
    await queue({});
    await api.runJobs();
  };
  first.outcome = { kind: 'refused', failure: 'refus 402', about: 'account' };
  await send();
  await send();
  expect(await failures()).toEqual(['first 2', 'second 0']);
  first.outcome = { kind: 'refused', failure: 'refus 400', about: 'number' };
  await send();
  expect(await failures()).toEqual(['first 2', 'second 0']);
  first.outcome = { kind: 'sent' };
  await send();
  expect(await failures()).toEqual(['first 0', 'second 0']);
});

test('what a gateway throws is a failure in doubt, and nothing of the message gets into the queue', async () => {
  first.send = async () => {
    throw new Error('out of memory');
  };
  await queue({ to: '+2290190000001', text: 'votre code est 0042' });
  await api.runJobs();
  Reflect.deleteProperty(first, 'send');
  const { rows } = await api.pool.query('select last_error, payload from graphile_worker._private_jobs');
  expect(rows[0].last_error).toMatch(/^SMS \d+ not sent yet: first : erreur interne/);
  expect(JSON.stringify(rows)).not.toMatch(/0042|90000001/);
});

/** The basic alphabet of GSM 03.38, whose characters count once. */
const gsm7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const hosts = [undefined, 'localhost', 'guichet.example', 'services.guichet-afrique.example', `${'a'.repeat(60)}.bf`];

test.each(hosts)('the text of a code on %s is GSM-7, one message long, and names the code once', (host) => {
  for (const purpose of ['signup', 'reset'] as const) {
    const text = codeText('0042', purpose, host);
    for (const character of text) expect(gsm7).toContain(character);
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text.split('\n')[0]?.match(/\b\d{4}\b/g)).toEqual(['0042']);
    expect(text).toContain(purpose === 'signup' ? 'vérification' : 'réinitialisation');
    // The last line is that of WebOTP (https://wicg.github.io/sms-one-time-codes/).
    if (host && host.length < 40) expect(text.split('\n').at(-1)).toBe(`@${host} #0042`);
  }
});

test("the file gateway adds one JSON line of to, text and at per message, for its owner's eyes only", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-sms-'));
  try {
    const file = path.join(folder, 'made', 'when needed', 'sms.jsonl');
    const gateway = fileGateway(file);
    await gateway.send({ to: '+22670123456', text: 'première\n\n@guichet.example #0042' });
    await gateway.send({ to: '+221771234567', text: 'seconde "ligne"' });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { to: '+22670123456', text: 'première\n\n@guichet.example #0042', at: expect.any(String) },
      { to: '+221771234567', text: 'seconde "ligne"', at: expect.any(String) },
    ]);
    expect(statSync(file).mode & 0o077).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
