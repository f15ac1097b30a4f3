import { expect, test } from 'vitest';
import { retryWhileDatabaseIsDown } from './retry-while-database-is-down.ts';

/** Work that fails with these SQLSTATEs, one after the other, and then is done. */
function failWith(...states: string[]) {
  const work = {
    times: 0,
    async do() {
      const code = states[work.times];
      work.times += 1;
      if (code) throw Object.assign(new Error(`failed with ${code}`), { code });
      return 'done';
    },
  };
  return work;
}

const { signal } = new AbortController();

test.each([
  ['57P03', 'the database starts'],
  ['57P01', 'it was told to stop'],
  ['53300', 'it has too many connections'],
  ['08006', 'the connection broke'],
  ['ECONNREFUSED', 'nobody listens'],
  ['EPIPE', 'nobody listens any more'],
])('after %s (%s) the work is done again', async (state) => {
  const work = failWith(state);
  expect(await retryWhileDatabaseIsDown(work.do, signal)).toBe('done');
  expect(work.times).toBe(2);
});

test.each(['22P02', '23514', '42P01'])("%s is the statement's own fault, and thrown at once", async (state) => {
  const work = failWith(state);
  await expect(retryWhileDatabaseIsDown(work.do, signal)).rejects.toThrow(state);
  expect(work.times).toBe(1);
});

test('a process that stops waits for no database', async () => {
  const stopping = new AbortController();
  const work = failWith(...Array.from({ length: 1_000 }, () => '57P03'));
  const done = retryWhileDatabaseIsDown(work.do, stopping.signal);
  stopping.abort();
  await expect(done).rejects.toThrow('57P03');
});
