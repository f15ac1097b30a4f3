import { createHmac } from 'node:crypto';
import pLimit from 'p-limit';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { messageLength } from '#contract/payments.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { openPaymentBook, openSource, orangeSms } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { signedByWave, waveEvent } from '#server/testing/wave-event.ts';

const logged: { level: number; msg: string; trouble?: string }[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const api = await startTestApi({ log, lockMs: 2_000 });
const { client: admin } = await buildAdmin(api);
let accountId: number;
beforeEach(async () => {
  logged.length = 0;
  ({ accountId } = await openPaymentBook(api, admin));
});

const key = 'cle-de-signature';
const minutes = 60_000;
const hours = 60 * minutes;
const open = (fields: object = {}, kind: 'sms' | 'wave' = 'sms') => openSource(admin, accountId, kind, fields);
const lines = async () => (await admin.get('/api/admin/payments')).body;
const unread = async () => (await admin.get('/api/admin/payments/messages')).body;
const source = async () => (await admin.get('/api/admin/payments/accounts')).body[0].sources[0];
/** The status of a body that is sent as it is. */
const post = async (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  (await api.app.inject({ method: 'POST', url, payload, headers })).statusCode;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const postJson = (url: string, body: unknown) => post(url, JSON.stringify(body), json);
const sms = (fields: object = {}) => ({ from: 'OrangeMoney', text: orangeSms(), sentStamp: Date.now(), ...fields });

describe('what has the secret is kept, whatever its form:', () => {
  test.each<[string, object]>([
    ['half an emoji in the name', { text: orangeSms().replace('AWA', 'AWA \ud83d') }],
    ['NUL in the name', { text: orangeSms().replace('AWA', 'AW\0A') }],
    ['a number of the SIM', { sim: 2 }],
    ['an object for the SIM', { sim: { slot: 1 } }],
    ['a sender with NUL', { from: 'OrangeMoney\0' }],
    ['a stamp that is an object', { sentStamp: { at: 1 } }],
    ['a stamp that is none, and another one', { sentStamp: 'hier', receivedStamp: [] }],
    ['fields of its own', { battery: 12, 'from ': null }],
  ])('%s, and read', async (_, fields) => {
    const { path } = await open();
    expect(await postJson(path, sms(fields))).toBe(200);
    expect(await lines()).toEqual([expect.objectContaining({ gross: 1_100, payer: '+22670111111' })]);
  });

  test.each<[string, string | Buffer, Record<string, string>]>([
    ['a plain text', orangeSms(), { 'content-type': 'text/plain' }],
    [
      'a plain text in Latin-1',
      Buffer.from(orangeSms().replace('recu', 'reçu'), 'latin1'),
      { 'content-type': 'text/plain' },
    ],
    ['a plain text in UTF-16', Buffer.from(orangeSms(), 'utf16le'), { 'content-type': 'text/plain; charset=utf-16le' }],
    ['a plain text without a type', orangeSms(), {}],
    ['a plain text that says it is JSON', orangeSms(), json],
    ['a text as JSON', JSON.stringify(orangeSms()), json],
    ['a plain text that says it is a form', orangeSms(), form],
    ['a form', new URLSearchParams({ text: orangeSms(), sim: 'SIM1' }).toString(), form],
  ])('%s without a sender is a person’s to believe', async (_, body, headers) => {
    const { path } = await open();
    expect(await post(path, body, headers)).toBe(200);
    expect(await lines()).toEqual([]);
    expect(await unread()).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(/^Vous avez re[cç]u 1,100/),
        why: expect.stringContaining('expéditeur'),
      }),
    ]);
    expect(await source()).toMatchObject({ trouble: { kind: 'sender' }, lastSeenAt: expect.any(String) });
  });

  test('a form with a sender is read', async () => {
    const { path } = await open();
    expect(await post(path, new URLSearchParams({ from: 'OrangeMoney', text: orangeSms() }).toString(), form)).toBe(
      200,
    );
    expect(await lines()).toHaveLength(1);
    expect(await source()).toMatchObject({ trouble: null });
  });

  test.each<[string, string]>([
    ['JSON of another app', JSON.stringify({ sender: 'OrangeMoney', content: orangeSms() })],
    ['a list', JSON.stringify([orangeSms()])],
    ['broken JSON', '{"from":"OrangeMoney","text":"Vous avez\nrecu"}'],
    ['JSON that is deeper than any stack', `${'['.repeat(30_000)}`],
    ['an event without a message', JSON.stringify({ event: 'sms:received', payload: { sender: 'OrangeMoney' } })],
  ])('%s is kept as its text', async (_, body) => {
    const { path } = await open();
    expect(await post(path, body, json)).toBe(200);
    expect(await lines()).toEqual([]);
    expect(await unread()).toEqual([
      expect.objectContaining({ text: body.slice(0, messageLength), why: expect.any(String) }),
    ]);
    expect(await source()).toMatchObject({ trouble: { kind: 'text' } });
  });

  test('a text longer than any SMS is cut, and is no payment', async () => {
    const { path } = await open();
    expect(await postJson(path, sms({ text: `${orangeSms()}${' merci'.repeat(9_000)}` }))).toBe(200);
    const [message] = await unread();
    expect([message.text.length, message.why]).toEqual([messageLength, expect.stringContaining('trop long')]);
    expect(await lines()).toEqual([]);
  });

  test('and what has no text is noted at its source', async () => {
    const { path } = await open();
    expect(await postJson(path, sms({ text: '' }))).toBe(200);
    expect(await unread()).toEqual([]);
    expect(await source()).toMatchObject({ trouble: { kind: 'text', minutes: null, at: expect.any(String) } });
    expect(logged).toEqual([expect.objectContaining({ level: 40, trouble: 'text' })]);
    // Said once, for as long as it lasts; a sign of life does not end it, a message with a text does.
    await postJson(path, sms({ text: null }));
    await postJson(path, { event: 'system:ping', payload: {} });
    expect([(await source()).trouble?.kind, logged.length]).toEqual(['text', 1]);
    await postJson(path, sms());
    expect(await source()).toMatchObject({ trouble: null });
    expect(logged.some(({ msg }) => msg.includes('SANOU'))).toBe(false);
  });

  test('an hour’s SMS at once', async () => {
    const { path } = await open();
    const texts = Array.from({ length: 100 }, (_, n) =>
      orangeSms({ reference: `PP261124.0700.1000${String(n).padStart(4, '0')}` }),
    );
    const inTurn = pLimit(20);
    const statuses = await inTurn.map(texts, (text) => postJson(path, sms({ text })));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await admin.get('/api/admin/payments')).headers['x-total-count']).toBe('100');
  });

  test('nothing, too much and what lacks the secret are refused', async () => {
    const { path } = await open();
    expect(await post(path, '', json)).toBe(400);
    expect(await post(path, '')).toBe(400);
    expect(await postJson(path, sms({ text: 'x'.repeat(70_000) }))).toBe(413);
    expect(await postJson(path.replace(/.{9}\/sms$/, 'xxxxxxxxx/sms'), sms())).toBe(401);
    expect([await unread(), await lines()]).toEqual([[], []]);
  });
});

/** A call of SMS Gateway (capcom6) by a phone whose clock is so far behind. */
async function sendSigned(
  path: string,
  {
    behind = 0,
    secret = key,
    message = orangeSms(),
    receivedAt = Date.now() as number | null,
    event = 'sms:received',
  } = {},
) {
  const payload = { sender: 'OrangeMoney', message, receivedAt: receivedAt && new Date(receivedAt).toISOString() };
  const body = JSON.stringify({ event, payload });
  const at = String(Math.floor((Date.now() - behind) / 1_000));
  const signature = createHmac('sha256', secret)
    .update(body + at)
    .digest('hex');
  return post(path, body, { ...json, 'x-timestamp': at, 'x-signature': signature });
}

describe('a signed phone', () => {
  test.each<[string, number, number]>([
    ['6 minutes behind', 6 * minutes, 6],
    ['7 hours behind', 7 * hours, 420],
    ['an hour ahead', -1 * hours, -60],
    ['a year behind', 365 * 24 * hours, 525_600],
  ])('whose clock is %s is let in, and its account says so until the clock is right', async (_, behind, told) => {
    const { path } = await open({ signingSecret: key });
    expect(await sendSigned(path, { behind })).toBe(200);
    expect(await lines()).toHaveLength(1);
    expect(await source()).toMatchObject({ trouble: { kind: 'clock', minutes: told } });
    // A repeat is known by its content.
    expect(await sendSigned(path, { behind })).toBe(200);
    expect(await lines()).toHaveLength(1);
    expect(logged).toEqual([expect.objectContaining({ level: 40, trouble: 'clock' })]);
    expect(await sendSigned(path, { event: 'system:ping' })).toBe(200);
    expect(await source()).toMatchObject({ trouble: null });
  });

  test.each(['0', '999999999999', '-1', 'hier', ''])(
    'whose clock says «\u00a0%s\u00a0» is let in all the same',
    async (time) => {
      const { path } = await open();
      const late = sms({ sentStamp: Date.UTC(2999, 0) });
      expect(await post(path, JSON.stringify(late), { ...json, 'x-timestamp': time })).toBe(200);
      expect(await lines()).toHaveLength(1);
      expect((await source()).trouble?.kind).toBe(/^\d+$/.test(time) ? 'clock' : undefined);
    },
  );

  test('with another key is refused, and its account says so until the right one signs', async () => {
    const { path } = await open({ signingSecret: key });
    expect(await sendSigned(path, { secret: 'une-autre-cle' })).toBe(401);
    expect(await source()).toMatchObject({ trouble: { kind: 'signature' }, lastSeenAt: null });
    const unsigned = await api.client().post(path, sms());
    expect(unsigned).toMatchObject({ status: 401, body: { code: 'SIGNATURE_INVALID' } });
    expect([await unread(), await lines()]).toEqual([[], []]);
    expect(logged).toEqual([expect.objectContaining({ level: 40, trouble: 'signature' })]);
    expect(await sendSigned(path)).toBe(200);
    expect(await source()).toMatchObject({ trouble: null });
  });
});

describe('a payment that tells no time', () => {
  const waveText =
    'Vous avez reçu 25,000F de Awa Exemple (770000097). Nouveau solde: 37,500F. ID de transaction: TXYZ90001';
  const near = (at: number) => expect.toSatisfy((each: string) => Math.abs(Date.parse(each) - at) < 2 * minutes);
  beforeEach(async () => {
    await api.pool.query("update payment_accounts set country = '+221', allowed_senders = '{OrangeMoney,Wave}'");
  });

  test.each<[string, number, number]>([
    ['30 hours ago', 30 * hours, 30 * hours],
    ['three weeks ago', 21 * 24 * hours, 21 * 24 * hours],
    ['in three minutes, by a clock that goes a little fast', -3 * minutes, -3 * minutes],
    ['tomorrow, which is not believed', -24 * hours, 0],
    ['a year ago, which is not either', 365 * 24 * hours, 0],
  ])('was sent %s', async (_, ago, dated) => {
    const { path } = await open();
    expect(await postJson(path, { from: 'Wave', text: waveText, sentStamp: Date.now() - ago })).toBe(200);
    expect(await lines()).toEqual([expect.objectContaining({ paidAt: near(Date.now() - dated) })]);
  });

  test.each(['', 'hier', '2026-13-45', '275760-09-13', 0, -1, 1e300, null])(
    'was sent at %j, which is no time: it is of the time at which it came',
    async (sentStamp) => {
      expect(await postJson((await open()).path, { from: 'Wave', text: waveText, sentStamp })).toBe(200);
      expect(await lines()).toEqual([expect.objectContaining({ paidAt: near(Date.now()) })]);
    },
  );

  test.each<[string, number, number, number]>([
    // Both apps tell the network's time of an SMS, whatever the phone's clock is.
    ['7 hours behind, at the time of the network', 7 * hours, 0, 0],
    ['7 hours behind, late, at the time of the network', 7 * hours, 30 * hours, 30 * hours],
    ['7 hours ahead, at the time of the network', -7 * hours, 0, 0],
    ['7 hours behind, by its clock', 7 * hours, 7 * hours, 0],
    ['7 hours ahead, by its clock', -7 * hours, -7 * hours, 0],
  ])('from a phone %s', async (_, behind, ago, dated) => {
    const { path } = await open({ signingSecret: key });
    expect(await sendSigned(path, { behind, message: waveText, receivedAt: Date.now() - ago })).toBe(200);
    expect(await lines()).toEqual([expect.objectContaining({ paidAt: near(Date.now() - dated) })]);
  });
});

test('a time of the SMS’s own counts as it is, weeks late, and none of the future is one', async () => {
  const { path } = await open();
  const at = (days: number) => new Date(Date.now() + days * 24 * hours).toISOString().slice(2, 10).replaceAll('-', '');
  const send = (day: string, serial: string) =>
    postJson(path, sms({ text: orangeSms({ reference: `PP${day}.0700.${serial}` }), sentStamp: Date.now() }));
  expect([await send(at(-40), '10000001'), await send(at(3), '10000002'), await send('991231', '10000003')]).toEqual([
    200, 200, 200,
  ]);
  expect((await lines()).map(({ reference }: { reference: string }) => reference.slice(-1))).toEqual(['1']);
  expect((await unread()).map(({ why }: { why: string }) => why)).toEqual([
    expect.stringContaining('futur'),
    expect.stringContaining('futur'),
  ]);
  const spent = (day: string) =>
    `Votre paiement de 500.00 FCFA, Frais: 4.3478 FCFA, Taxe: 0.6522 FCFA a B EXEMPLE a ete effectue avec succes. Votre solde est de : 9000.00 FCFA. Trans id: MP${day}.0700.20000001.`;
  const out = async () => (await api.pool.query("select from payment_lines where direction = 'out'")).rowCount;
  await postJson(path, sms({ text: spent('991231') }));
  expect(await out()).toBe(0);
  await postJson(path, sms({ text: spent(at(-1)) }));
  expect(await out()).toBe(1);
});

test.each([
  ['+226', '70112210', '+22670112210'],
  ['+223', '70112210', '+22370112210'],
  ['+225', '0700112210', '+2250700112210'],
  ['+221', '770112210', '+221770112210'],
])('a Wave SMS on an account of %s names a number of there', async (country, number, payer) => {
  await api.pool.query("update payment_accounts set country = $1, allowed_senders = '{}'", [country]);
  const text = `Vous avez reçu 25,000F de Awa Exemple (${number}). Nouveau solde: 37,500F. ID de transaction: TXYZ90001`;
  expect(await postJson((await open()).path, sms({ from: 'Wave', text }))).toBe(200);
  expect(await lines()).toEqual([expect.objectContaining({ gross: 25_000, payer })]);
});

describe("Wave's server", () => {
  test('is let in by a signature of now, or by the secret itself, whichever its portal was told', async () => {
    const { path, secret = '' } = await open({}, 'wave');
    const bearer = (given: string) =>
      post(path, JSON.stringify(waveEvent()), { ...json, authorization: `Bearer ${given}` });
    expect([await bearer('un-autre'), await bearer(''), await bearer(secret)]).toEqual([401, 401, 200]);
    const event = waveEvent({ id: 'T_2' });
    const now = Math.floor(Date.now() / 1_000);
    const status = async (at: number) => (await api.app.inject(signedByWave(path, secret, event, at))).statusCode;
    expect(await status(now - 420)).toBe(401);
    expect(await source()).toMatchObject({ trouble: { kind: 'clock', minutes: 7 } });
    expect(await status(now)).toBe(200);
    expect(await source()).toMatchObject({ trouble: null });
    expect(await lines()).toHaveLength(2);
  });

  test('keeps what is no event of its form as a message', async () => {
    const { path, secret = '' } = await open({}, 'wave');
    const send = async (body: unknown) => (await api.app.inject(signedByWave(path, secret, body as object))).statusCode;
    expect([await send({ type: 7 }), await send(['T_3'])]).toEqual([200, 200]);
    expect(await unread()).toHaveLength(2);
    expect(await source()).toMatchObject({ trouble: { kind: 'text' } });
  });
});
