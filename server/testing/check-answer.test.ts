import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type FailureCode, failureCatalogue } from '#contract/failure.ts';
import { type Answer, checkAnswer } from './check-answer.ts';
import { endpoints } from './endpoints.ts';

const find = (operation: string) => endpoints.find((each) => each.operation === operation) as Endpoint;
const answer = (status: number, body: unknown, headers: Record<string, string> = {}, changedCookies = false) => ({
  status,
  body,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  changedCookies,
});
const refused = (code: FailureCode, more: object = {}, headers: Record<string, string> = {}) =>
  answer(failureCatalogue[code][0], { message: 'x', code, ...more }, headers);

test.each<[operation: string, answer: Answer]>([
  ['listServices', answer(200, [])],
  ['listTickets', answer(200, [], { 'x-total-count': '0' })],
  ['readMe', refused('NOT_SIGNED_IN')],
  ['signIn', refused('TOO_MANY', { retryAfter: 60 }, { 'retry-after': '60' })],
  ['signOut', answer(200, { message: 'x' }, {}, true)],
  ['listTickets', answer(304, '', { etag: 'W/"0123456789abcdef"' })],
])('lets an answer of %s pass that is as documented', (operation, each) => {
  expect(() => checkAnswer(find(operation), each)).not.toThrow();
});

test.each<[operation: string, why: RegExp, answer: Answer]>([
  ['readMe', /^GET \/api\/auth\/me \(readMe\) answered 403 FORBIDDEN: .*, NOT_SIGNED_IN/, refused('FORBIDDEN')],
  ['readMe', /409 NOT_SIGNED_IN: .*no such answer/, { ...refused('NOT_SIGNED_IN'), status: 409 }],
  ['readMe', /answered 400: .*no such answer/, answer(400, {})],
  ['listTickets', /answered 304: it has a body/, answer(304, [])],
  ['readDashboard', /answered 304: .*no such answer/, answer(304, '')],
  ['readMe', /answered 401: its body .*message/, answer(401, {})],
  ['readMe', /answered 200: its body .*'user'/, answer(200, {})],
  ['readMe', /answered 200: it is not application\/json/, answer(200, '', { 'content-type': 'text/html' })],
  ['signOut', /answered 200: its body has more than/, answer(200, { message: 'x', secret: 1 })],
  ['initData', /answered 200: its body .*boolean/, answer(200, { seeded: 'yes' })],
  ['signUp', /answered 200: .*no such answer/, answer(200, {})],
  ['listTickets', /answered 200: X-Total-Count is missing/, answer(200, [])],
  ['listTickets', /X-Total-Count is not as/, answer(200, [], { 'x-total-count': 'x' })],
  ['listServices', /X-Total-Count is not documented/, answer(200, [], { 'x-total-count': '0' })],
  ['signIn', /429 TOO_MANY: its body says to wait 60 s/, refused('TOO_MANY', { retryAfter: 60 })],
  ['readMe', /changes a cookie/, { ...refused('NOT_SIGNED_IN'), changedCookies: true }],
])('stops an answer of %s that is not: %s', (operation, why, each) => {
  expect(() => checkAnswer(find(operation), each)).toThrow(why);
});
