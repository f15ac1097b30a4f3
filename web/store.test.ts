import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeStorage } from './api/test-storage.ts';
import { keptPrefix, localStore, sessionStore } from './store.ts';

const use = (storage: unknown) => {
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
};
const refuse = () => {
  for (const name of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(
      name,
      new Proxy({}, { get: () => raise(), ownKeys: () => raise(), getOwnPropertyDescriptor: () => raise() }),
    );
};
const raise = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};

beforeEach(() => use(makeStorage(100)));
afterEach(() => {
  for (const store of [localStore, sessionStore]) store.keys().forEach(store.forget);
  vi.unstubAllGlobals();
});

describe.each([
  ['refused', refuse],
  ['null, as in a WebView without it', () => use(null)],
  ['absent', () => use(undefined)],
  ['without room for anything', () => use(makeStorage(0))],
  [
    'full of what others wrote',
    () => {
      const storage = makeStorage(3);
      storage.setItem('other', '123');
      use(storage);
    },
  ],
])('a storage that is %s', (_, take) => {
  beforeEach(take);

  test.each([localStore, sessionStore])('keeps for this page what must be kept', (store) => {
    store.keep('guichet_user', 'Awa');
    expect(store.read('guichet_user')).toBe('Awa');
    expect(store.keys()).toContain('guichet_user');
    store.forget('guichet_user');
    expect(store.read('guichet_user')).toBeNull();
    expect(store.keys()).not.toContain('guichet_user');
  });

  test('keeps nothing else', () => {
    expect(localStore.tryToKeep('guichet_line', '1')).toBe(false);
    expect(localStore.read('guichet_line')).toBeNull();
  });
});

test("a storage that works is the browser's own, and nothing is kept beside it", () => {
  localStore.keep('resetPasswordPhone', '+226');
  expect(localStorage.getItem('resetPasswordPhone')).toBe('+226');
  expect(localStore.keys()).toEqual(['resetPasswordPhone']);
  localStorage.removeItem('resetPasswordPhone');
  expect(localStore.read('resetPasswordPhone')).toBeNull();
});

test('kept answers make room for what must be kept', () => {
  localStorage.setItem(`${keptPrefix}7:/api/services:{}`, 'x'.repeat(90));
  expect(localStore.tryToKeep('guichet_line', 'y'.repeat(20))).toBe(false);
  localStore.keep('guichet_user', 'y'.repeat(20));
  expect(Object.keys(localStorage)).toEqual(['guichet_user']);
});

test('what does not fit is never read as it was before, nor after there is room again', () => {
  localStore.keep('guichet_order', 'one');
  localStore.keep('guichet_order', 'z'.repeat(101));
  expect(localStore.read('guichet_order')).toBe('z'.repeat(101));
  expect(localStorage.getItem('guichet_order')).toBeNull();
  localStore.keep('guichet_order', 'two');
  expect([localStore.read('guichet_order'), localStorage.getItem('guichet_order')]).toEqual(['two', 'two']);
});
