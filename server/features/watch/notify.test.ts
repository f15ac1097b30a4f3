import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAlarm, listAlarms, raiseAlarm } from '#server/features/alarms/store.ts';
import { tellLimits } from '#server/process/watch-limits.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { callWebhook, foldToGsm7, notifyAlarms, notifyStuckQueue, smsOf } from './notify.ts';
import { listUnnotified, markNotified } from './store.ts';

const phones = ['+22670112233', '+2250701020304'];
const secret = 'a secret of the tests';
const calls: { body: Record<string, unknown>; raw: string; headers: http.IncomingHttpHeaders }[] = [];
let answer: (response: http.ServerResponse) => void = (response) => response.end();
const hook = http.createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString();
  calls.push({ body: JSON.parse(raw), raw, headers: request.headers });
  answer(response);
});
let url: string;
let api: TestApi;
beforeAll(async () => {
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  url = `http://127.0.0.1:${(hook.address() as { port: number }).port}/alarms?key=abc`;
  api = await startTestApi({
    watching: { channels: { phones, webhook: { url, secret } }, publicUrl: 'https://guichet.example' },
  });
});
afterAll(async () => {
  await api.close();
  hook.closeAllConnections();
  hook.close();
});
beforeEach(async () => {
  await api.pool.query(
    `delete from alarms; delete from sms_messages where kind = 'alarm';
     select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`,
  );
  calls.length = 0;
  answer = (response) => response.end();
});

const raise = async (alarm: Parameters<typeof raiseAlarm>[1]) => {
  await raiseAlarm(api.db, alarm);
  await api.runJobs();
};
const clear = async (key: string) => {
  await clearAlarm(api.db, key);
  await api.runJobs();
};
const sentTexts = () => api.sentSms().map(({ to, text }) => `${to} ${text}`);
const disk = { key: 'disk', level: 'warning', message: 'Le disque est presque plein.' } as const;
const states = () => calls.map(({ body }) => `${body.key} ${body.level} ${body.state}`);

test('an alarm is told once per level, at once, to each number and to the webhook, and once when it ends', async () => {
  const before = api.sentSms().length;
  await raise(disk);
  expect(states()).toEqual(['disk warning raised']);
  await raise({ ...disk, message: 'Le disque est presque plein : 900 Mo.' });
  await raise({ ...disk, level: 'critical', message: 'Le disque est plein.' });
  expect(states()).toEqual(['disk warning raised', 'disk critical raised']);
  await raise(disk);
  await clear('disk');
  await clear('disk');
  expect(states()).toEqual(['disk warning raised', 'disk critical raised', 'disk warning ended']);
  const told = (text: string) => phones.map((to) => `${to} ${text}`);
  expect(sentTexts().slice(before).sort()).toEqual(
    [
      ...told('Guichet, attention : Le disque est presque plein.'),
      ...told('Guichet, urgent : Le disque est plein.'),
      ...told('Guichet, fini : Le disque est presque plein.'),
    ].sort(),
  );
  expect((await api.pool.query('select from graphile_worker.jobs')).rowCount).toBe(0);
});

test('the webhook gets JSON that its secret signs', async () => {
  await raise(disk);
  expect(calls).toHaveLength(1);
  const [call] = calls;
  const [alarm] = await listAlarms(api.db);
  expect(call?.body).toEqual({
    ...disk,
    since: alarm?.createdAt.toISOString(),
    state: 'raised',
    url: 'https://guichet.example',
    sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(call?.headers['content-type']).toBe('application/json');
  const mac = createHmac('sha256', secret)
    .update(call?.raw ?? '')
    .digest('hex');
  expect(call?.headers['x-guichet-signature']).toBe(`sha256=${mac}`);
});

test('what an undone transaction raised or took back is told to nobody', async () => {
  await raise(disk);
  await expect(
    api.db.transaction(async (tx) => {
      await clearAlarm(tx, 'disk');
      await raiseAlarm(tx, { ...disk, key: 'undone' });
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await raise({ ...disk, key: 'later' });
  expect(states()).toEqual(['disk warning raised', 'later warning raised']);
});

test('an alarm that ended before anybody was told of it is told to nobody', async () => {
  await api.db.transaction(async (tx) => {
    await raiseAlarm(tx, disk);
    await clearAlarm(tx, 'disk');
  });
  await raise({ ...disk, key: 'later' });
  expect(states()).toEqual(['later warning raised']);
});

test('several who tell at once tell each alarm once', async () => {
  await api.pool.query(
    "insert into alarms (key, level, message) select 'many-' || n, 'warning', 'x' from generate_series(1, 3) n",
  );
  const channels = { phones: [], webhook: { url, secret } };
  await Promise.all(Array.from({ length: 5 }, () => notifyAlarms(api.db, channels)));
  await api.runJobs();
  expect(states().sort()).toEqual([1, 2, 3].map((n) => `many-${n} warning raised`));
  expect((await listAlarms(api.db)).every((alarm) => alarm.toldAt !== null)).toBe(true);
});

test('where nobody asked to be told they stay untold, for whoever asks later', async () => {
  await api.pool.query("insert into alarms (key, level, message) values ('disk', 'warning', 'x')");
  await notifyAlarms(api.db, { phones: [] });
  expect((await listAlarms(api.db))[0]?.toldAt).toBeNull();
});

test('a day has so many SMS about alarms, some of them for what is urgent; the webhook hears of all', async () => {
  const ordinary = tellLimits.smsPerDay - tellLimits.smsKeptForCritical;
  const count = ordinary / phones.length + 3;
  await api.pool.query(
    "insert into alarms (key, level, message) select 'n-' || n, case n when 1 then 'critical' else 'warning' end, 'x' from generate_series(1, $1) n",
    [count],
  );
  await notifyAlarms(api.db, { phones, webhook: { url, secret } });
  const queued = () => api.pool.query("select 1 from sms_messages where kind = 'alarm'");
  expect((await queued()).rowCount).toBe(ordinary);
  await api.runJobs();
  expect(calls).toHaveLength(count);
  await raise({ ...disk, key: 'one-more' });
  expect(states()).toContain('one-more warning raised');
  expect((await queued()).rowCount).toBe(ordinary);
  const urgent = Array.from({ length: tellLimits.smsKeptForCritical }, (_, n) => `urgent-${n}`);
  for (const key of urgent) await raiseAlarm(api.db, { ...disk, key, level: 'critical' });
  await api.runJobs();
  expect(calls).toHaveLength(count + 1 + urgent.length);
  expect((await queued()).rowCount, 'what is urgent has the rest').toBe(tellLimits.smsPerDay);
});

/** Has the one call that the webhook answered 500 made again. */
async function callAgain(): Promise<void> {
  const { rows } = await api.pool.query(
    `select graphile_worker.reschedule_jobs(array[id], run_at => now()) from graphile_worker.jobs
     where attempts = 1 and last_error like '%answered 500%'`,
  );
  expect(rows).toHaveLength(1);
  await api.runJobs();
}

test('a webhook that fails is called again by the queue', async () => {
  answer = (response) => response.writeHead(500).end();
  await raise(disk);
  expect(calls).toHaveLength(1);
  answer = (response) => response.end();
  await callAgain();
  expect(states()).toEqual(['disk warning raised', 'disk warning raised']);
});

test('that the queue stands still is told beside the queue, once by however many processes, and again where nobody took it', async () => {
  // As a job of the queue would be, if it went on: what raises it queues no job here.
  const insert = () =>
    api.pool.query("insert into alarms (key, level, message) values ('queue', 'critical', 'x') on conflict do nothing");
  const tell = () => notifyStuckQueue(api.db, { phones, webhook: { url } }, 'https://guichet.example');
  await tell();
  expect(calls).toEqual([]);
  await insert();
  answer = (response) => response.writeHead(503).end();
  await expect(tell()).rejects.toThrow('503');
  answer = (response) => response.end();
  calls.length = 0;
  await Promise.all([tell(), tell(), tell()]);
  expect(calls.map(({ body }) => [body.key, body.state, body.url])).toEqual([
    ['queue', 'raised', 'https://guichet.example'],
  ]);
  const { rows } = await api.pool.query('select recipient from sms_messages where kind = $1', ['alarm']);
  expect(rows.map((row) => row.recipient).sort(), 'who hears of the end has heard of it').toEqual([...phones].sort());
});

describe('an alarm that changes while it is told', () => {
  const hook = () => ({ phones: [], webhook: { url, secret } });
  const insert = () => api.pool.query("insert into alarms (key, level, message) values ('disk', 'warning', 'x')");

  /** Has it changed by others between the moment that it is listed and the one that it is noted as told. */
  async function tellWhile(change: () => Promise<unknown>): Promise<void> {
    await insert();
    await api.db.transaction(async (tx) => {
      const untold = await listUnnotified(tx);
      await change();
      for (const ended of await markNotified(tx, untold))
        calls.push({ body: { ended: ended.key }, raw: '', headers: {} });
    });
  }

  test('and becomes worse, stays untold at its new level', async () => {
    await tellWhile(() => api.pool.query("update alarms set level = 'critical', told_at = null"));
    expect((await listAlarms(api.db))[0]?.toldAt).toBeNull();
    await notifyAlarms(api.db, hook());
    await api.runJobs();
    expect(states()).toEqual(['disk critical raised']);
  });

  test('and ends, is one whose end is told too', async () => {
    await tellWhile(() => clearAlarm(api.db, 'disk'));
    expect(calls.map(({ body }) => body)).toEqual([{ ended: 'disk' }]);
  });
});

test('what the webhook refused until it was over is told as its end alone', async () => {
  answer = (response) => response.writeHead(500).end();
  await raise(disk);
  answer = (response) => response.end();
  calls.length = 0;
  await clear('disk');
  expect(states()).toEqual(['disk warning ended']);
  expect(calls[0]?.body.since).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  await callAgain();
  expect(states()).toEqual(['disk warning ended']);
});

describe('a call of the webhook', () => {
  const news = { ...disk, since: new Date().toISOString(), state: 'raised', url: undefined } as const;
  test.each([
    ['a redirect', 302],
    ['a refusal', 403],
    ['trouble', 500],
  ])('fails on %s, and is not made elsewhere', async (_, status) => {
    answer = (response) => response.writeHead(status, { location: url }).end('x'.repeat(100_000));
    const failure = await callWebhook({ url }, news).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: `the webhook for alarms answered ${status}` });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers['x-guichet-signature']).toBeUndefined();
  });

  test('fails where nobody answers, in words without the address and its key', async () => {
    const failure = await callWebhook({ url: 'http://127.0.0.1:1/x?key=abc' }, news).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(`${failure} ${(failure as Error).cause}`).not.toContain('abc');
  });
});

describe('the words', () => {
  test.each([
    ['L’horloge « dérive » : ça coûte 5 €…', 'L\'horloge "dérive" : ca coute 5 EUR...'],
    ['À Bobo-Dioulasso, œuvre de l’été à Noël', "A Bobo-Dioulasso, oeuvre de l'été à Noel"],
    ['Il reste 8\u00a0% – 3,2\u202fGo (ÊÎÔÛ) 🙂', 'Il reste 8 % - 3,2 Go (EIOU) ?'],
  ])('%s', (text, folded) => {
    expect(foldToGsm7(text)).toBe(folded);
  });

  test('are one SMS, whatever the sentence', () => {
    const alphabet = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]{1,160}$/;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (message) => {
        expect(smsOf({ ...disk, message, since: '', state: 'raised' })).toMatch(alphabet);
      }),
    );
    const long = smsOf({ ...disk, message: 'très long '.repeat(30), since: '', state: 'ended' });
    expect(long).toHaveLength(160);
    expect(long).toMatch(/^Guichet, fini : .*\.\.\.$/);
  });
});
