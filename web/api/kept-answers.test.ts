import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localStore } from '#web/store.ts';
import { keep, readKept } from './kept-answers.ts';
import { makeStorage } from './test-storage.ts';

const use = (room?: number) => vi.stubGlobal('localStorage', makeStorage(room));
beforeEach(() => use());
afterEach(() => vi.unstubAllGlobals());

test('an answer is read as it was kept, with its ETag and length, by its person from its address alone', () => {
  const answer = { data: [{ id: 4, name: 'Crédit "été"' }], etag: 'W/"un \\"a\\""', total: 4, isCapped: false };
  keep(7, '/api/services?parentId=1', answer);
  expect(readKept(7, '/api/services?parentId=1')).toEqual(answer);
  expect(readKept(7, '/api/services')).toBeUndefined();
  for (const other of [77, undefined]) expect(readKept(other, '/api/services?parentId=1')).toBeUndefined();
  keep(7, '/api/services?parentId=1', { data: [] });
  expect(readKept(7, '/api/services?parentId=1')).toEqual({ data: [] });
});

test('where there is no room for an answer the others go, and one that fits nowhere is not kept', () => {
  use(350);
  for (const name of ['a', 'b', 'c']) keep(7, name, { data: 'x'.repeat(90) });
  expect(readKept(7, 'a')?.data).toBe('x'.repeat(90));
  keep(7, 'd', { data: 'y'.repeat(90) });
  expect(readKept(7, 'a')).toBeUndefined();
  expect(readKept(7, 'd')?.data).toBe('y'.repeat(90));
  keep(7, 'e', { data: 'z'.repeat(900) });
  expect(readKept(7, 'e')).toBeUndefined();
});

test('what was kept of a person goes with them, and nothing else does', () => {
  localStorage.setItem('other', '1');
  keep(7, '/api/services', { data: 1 });
  keep(77, '/api/services', { data: 2 });
  localStore.forgetAnswers(7);
  expect(readKept(7, '/api/services')?.data).toBe(1);
  expect(readKept(77, '/api/services')).toBeUndefined();
  localStore.forgetAnswers();
  expect(Object.keys(localStorage)).toEqual(['other']);
});

test('an entry that is no answer any more is none', () => {
  keep(7, '/api/services', { data: 1 });
  const [key = ''] = Object.keys(localStorage);
  localStorage.setItem(key, '{"at":1,"da');
  expect(readKept(7, '/api/services')).toBeUndefined();
});
