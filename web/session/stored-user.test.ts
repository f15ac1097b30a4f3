import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#contract/users.ts';
import { makeStorage } from '#web/api/test-storage.ts';
import { keptPrefix, localStore } from '#web/store.ts';
import { storedUserKey, storeUser } from './stored-user.ts';

beforeEach(() => vi.stubGlobal('localStorage', makeStorage()));
afterEach(() => vi.unstubAllGlobals());

test("who signs in finds their own answers and nobody else's; who signs out leaves none", () => {
  const answersOf = (id: number) => `${keptPrefix}${id}:/api/tickets`;
  for (const id of [7, 77]) localStore.keep(answersOf(id), '[]');
  localStore.keep('guichet_theme', 'dark');
  storeUser({ id: 7, firstName: 'Awa' } as User);
  expect(localStore.keys().toSorted()).toEqual([answersOf(7), 'guichet_theme', storedUserKey].toSorted());
  storeUser(undefined);
  expect(localStore.keys()).toEqual(['guichet_theme']);
});
