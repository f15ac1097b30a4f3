import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Db } from '#server/database/connect.ts';
import { nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type OutgoingSms, queueSms } from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(() => api.pool.query('truncate sms_days, sms_settings, sms_messages'));
afterAll(() => api.close());

const setCaps = (perDay: number, perCountry: number, { onDecision = false } = {}) =>
  api.pool.query(
    `insert into sms_settings (per_day, per_country_and_day, on_decision) values ($1, $2, $3)
     on conflict (id) do update set per_day = $1, per_country_and_day = $2, on_decision = $3`,
    [perDay, perCountry, onDecision],
  );
const message = (to: string, kind: OutgoingSms['kind'] | 'trusted' = 'code') => ({
  to,
  text: 'Bonjour',
  kind: kind === 'trusted' ? ('code' as const) : kind,
  isTrusted: kind === 'trusted',
  lifetimeSeconds: 60,
});
const queue = (to = nextPhone(), kind?: OutgoingSms['kind'] | 'trusted', options?: { limited: boolean }) =>
  api.db.transaction((tx: Db) => queueSms(tx, message(to, kind), options));
const countQueued = async () => (await api.pool.query('select count(*)::int as n from sms_messages')).rows[0].n;
const readDays = async () =>
  Object.fromEntries(
    (await api.pool.query('select dial_code, queued from sms_days')).rows.map((row) => [row.dial_code, row.queued]),
  );

describe("a day's caps", () => {
  const senders = inject('scale') === 'full' ? 12 : 4;
  test(`hold for many messages of ${senders} senders at once, over all and for each country`, async () => {
    await setCaps(120, 100, { onDecision: true });
    const kinds = ['code', 'trusted', 'decision'] as const;
    const messages = Array.from({ length: 80 * senders }, (_, index) => ({
      to: index % 10 === 0 ? `+22507${String(index).padStart(8, '0')}` : nextPhone(),
      kind: kinds[index % 3],
    }));
    let queued = 0;
    const sender = async () => {
      for (let each = messages.pop(); each; each = messages.pop()) if (await queue(each.to, each.kind)) queued += 1;
    };
    await Promise.all(Array.from({ length: senders }, sender));
    expect(queued).toBe(120);
    expect(await countQueued()).toBe(120);
    expect(await readDays()).toEqual({ all: 120, 226: 100, 225: 20 });
  });

  test("keep a part for each class: strangers' sign-ups leave room for resets and decisions, and these for them", async () => {
    await setCaps(1_000, 20, { onDecision: true });
    const sendAll = async (kind: OutgoingSms['kind'] | 'trusted') => {
      let sent = 0;
      while (await queue(nextPhone(), kind)) sent += 1;
      return sent;
    };
    // Three of the sign-ups, three of the trusted and four of the decisions are kept; ten are for all.
    expect(await sendAll('code')).toBe(13);
    expect(await sendAll('trusted')).toBe(3);
    expect(await sendAll('decision')).toBe(4);
    const { rows } = await api.pool.query(
      "select queued, signup, trusted, decision from sms_days where dial_code = 'all'",
    );
    expect(rows).toEqual([{ queued: 20, signup: 13, trusted: 3, decision: 4 }]);
    await api.pool.query('update sms_days set day = day - 1');
    expect(await sendAll('decision')).toBe(14);
    expect(await sendAll('trusted')).toBe(3);
    expect(await sendAll('code')).toBe(3);
  });

  test('are 500 and 100 until somebody sets others', async () => {
    await queue();
    await api.pool.query("update sms_days set queued = 99 where dial_code = '226'");
    expect(await queue()).toBe(true);
    expect(await queue()).toBe(false);
    await api.pool.query("update sms_days set queued = 499 where dial_code = 'all'");
    expect(await queue('+22507000001')).toBe(true);
    expect(await queue('+22507000002')).toBe(false);
  });

  test('keep a decision back without undoing what it is part of, and count an alarm and a test that go all the same', async () => {
    await setCaps(1, 1);
    expect(await queue(nextPhone(), 'decision')).toBe(true);
    await api.db.transaction(async (tx) => {
      expect(await queueSms(tx, message(nextPhone(), 'decision'))).toBe(false);
      await tx.ask();
    });
    expect(await readDays()).toEqual({ all: 1, 226: 1 });
    expect(await queue(nextPhone(), 'alarm')).toBe(true);
    expect(await queue(nextPhone(), 'test')).toBe(true);
    expect(await readDays()).toEqual({ all: 3, 226: 3 });
    expect(await countQueued()).toBe(3);
  });

  test('are counted without the message of a transaction that failed', async () => {
    const failing = api.db.transaction(async (tx) => {
      await queueSms(tx, message(nextPhone()));
      throw new Error('after all not');
    });
    await expect(failing).rejects.toThrow('after all not');
    expect(await readDays()).toEqual({});
    expect(await countQueued()).toBe(0);
  });

  test('begin anew with the day, in UTC', async () => {
    await setCaps(1, 1);
    await queue();
    expect(await queue()).toBe(false);
    await api.pool.query('update sms_days set day = day - 1');
    expect(await queue()).toBe(true);
    const { rows } = await api.pool.query(
      "select distinct (now() at time zone 'UTC')::date - day as ago from sms_days",
    );
    expect(rows.map(({ ago }) => ago).sort()).toEqual([0, 1]);
  });

  test('do not hold where limits are off, and what is sent is counted', async () => {
    await setCaps(1, 1);
    for (let sent = 0; sent < 3; sent += 1) expect(await queue(nextPhone(), 'code', { limited: false })).toBe(true);
    expect(await readDays()).toEqual({ all: 3, 226: 3 });
  });
});
