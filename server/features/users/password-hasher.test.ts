import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Failure } from '#contract/failure.ts';
import { hashLimits, openPasswordHasher } from './password.ts';

const { atOnce, waiting } = hashLimits;

test('two are hashed at once, some wait, and who comes then is told when to come back', async () => {
  const desk = openPasswordHasher();
  const asked = Array.from({ length: atOnce + waiting + 5 }, () => desk.matches('secret', null));
  const answers = await Promise.allSettled(asked);
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(5);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(Failure);
    expect(reason).toMatchObject({ code: 'BUSY', details: { retryAfter: hashLimits.retryAfterSeconds } });
  }
  expect(await desk.hash('secret')).toMatch(/^\$argon2id\$/);
});

test('files are read while passwords are hashed', async () => {
  const desk = openPasswordHasher();
  const ended: string[] = [];
  const hashes = Array.from({ length: atOnce + waiting }, () => desk.hash('secret').then(() => ended.push('hash')));
  await readFile(import.meta.filename);
  ended.push('file');
  await Promise.all(hashes);
  // Of all at once the file would come last: the threads that read it would all be hashing.
  expect(ended.indexOf('file')).toBeLessThan(hashes.length / 2);
});
