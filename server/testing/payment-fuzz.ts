import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { makeMessages } from './payment-messages.ts';
import { waveEvent, waveMark } from './wave-event.ts';

export interface FuzzedCall {
  method: 'POST';
  url: string;
  payload: string | Buffer;
  headers: Record<string, string>;
}
/** A source's path, and the secret of its signature. */
interface Source {
  path: string;
  secret: string;
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, {}, '', 1e308, '\0', '\ud800', '275760-09-13', 'x'.repeat(12_000)),
);
/** Most bodies have to get past the checks of their shape. */
const mostly = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 9, arbitrary: usual }, odd);
const stamp = mostly(fc.constantFrom(null, '', 'hier', '2026-13-45', '275760-09-13', 0, -1, 8.64e15, 1e300));
const written = (value: fc.Arbitrary<unknown>) => value.map((each) => JSON.stringify(each));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

/** What an app sends of an SMS: no payment from the sender that is allowed, and payments from anyone else. */
function smsBodies(): fc.Arbitrary<string> {
  const messages = makeMessages(7, { payments: 40, others: 240 });
  const payments = messages.filter(({ isPayment }) => isPayment).map(({ text }) => text);
  const others = messages.filter(({ isPayment, told }) => !isPayment && told.length === 0).map(({ text }) => text);
  // Another message each time. Digits might make a payment of it.
  const marked = fc.tuple(fc.constantFrom(...others), fc.nat(200), anyText).map(([text, at, mark]) => {
    const place = Math.min(at, text.length);
    return text.slice(0, place) + mark.replace(/\p{N}/gu, '') + text.slice(place);
  });
  const stranger = fc.constantFrom('+22670999999', '', '\0OrangeMoney', 'Orange Money 2');
  const from = (sender: fc.Arbitrary<unknown>, message: fc.Arbitrary<unknown>) =>
    fc.oneof(
      fc.record({ from: sender, text: message, sentStamp: stamp }, { requiredKeys: ['from', 'text'] }),
      fc.record({
        event: fc.constantFrom('sms:received', 'sms:received', 'system:ping', ''),
        payload: mostly(fc.record({ sender, message, receivedAt: stamp }, { requiredKeys: [] })),
      }),
    );
  const harmless = from(fc.constant('OrangeMoney'), fc.oneof(anyText, fc.constantFrom(...others), marked));
  return written(mostly(fc.oneof(harmless, from(stranger, fc.constantFrom(...payments)))));
}

/** Events of Wave's server, with one thing wrong at least. */
function waveBodies(): fc.Arbitrary<string> {
  const wrong = fc.constantFrom<object>(
    ...['', null, 'x'.repeat(101)].map((id) => ({ id })),
    ...[990, '-5', '1e5', '99999999999', '9,90', '990.5'].map((amount) => ({ amount })),
    ...['-1', '1.234', '0.5', 'NaN'].map((fee) => ({ fee })),
    ...['EUR', 'xof', null].map((currency) => ({ currency })),
    ...['', 'hier', null, 7, '275760-09-13'].map((when_created) => ({ when_created })),
  );
  const typed = fc.record({ id: mostly(anyText), sender_mobile: odd, client_reference: odd, custom_fields: odd });
  const data = fc.tuple(typed, wrong).map((fields) => waveEvent(Object.assign({}, ...fields)).data);
  const type = mostly(fc.constant('merchant.payment_received'));
  return written(fc.record({ id: mostly(anyText), type, data: mostly(data) }));
}

/**
 * Calls of the payment feed that tell of no payment: of every shape, size, type and encoding, at the addresses of these sources (of
 * phones whose messages are signed or not, and of Wave's server) and beside them, signed now by the right secret or otherwise.
 */
export function fuzzedCalls(sms: Source, signed: Source, wave: Source): fc.Arbitrary<FuzzedCall> {
  const [told, events] = [smsBodies(), waveBodies()];
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(20_000).map((deep) => '['.repeat(deep)),
    fc.tuple(told, fc.nat(200)).map(([text, end]) => text.slice(0, end)),
    told.map((text) => Buffer.from(text, 'utf16le')),
    fc.constant('x'.repeat(70_000)),
  );
  const paths = [sms, signed, wave].map(({ path }) => path);
  const unknown = ['x'.repeat(43), '', '%00', '%E0%A4%A', '..', 'a'.repeat(5_000)].map(
    (secret) => `/api/payment-feed/${secret}/sms`,
  );
  const elsewhere = [...unknown, `${sms.path}/`, `${sms.path}x`, `${sms.path}?x=%`, wave.path.replace(/wave$/, 'sms')];
  const types = ['text/plain', 'multipart/form-data', 'a', 'application/json; charset=utf-16'];
  const usual = { type: fc.constant('application/json'), encoding: fc.constant(''), mark: fc.constant('right') };
  const strange = {
    type: fc.constantFrom('application/json', ...types),
    encoding: fc.constantFrom('', '', 'gzip', 'x'),
    mark: fc.constantFrom('right', 'other', 'old', '', 't=1,v1=\u00e9', `t=${'9'.repeat(30)}`, 'v1=00,t='),
  };
  const at = (url: string, payload: fc.Arbitrary<string | Buffer>) =>
    fc.record({ url: fc.constant(url), payload, ...usual });
  const calls = fc.oneof(
    { weight: 4, arbitrary: at(sms.path, told) },
    { weight: 2, arbitrary: at(signed.path, told) },
    { weight: 2, arbitrary: at(wave.path, events) },
    { weight: 1, arbitrary: fc.record({ url: fc.constantFrom(...paths), payload: broken, ...usual }) },
    {
      weight: 1,
      arbitrary: fc.record({
        url: fc.constantFrom(...elsewhere, ...paths),
        payload: fc.oneof(told, events),
        ...strange,
      }),
    },
  ) as fc.Arbitrary<{ url: string; payload: string | Buffer; type: string; encoding: string; mark: string }>;
  return calls.map(({ url, payload, type, encoding, mark }) => {
    const secret = mark === 'other' ? 'une-autre-cle' : (url === wave.path ? wave : signed).secret;
    const time = Math.floor(Date.now() / 1_000) - (mark === 'old' ? 400 : 0);
    const isMade = ['right', 'other', 'old'].includes(mark);
    const headers = {
      'content-type': type,
      'x-timestamp': String(time),
      'x-signature': isMade ? createHmac('sha256', secret).update(`${payload}${time}`).digest('hex') : mark,
      'wave-signature': isMade ? waveMark(secret, payload, time) : mark,
      ...(encoding && { 'content-encoding': encoding }),
    };
    return { method: 'POST', url, payload, headers };
  });
}
