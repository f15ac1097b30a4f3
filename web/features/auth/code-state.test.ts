import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '#web/store.ts';
import { readWait } from './code-state.ts';
import { keepWait } from './kept-for-code.ts';

const start = 1_800_000_000_000;
const day = 86_400;

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
});
// Later test files share this clock.
afterEach(() => {
  vi.useRealTimers();
  sessionStore.keys().forEach(sessionStore.forget);
});

test.each([
  ['at once', 0, 60],
  ['a while later', 20, 40],
  ['at the end', 60, 0],
  ['long after', 3 * day, 0],
  ['on a clock that is put back a little', -20, 40],
  ['on a clock that was 400 days ahead and is put right', -400 * day, 0],
  ['on a clock that jumps 400 days ahead', 400 * day, 0],
])('of a wait of 60 seconds is left, read %s (%i s): %i', (_, passed, left) => {
  keepWait(60);
  vi.setSystemTime(start + passed * 1_000);
  expect(readWait()).toBe(left);
});

test.each(['', '1800000060000', 'null', '{}', '{"at":"x","seconds":60}', '{"at":1'])(
  'of a kept %j nothing is left',
  (text) => {
    sessionStore.keep('guichet_next_code', text);
    expect(readWait()).toBe(0);
  },
);
