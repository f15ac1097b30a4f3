import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptPrefix, localStore } from '#web/store.ts';
import { storedUserKey, storeUser } from './stored-user.ts';

type Entries = Record<string, string>;
/** As in a browser: the keys are own properties, the methods are not. */
const methods = {
  getItem(this: Entries, key: string) {
    return this[key] ?? null;
  },
  setItem(this: Entries, key: string, value: string) {
    this[key] = value;
  },
  removeItem(this: Entries, key: string) {
    delete this[key];
  },
};
beforeEach(() => vi.stubGlobal('localStorage', Object.create(methods)));
afterEach(() => vi.unstubAllGlobals());

const awa = {
  id: 7,
  firstName: 'Awa',
  lastName: 'Sawadogo',
  phone: '+22670123456',
  email: null,
  isGuest: false,
  isVerified: true,
  isAdmin: false,
  countryCode: '+226',
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
} as const;

test("who signs in finds their own answers and nobody else's; who signs out leaves none", () => {
  const answersOf = (id: number) => `${keptPrefix}${id}:/api/tickets`;
  for (const id of [7, 77]) localStore.keep(answersOf(id), '[]');
  localStore.keep('guichet_theme', 'dark');
  storeUser(awa);
  expect(localStore.keys().toSorted()).toEqual([answersOf(7), 'guichet_theme', storedUserKey].toSorted());
  storeUser(undefined);
  expect(localStore.keys()).toEqual(['guichet_theme']);
});
