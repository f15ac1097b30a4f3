import { expect, test } from 'vitest';
import { createRoute, type SmsGateway } from './sms-route.ts';

const gateway = (name: string, dialCodes?: string[]): SmsGateway => ({
  name,
  dialCodes,
  send: async () => ({ kind: 'sent', gatewayId: null }),
});
const [a, b, c] = [gateway('a', ['226']), gateway('b'), gateway('c')];

const route = createRoute([a, b, c], new Map([['226', [a, b, c]]]));
const names = (to: string, ...doubtful: string[]) => route.order(to, doubtful).map(({ name }) => name);

test("a number goes through its country's gateways, and one of no country through those that serve every number", () => {
  expect(names('+22670123456')).toEqual(['a', 'b', 'c']);
  expect(names('+33612345678')).toEqual(['b', 'c']);
  expect(route.listFor('229').map(({ name }) => name)).toEqual(['b', 'c']);
});

test('those that may have the message already come last', () => {
  expect(names('+22670123456', 'a')).toEqual(['b', 'c', 'a']);
  expect(names('+22670123456', 'b', 'a')).toEqual(['c', 'a', 'b']);
});
