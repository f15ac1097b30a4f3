import { expect, test } from 'vitest';
import type { SmsGateway } from './gateway.ts';
import { createRoute } from './sms-route.ts';

const gateway = (name: string, dialCodes?: string[]): SmsGateway => ({
  name,
  dialCodes,
  send: async () => ({ kind: 'sent', gatewayId: null }),
});
const [a, b, c] = [gateway('a', ['226']), gateway('b'), gateway('c')];

/** A route whose clock stands until it is told. */
function startRoute() {
  const clock = { now: 0 };
  const route = createRoute([a, b, c], new Map([['226', [a, b, c]]]), () => clock.now);
  const names = (to: string, ...doubtful: string[]) => route.order(to, doubtful).map(({ name }) => name);
  return { route, clock, names };
}

test('a number goes through its country’s gateways, and one of no country through those that serve every number', () => {
  const { names, route } = startRoute();
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
  expect(names('+33612345678')).toEqual(['b', 'c']);
  expect(route.listFor('229').map(({ name }) => name)).toEqual(['b', 'c']);
});

test('those that may have the message already come last, behind those that rest', () => {
  const { route, names } = startRoute();
  expect(names('+22670123456', 'a')).toEqual(['b', 'c', 'a']);
  expect(names('+22670123456', 'b', 'a')).toEqual(['c', 'a', 'b']);
  for (let time = 0; time < 3; time += 1) route.note('c', 'unknown');
  expect(names('+22670123456', 'a', 'b')).toEqual(['c', 'a', 'b']);
});

test('one that failed three times in a row comes last for a minute, then is tried once, and is back when it works', () => {
  const { route, clock, names } = startRoute();
  for (const kind of ['unknown', 'refused'] as const) route.note('a', kind);
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
  route.note('a', 'unreachable');
  expect(names('+22670123456')).toEqual(['b', 'c', 'a']);
  clock.now = 59_999;
  expect(names('+22670123456')).toEqual(['b', 'c', 'a']);
  clock.now = 60_000;
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
  route.note('a', 'unknown');
  expect(names('+22670123456')).toEqual(['b', 'c', 'a']);
  route.note('a', 'sent');
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
});

test('a success between failures counts from the start, and where all rest the order is as it was set', () => {
  const { route, names } = startRoute();
  for (const kind of ['unknown', 'unknown', 'sent', 'unknown', 'unknown'] as const) route.note('a', kind);
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) for (let time = 0; time < 3; time += 1) route.note(name, 'refused');
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
});
