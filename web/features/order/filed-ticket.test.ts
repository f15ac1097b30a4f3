import { afterEach, expect, test } from 'vitest';
import { storedUserKey } from '#web/session/stored-user.ts';
import { localStore, sessionStore } from '#web/store.ts';
import { forgetFiledTicket, keepFiledTicket, readFiledTicket } from './filed-ticket.ts';

const signInAs = (id: number) => localStore.keep(storedUserKey, JSON.stringify({ id, firstName: 'Awa' }));

afterEach(() => {
  for (const store of [localStore, sessionStore]) store.keys().forEach(store.forget);
});

test("a filed ticket is its owner's alone, until its code was seen or there is a newer one", () => {
  signInAs(7);
  expect(readFiledTicket()).toBeUndefined();
  keepFiledTicket({ id: 12, userId: 7 });
  expect(readFiledTicket()).toBe(12);
  signInAs(8);
  expect(readFiledTicket()).toBeUndefined();
  signInAs(7);
  keepFiledTicket({ id: 13, userId: 7 });
  expect(readFiledTicket()).toBe(13);
  forgetFiledTicket();
  expect(readFiledTicket()).toBeUndefined();
});
