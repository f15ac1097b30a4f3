import { expect, test } from 'vitest';
import type { PaymentPair } from '#contract/payments.ts';
import { inPlaces, toRows } from './use-pair-choice.ts';

const pair = (line: number, ticket: number, preTicked = true) =>
  ({ line: { id: line }, ticket: { id: ticket }, preTicked }) as PaymentPair;
const linesOf = (pairs: readonly PaymentPair[]) => pairs.map(({ line }) => line.id);

test('a poll moves no row: new pairs come below, and gone ones keep their places', () => {
  const shown = [pair(5, 50), pair(3, 30), pair(4, 40)];
  expect(linesOf(inPlaces(shown, [pair(9, 90), pair(4, 40), pair(5, 50)]))).toEqual([5, 3, 4, 9]);
  expect(linesOf(inPlaces([], shown))).toEqual([5, 3, 4]);
});

test('what was ticked by hand stays so, and what is gone is not ticked', () => {
  const hand = new Map([
    [1, { ticketId: 10, isTicked: false }],
    [2, { ticketId: 20, isTicked: true }],
  ]);
  const now = [pair(1, 10), pair(2, 20, false), pair(3, 30), pair(4, 40, false)];
  const rows = toRows([...now, pair(5, 50)], now, hand);
  expect(rows.map(({ id, isTicked }) => [id, isTicked])).toEqual([
    [1, false],
    [2, true],
    [3, true],
    [4, false],
    [5, false],
  ]);
  expect(rows.map(({ isGone }) => isGone)).toEqual([false, false, false, false, true]);
});

test('a tick does not pass over to another ticket of the same payment', () => {
  const hand = new Map([[1, { ticketId: 10, isTicked: true }]]);
  const now = [pair(1, 11)];
  expect(toRows(now, now, hand)).toMatchObject([{ id: 1, isTicked: false }]);
});
