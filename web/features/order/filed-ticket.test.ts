import { expect, test, vi } from 'vitest';
import { forgetFiledTicket, keepFiledTicket, readFiledTicket } from './filed-ticket.ts';

const stored = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});

let userNow: object | undefined;
vi.stubGlobal('localStorage', { getItem: () => (userNow ? JSON.stringify(userNow) : null) });

test("a filed ticket is its owner's alone, until its code was seen or there is a newer one", () => {
  userNow = { id: 7, firstName: 'Awa' };
  expect(readFiledTicket()).toBeUndefined();
  keepFiledTicket({ id: 12, userId: 7 });
  expect(readFiledTicket()).toBe(12);
  userNow = { id: 8, firstName: 'Awa' };
  expect(readFiledTicket()).toBeUndefined();
  userNow = { id: 7, firstName: 'Awa' };
  keepFiledTicket({ id: 13, userId: 7 });
  expect(readFiledTicket()).toBe(13);
  forgetFiledTicket();
  expect(readFiledTicket()).toBeUndefined();
});
