import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localStore } from '#web/store.ts';
import { keep, readKept } from './kept-answers.ts';

/** A fake storage with a limited number of characters, which counts writes. */
function makeStorage(room: number) {
  const entries: Record<string, string> = {};
  let writes = 0;
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    removeItem(key: string) {
      delete entries[key];
    },
    setItem(key: string, value: string) {
      const others = Object.entries(entries).filter(([each]) => each !== key);
      if (others.reduce((sum, [name, text]) => sum + name.length + text.length, key.length + value.length) > room)
        throw new DOMException('full', 'QuotaExceededError');
      entries[key] = value;
      writes += 1;
    },
  };
  // As in a browser: the keys are own properties, the methods are not.
  const storage = new Proxy(entries, { get: (_, name: string) => methods[name as keyof typeof methods] });
  return { storage, writes: () => writes };
}

let writes = () => 0;
function use(room = Number.POSITIVE_INFINITY): void {
  const made = makeStorage(room);
  writes = made.writes;
  vi.stubGlobal('localStorage', made.storage);
}
beforeEach(() => use());
afterEach(() => vi.unstubAllGlobals());

test('an answer is read as it was kept, by whom and for the input it was kept for', () => {
  keep(7, '/api/services', { query: { parentId: '1' } }, { data: [{ id: 4, name: 'Crédit "été"' }] });
  expect(readKept(7, '/api/services', { query: { parentId: '1' } })?.data).toEqual([{ id: 4, name: 'Crédit "été"' }]);
  expect(readKept(7, '/api/services', { query: {} })).toBeUndefined();
  expect(readKept(8, '/api/services', { query: { parentId: '1' } })).toBeUndefined();
});

test('what says the same is not written again', () => {
  keep(7, '/api/services', {}, { data: [1, 2] });
  keep(7, '/api/services', {}, { data: [1, 2] });
  expect(writes()).toBe(1);
  keep(7, '/api/services', {}, { data: [1, 2, 3] });
  expect(writes()).toBe(2);
});

test('where there is no room for an answer the others go, and one that fits nowhere is not kept', () => {
  use(430);
  for (const name of ['a', 'b', 'c']) keep(7, name, {}, { data: 'x'.repeat(90) });
  expect(readKept(7, 'a', {})?.data).toBe('x'.repeat(90));
  keep(7, 'd', {}, { data: 'y'.repeat(90) });
  expect(readKept(7, 'a', {})).toBeUndefined();
  expect(readKept(7, 'd', {})?.data).toBe('y'.repeat(90));
  keep(7, 'e', {}, { data: 'z'.repeat(900) });
  expect(readKept(7, 'e', {})).toBeUndefined();
});

test('what was kept of a person goes with them, and nothing else does', () => {
  localStorage.setItem('other', '1');
  keep(7, '/api/services', {}, { data: 1 });
  keep(77, '/api/services', {}, { data: 2 });
  localStore.forgetAnswers(7);
  expect(readKept(7, '/api/services', {})?.data).toBe(1);
  expect(readKept(77, '/api/services', {})).toBeUndefined();
  localStore.forgetAnswers();
  expect(Object.keys(localStorage)).toEqual(['other']);
});

test('an entry that is no answer any more is none', () => {
  keep(7, '/api/services', {}, { data: 1 });
  const [key = ''] = Object.keys(localStorage);
  localStorage.setItem(key, '{"at":1,"da');
  expect(readKept(7, '/api/services', {})).toBeUndefined();
});

test('an answer is kept with its ETag', () => {
  const answer = { data: [{ id: 1 }], etag: 'W/"un \\"a\\""' };
  keep(7, '/api/services', {}, answer);
  expect(readKept(7, '/api/services', {})).toEqual(answer);
  keep(7, '/api/services', {}, { data: [{ id: 2 }] });
  expect(readKept(7, '/api/services', {})?.etag).toBeUndefined();
  localStore.forgetAnswers(8);
  expect(readKept(7, '/api/services', {})).toBeUndefined();
});
