import { expect, test } from 'vitest';
import { statementClocks } from '#server/features/payments/intake/limits.ts';
import { httpLimits } from './limits.ts';

// As the product has them: the tests' own copies are patient.
const { databaseLimits }: typeof import('#server/database/limits.ts') =
  // @ts-expect-error the query makes it another module
  await import('#server/database/limits.ts?served');
const { imageLimits }: typeof import('#server/features/uploads/limits.ts') =
  // @ts-expect-error the query makes it another module
  await import('#server/features/uploads/limits.ts?served');

/** Each with what it is around: the inner clock ends first, so that its sentence is what the caller reads. */
const { encoding, seconds } = imageLimits;
const { waiting, readMs, writeMs } = statementClocks;
const lastWordsMs = databaseLimits.statementMs + databaseLimits.answerMs;
test.each<[string, number, string, number]>([
  ['a wait for a lock', databaseLimits.lockMs, 'a statement', databaseLimits.statementMs],
  ['a wait to file', databaseLimits.filingTurnMs, 'a statement', databaseLimits.statementMs],
  ['a statement', databaseLimits.statementMs, 'its answer', databaseLimits.answerMs],
  ['an answer of the database', databaseLimits.answerMs, 'a handler', httpLimits.handlerMs],
  [
    'a statement file, waited for, read and written',
    (waiting + 1) * readMs + writeMs + lastWordsMs,
    'the work on a file that has arrived',
    httpLimits.uploadWorkMs,
  ],
  ['the images in front, and this one', (encoding.waiting + 1) * seconds * 1_000, 'that work', httpLimits.uploadWorkMs],
  [
    'a file on its way, and the work on it',
    httpLimits.requestMs + httpLimits.uploadWorkMs - 1,
    'its handler',
    httpLimits.uploadHandlerMs,
  ],
  ['a handler', httpLimits.handlerMs, 'a silent connection', httpLimits.idleConnectionMs],
  ['the work on a file', httpLimits.uploadWorkMs, 'a silent connection', httpLimits.idleConnectionMs],
  ['headers', httpLimits.headersMs, 'a whole request', httpLimits.requestMs],
])('%s (%d ms) ends before %s (%d ms)', (_, inner, __, outer) => {
  expect(inner).toBeLessThan(outer);
});
