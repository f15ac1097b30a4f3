import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Service } from '#contract/catalogue.ts';
import {
  forgetOrderDraft,
  keepOrderDraft,
  nothingTyped,
  type OrderDraft,
  readOrderDraft,
  startOrderDraft,
  updateOrderDraft,
} from './order-draft.ts';

const stored = new Map<string, string>();

/** The parts of the browser's storage that a draft uses. */
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});

let userNow: object | undefined;
vi.stubGlobal('localStorage', { getItem: () => (userNow ? JSON.stringify(userNow) : null) });

beforeEach(() => {
  stored.clear();
  userNow = undefined;
});

const services = [
  { id: 1, name: 'Transfert' },
  { id: 4, name: 'Orange Money' },
] as Service[];

/** Overwrites the stored draft, as an older version or a person could. */
function overwrite(text: string) {
  startOrderDraft(services);
  for (const key of stored.keys()) stored.set(key, text);
}

describe('an order', () => {
  test('begins with its services, nothing typed, and a key', () => {
    startOrderDraft(services);
    const key = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(readOrderDraft()).toEqual({ services, typed: nothingTyped, resume: false, key });
  });

  test('started again is another one: nothing typed, and another key', () => {
    startOrderDraft(services);
    const before = readOrderDraft();
    updateOrderDraft({ typed: { ...nothingTyped, amount: '5 000' }, resume: true });
    startOrderDraft(services);
    expect(readOrderDraft()).toMatchObject({ typed: nothingTyped, resume: false });
    expect(readOrderDraft()?.key).not.toBe(before?.key);
  });

  test('that was forgotten is none, and a late change does not bring it back', () => {
    startOrderDraft(services);
    forgetOrderDraft();
    updateOrderDraft({ resume: true });
    expect(readOrderDraft()).toBeUndefined();
    expect(stored.size).toBe(0);
  });

  test("is its owner's alone: theirs again when they are in again, and nobody's else", () => {
    const owner = { id: 7, firstName: 'Awa', isGuest: false };
    userNow = owner;
    startOrderDraft(services);
    for (const other of [undefined, { ...owner, id: 8 }, { ...owner, id: 9, isGuest: true }]) {
      userNow = other;
      updateOrderDraft({ resume: true });
      expect(readOrderDraft()).toBeUndefined();
    }
    userNow = owner;
    expect(readOrderDraft()).toMatchObject({ services, resume: false });
  });

  test('of a guest is there when the guest is gone, for whoever goes on with it', () => {
    userNow = { id: 9, firstName: 'Invité', isGuest: true };
    startOrderDraft(services);
    userNow = undefined;
    const draft = readOrderDraft() as OrderDraft;
    userNow = { id: 7, firstName: 'Awa', isGuest: false };
    expect(readOrderDraft()).toBeUndefined();
    keepOrderDraft(draft);
    expect(readOrderDraft()).toMatchObject({ services, key: draft.key });
  });

  test.each(['', '{', 'null', '{}', '{"services":[]}'])('kept as %j is none', (text) => {
    overwrite(text);
    expect(readOrderDraft()).toBeUndefined();
  });
});
