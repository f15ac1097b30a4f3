import { createHmac } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { makeMessages } from '../../server/testing/payment-messages.ts';
import { Dice } from '../../server/testing/payment-sms.ts';
import { figure, type Rows } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openPool, openProduct } from './open-product.ts';
import { addAccount, addSource, askAsAdministrator } from './payments-account.ts';
import type { Stage } from './stage.ts';

const atOnce = 32;

interface Call {
  path: string;
  body: string | Buffer;
  headers: Record<string, string>;
}

/** So many calls of the feed that are no payments, of every shape and of none: what is answered, and what becomes of them. */
export async function measureFuzz(stage: Stage, count: number): Promise<Rows> {
  const product = await openProduct(stage, makeFolder(stage), { LOG_LEVEL: 'fatal' });
  const ask = await askAsAdministrator(product);
  const account = await addAccount(ask, { country: '+226', senders: ['OrangeMoney'] });
  const [sms, wave] = [await addSource(ask, account, 'sms'), await addSource(ask, account, 'wave')];
  const pool = openPool(stage, product.database);
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  stage.ends.add(() => agent.destroy());
  const dice = new Dice(20261124);
  const makers = fuzzers(dice, sms, wave);
  const answers: Record<string, number> = {};
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const status = await send(product.port, agent, dice.pick(makers)());
      answers[status] = (answers[status] ?? 0) + 1;
      if (left % 50_000 === 0) console.error(`${left} bodies left: ${JSON.stringify(answers)}`);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, one));
  const seconds = (performance.now() - start) / 1_000;
  const number = async (query: string) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${query}`)).rows[0]?.n ?? -1;
  while ((await number("payment_messages where state = 'waiting'")) > 0) await pause(200);
  const bad = Object.entries(answers).filter(([status]) => !(Number(status) < 500));
  return {
    [`${count.toLocaleString('en')} bodies: answered 5xx, or not at all`]: figure(
      bad.reduce((sum, [, times]) => sum + times, 0),
      { atMost: 0 },
      { answers: JSON.stringify(answers), 'bodies/s': Math.round(count / seconds) },
    ),
    'lines made of them': figure(await number('payment_lines'), { atMost: 0 }),
    'messages kept, of which jobs failed': figure(
      await number('graphile_worker.jobs where last_error is not null'),
      { atMost: 0 },
      { kept: await number('payment_messages') },
    ),
  };
}

function send(port: number, agent: http.Agent, { path, body, headers }: Call): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path, method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)));
      answer.on('error', () => resolve('cut'));
    });
    // A body that is too large is refused before it is all there: a connection that ends so was answered or is told apart.
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    request.end(body);
  });
}

interface Source {
  path: string;
  secret: string;
}

function fuzzers(dice: Dice, sms: Source, wave: Source): (() => Call)[] {
  const json = { 'content-type': 'application/json' };
  const messages = makeMessages(3, { payments: 260, others: 1_400 });
  const others = messages.filter(({ told }) => told.length === 0).map(({ text }) => text);
  const payments = messages.filter(({ isPayment }) => isPayment).map(({ text }) => text);
  const oddTexts = [
    '',
    ' ',
    '\0',
    '\u202e',
    '\ud800',
    '\u{1f4b8}',
    'é'.repeat(500),
    '9'.repeat(400),
    "'; drop table --",
    '$' + '{7*7}',
    '<b>',
  ];
  const oddValues: unknown[] = [
    null,
    true,
    -1,
    1e308,
    2 ** 53,
    -0,
    [],
    {},
    [[]],
    { toString: 1 },
    { $gt: '' },
    ...oddTexts,
  ];
  const odd = (): unknown => (dice.chance(0.5) ? dice.pick(oddValues) : dice.pick(oddTexts));
  const splice = (text: string) => {
    const at = dice.below(text.length + 1);
    return text.slice(0, at) + dice.pick(oddTexts) + text.slice(at + dice.below(5));
  };
  const stamp = () =>
    dice.pick<unknown>([Date.now(), 0, -1, 8.64e15, 1e300, '2026-13-45', '275760-09-13', '', null, 'hier', NaN, '1e3']);
  // From a sender that may send nothing that is a payment is said; what is one, others say.
  const text = () => (dice.chance(0.5) ? dice.pick(others) : splice(dice.pick(others)).slice(0, 12_000));
  const forged = () => (dice.chance(0.5) ? dice.pick(payments) : splice(dice.pick(payments)));
  const forwarded = () => ({
    from: 'OrangeMoney',
    text: `${text()} ${dice.digits(6)}`,
    sentStamp: stamp(),
    receivedStamp: stamp(),
    sim: odd(),
  });
  const strangers = () => ({
    from: dice.pick(['+22670999999', '', 'Orange Money 2', '\0OrangeMoney\u0130', '70']),
    text: forged(),
    sentStamp: stamp(),
  });
  const gateway = () => ({
    event: dice.pick(['sms:received', 'sms:received', 'system:ping', 'app:started', '']),
    payload: dice.pick<unknown>([
      null,
      { message: text(), sender: 'OrangeMoney', receivedAt: stamp() },
      { message: forged(), sender: '70999999' },
      {},
    ]),
  });
  const broken = (body: object) => {
    const fields = Object.entries(body);
    const changed = fields.map(([name, value]) => [
      dice.chance(0.3) ? `${name}${dice.pick(['', 's', '__proto__'])}` : name,
      dice.chance(0.4) ? odd() : value,
    ]);
    return { ...Object.fromEntries(changed), [dice.pick(['constructor', '__proto__', 'x'])]: odd() };
  };
  const call = (path: string, body: string | Buffer, headers: Record<string, string> = json): Call => ({
    path,
    body,
    headers,
  });
  const random = () => Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256)));
  const nested = () => '['.repeat(dice.below(20_000)) + dice.pick(['', '"']);
  /** One thing at least is wrong with it. */
  const event = () => ({
    id: dice.pick<unknown>(['EV_1', '', 1]),
    type: dice.pick(['merchant.payment_received', 'merchant.payment_received', 'checkout.session.completed', '']),
    data: dice.pick<unknown>([
      null,
      odd(),
      { id: '', amount: '990', fee: '10', currency: 'XOF', when_created: new Date().toISOString() },
      {
        id: `T_${dice.signs(8)}`,
        amount: dice.pick<unknown>(['-5', 'NaN', 990, '', '1e5', '99999999999', '9,90']),
        fee: '10',
        currency: 'XOF',
        when_created: new Date().toISOString(),
      },
      {
        id: `T_${dice.signs(8)}`,
        amount: '990',
        fee: '10',
        currency: dice.pick<unknown>(['EUR', null, 'xof']),
        when_created: new Date().toISOString(),
      },
      {
        id: `T_${dice.signs(8)}`,
        amount: '990',
        fee: dice.pick(['-1', '0.5', '1.234']),
        currency: 'XOF',
        when_created: new Date().toISOString(),
      },
      {
        id: `T_${dice.signs(8)}`,
        amount: '990',
        fee: '10',
        currency: 'XOF',
        when_created: dice.pick<unknown>(['', 'hier', null, 7]),
      },
    ]),
  });
  const signed = (body: string, secret: string) => {
    const time = Math.floor(Date.now() / 1_000);
    return {
      ...json,
      'wave-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}${body}`).digest('hex')}`,
    };
  };
  const strangeTypes = [
    'text/plain',
    'application/xml',
    'multipart/form-data',
    '',
    'application/json; charset=utf-16',
    'a/b',
  ];
  return [
    () => call(sms.path, JSON.stringify(forwarded())),
    () => call(sms.path, JSON.stringify(strangers())),
    () => call(sms.path, JSON.stringify(gateway())),
    () => call(sms.path, JSON.stringify(broken({ ...strangers(), from: '70' }))),
    () => call(sms.path, JSON.stringify(odd()) ?? ''),
    () => call(sms.path, random()),
    () => call(sms.path, dice.chance(0.5) ? nested() : splice(JSON.stringify(strangers()))),
    () => call(sms.path, JSON.stringify(strangers()), { 'content-type': dice.pick(strangeTypes) }),
    () =>
      call(sms.path, JSON.stringify({ from: '70', text: 'x'.repeat(dice.chance(0.02) ? 70_000 : dice.below(12_000)) })),
    () => call(wave.path, JSON.stringify(event())),
    () => {
      const body = JSON.stringify(dice.chance(0.7) ? event() : broken(event()));
      return call(wave.path, body, signed(body, wave.secret));
    },
    () =>
      call(wave.path, random(), {
        ...json,
        'wave-signature': dice.pick([
          '',
          't=1,v1=',
          't=,v1=é'.normalize('NFD').replace(/[^\x20-\x7e]/g, ''),
          'v1=00',
          `t=${'9'.repeat(30)}`,
        ]),
      }),
    () =>
      call(
        `/api/payment-feed/${dice.pick(['x'.repeat(43), '', '%00', '..', 'a'.repeat(5_000), '%E0%A4%A'])}/sms`,
        JSON.stringify(strangers()),
      ),
    () =>
      call(
        dice.pick([
          wave.path.replace(/wave$/, 'sms'),
          sms.path.replace(/sms$/, 'wave'),
          `${sms.path}/`,
          `${sms.path}?x=1`,
        ]),
        JSON.stringify(strangers()),
      ),
  ];
}
