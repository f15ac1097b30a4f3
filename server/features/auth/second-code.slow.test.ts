import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAlarms } from '#server/features/alarms/store.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import {
  countSms,
  letPass,
  listTries,
  otherThan,
  readUserRow,
  startReset,
  startSignUp,
} from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { countTry } from './second-code.ts';
import { createFlow, type Purpose, saveCode, takeTry } from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
beforeEach(() => api.pool.query('truncate otp_flows, rate_limits, sms_settings, sms_messages, alarms cascade'));
afterAll(() => api.close());

const wrong = { status: 400, body: { code: 'CODE_INVALID' } };
const second = { status: 403, body: { code: 'SECOND_CODE', message: expect.stringContaining('second code') } };
const alarms = async () => (await listAlarms(api.db)).map(({ key, level }) => `${key} ${level}`);
const paths = { signup: '/api/auth/verify-otp', reset: '/api/auth/verify-reset-otp' };

/** A browser with a code that was sent for it. */
async function start(purpose: Purpose, phone?: string, client?: TestClient) {
  const to = phone ?? (purpose === 'reset' ? (await buildUser(api.db)).phone : nextPhone());
  const started = purpose === 'reset' ? await startReset(api, to, client) : await startSignUp(api, to);
  const enter = (code: string, caller = started.client) => caller.post(paths[purpose], { phone: to, code });
  return {
    ...started,
    phone: to,
    enter,
    right: () => enter(started.code),
    wrong: () => enter(otherThan(started.code)),
  };
}

/** Wrong codes that nobody corrects, of other numbers, as if each had been entered. */
async function enterWrong(
  purpose: Purpose,
  times: number,
  { phone = '+22679999999', daysAgo = 0, isKnown = false } = {},
) {
  await api.pool.query(
    `with flows as (
       insert into otp_flows (phone, purpose, claim, is_known, created_at)
       select $1, $2, case when $2 = 'signup' then '{}'::jsonb end, $5, now() - make_interval(days => $4)
       from generate_series(1, $3::int) returning id)
     insert into otp_codes (flow_id, phone, code, attempts, is_used, expires_at, created_at)
     select id, $1, 'x', 1, true, now(), now() - make_interval(days => $4) from flows`,
    [phone, purpose, times, daysAgo, isKnown],
  );
}

describe.each(['signup', 'reset'] as const)('a right code of a %s', (purpose) => {
  test('suffices after 11 wrong ones of a day, and after 12 takes a second, sent to the same number', async () => {
    await enterWrong(purpose, 11);
    expect((await (await start(purpose)).right()).status).toBe(200);
    const one = await start(purpose);
    expect(await one.wrong()).toMatchObject(wrong);
    const { phone, client, right, enter } = await start(purpose);
    const refused = await right();
    expect(refused).toMatchObject(second);
    // The wait for the third code of a day.
    expect(refused.body.retryAfter).toBeGreaterThan(110);
    expect(client.cookies.has('guichet_session')).toBe(false);
    expect(await countSms(api, phone)).toBe(2);
    const sent = await api.readCode(phone, 2);
    expect((await enter(sent)).status).toBe(200);
    expect(await alarms()).toEqual([`second-codes:${purpose} warning`]);
    // Those of the other purpose are counted apart.
    const other = await start(purpose === 'signup' ? 'reset' : 'signup');
    expect((await other.right()).status).toBe(200);
  });

  test('takes back the wrong ones of its browser: people who mistype and then succeed cost nothing', async () => {
    for (let person = 0; person < 8; person += 1) {
      const { wrong: mistype, right } = await start(purpose);
      for (const enter of [mistype, mistype]) expect(await enter()).toMatchObject(wrong);
      expect((await right()).status).toBe(200);
    }
    expect(await alarms()).toEqual([]);
  });

  test('is accepted from its browser, whatever strangers without its cookie tried', async () => {
    const { phone, code, enter, right } = await start(purpose);
    for (let tries = 0; tries < 5; tries += 1) expect(await enter(otherThan(code), api.client())).toMatchObject(wrong);
    expect(await enter(code, api.client())).toMatchObject(wrong);
    expect(await listTries(api, phone)).toEqual([0]);
    expect((await right()).status).toBe(200);
    const { rows } = await api.pool.query('select stranger_attempts from otp_codes where phone = $1', [phone]);
    expect(rows).toEqual([{ stranger_attempts: 3 }]);
  });

  test('is accepted after a stranger used up ten failures of the number', async () => {
    const { phone, enter, code, right } = await start(purpose);
    for (let tries = 0; tries < 2; tries += 1) await enter(otherThan(code), api.client());
    const { rows } = await api.pool.query('update rate_limits set points = 10 where key like $1 returning key', [
      `codesFailedPerPhone:stranger:${purpose}:${phone}`,
    ]);
    expect(rows).toHaveLength(1);
    expect(await enter(code, api.client())).toMatchObject({ status: 429 });
    expect((await right()).status).toBe(200);
  });
});

describe('the second code', () => {
  const startSecond = async (phone?: string) => {
    await enterWrong('reset', 12);
    const one = await start('reset', phone);
    expect(await one.right()).toMatchObject(second);
    return { ...one, second: await api.readCode(one.phone, 2) };
  };

  test('is another one, has three tries of its own, and only its own browser enters it', async () => {
    const { phone, code, enter, second: sent } = await startSecond();
    expect(sent).not.toBe(code);
    expect(await enter(sent, api.client())).toMatchObject(wrong);
    for (let tries = 0; tries < 3; tries += 1)
      expect(await enter(['7777', '8888', '9999'].find((each) => each !== sent && each !== code) ?? '')).toMatchObject(
        wrong,
      );
    expect(await listTries(api, phone)).toEqual([1, 3]);
    expect(await enter(sent)).toMatchObject(wrong);
  });

  test('gives way to a first one where another is asked for', async () => {
    const { phone, client, enter, second: sent } = await startSecond();
    await letPass(api, phone, 120);
    expect((await client.post('/api/auth/resend-reset-otp', { phone })).status).toBe(200);
    const third = await api.readCode(phone, 3);
    if (third !== sent) expect(await enter(sent)).toMatchObject(wrong);
    expect(await enter(third)).toMatchObject(second);
    expect((await enter(await api.readCode(phone, 4))).status).toBe(200);
  });

  test('is said again, and not sent again, to a browser that lost the answer and repeats the first', async () => {
    const { phone, right, enter, second: sent } = await startSecond();
    for (const answer of [await right(), await right(), ...(await Promise.all([right(), right()]))])
      expect(answer).toMatchObject(second);
    expect(await listTries(api, phone)).toEqual([1, 0]);
    expect(await countSms(api, phone)).toBe(2);
    expect((await enter(sent)).status).toBe(200);
  });

  test('is sent once to a first code that comes several times at once', async () => {
    await enterWrong('reset', 12);
    const { phone, right, enter } = await start('reset');
    const answers = await Promise.all([right(), right(), right()]);
    for (const answer of answers) expect(answer).toMatchObject(second);
    expect(await countSms(api, phone)).toBe(2);
    expect((await enter(await api.readCode(phone, 2))).status).toBe(200);
  });

  test('is said again to a browser whose first code waited while it was sent', async () => {
    const { phone, right } = await start('reset');
    const sender = await api.pool.connect();
    try {
      await sender.query('begin');
      await sender.query('update otp_codes set is_used = true where phone = $1', [phone]);
      await sender.query(
        `insert into otp_codes (flow_id, phone, code, is_second, expires_at)
         select flow_id, phone, 'x', true, expires_at from otp_codes where phone = $1`,
        [phone],
      );
      const waiting = right();
      await untilBlocked(api.pool, sender);
      await sender.query('commit');
      expect(await waiting).toMatchObject(second);
    } finally {
      sender.release(true);
    }
  });

  test("is one of the number's five of the day", async () => {
    await enterWrong('reset', 12);
    const { phone } = await buildUser(api.db);
    for (const pause of [60, 120, 300, 300]) {
      await start('reset', phone);
      await letPass(api, phone, pause);
    }
    const { right } = await start('reset', phone);
    expect(await right()).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
    expect(await countSms(api, phone)).toBe(5);
  });

  test("is one of the caps' messages: where it cannot go, the first is not spent", async () => {
    await enterWrong('reset', 12);
    const { phone, right, enter } = await start('reset');
    await api.pool.query('insert into sms_settings (per_country_and_day) values (1)');
    expect(await right()).toMatchObject({ status: 503, body: { code: 'SMS_PAUSED' } });
    expect(await countSms(api, phone)).toBe(1);
    await api.pool.query('update sms_settings set per_country_and_day = 500');
    expect(await right()).toMatchObject(second);
    expect((await enter(await api.readCode(phone, 2))).status).toBe(200);
  });

  test('is asked of a caller without the cookie too, who cannot enter it', async () => {
    await enterWrong('signup', 12);
    const { phone, code, enter, right } = await start('signup');
    const stranger = api.client();
    expect(await enter(code, stranger)).toMatchObject(second);
    const sent = await api.readCode(phone, 2);
    expect(await enter(sent, stranger)).toMatchObject(wrong);
    expect(await readUserRow(api, phone)).toMatchObject({ is_verified: false });
    // Its own browser knows nothing of it, and goes on.
    expect(await right()).toMatchObject(second);
    expect((await enter(sent)).status).toBe(200);
  });
});

describe('wrong codes', () => {
  test('of one number count for 30 days, and those of others for one', async () => {
    const { phone } = await buildUser(api.db);
    await enterWrong('reset', 15, { phone, daysAgo: 29 });
    await enterWrong('reset', 30, { daysAgo: 2 });
    expect((await (await start('reset')).right()).status).toBe(200);
    expect(await (await start('reset', phone)).right()).toMatchObject(second);
    await letPass(api, phone, 2 * 86_400);
    expect((await (await start('reset', phone)).right()).status).toBe(200);
  });

  test('of others do not reach a browser that signed in to the account before, and its own do', async () => {
    const { phone } = await buildUser(api.db);
    const known = api.client();
    const signIn = await known.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword });
    expect(signIn.status).toBe(200);
    await enterWrong('reset', 30);
    await enterWrong('reset', 30, { phone, daysAgo: 3 });
    expect((await (await start('reset', phone, known)).right()).status).toBe(200);
    await letPass(api, phone, 60);
    await enterWrong('reset', 15, { phone, daysAgo: 3, isKnown: true });
    expect(await (await start('reset', phone, known)).right()).toMatchObject(second);
    // Of another account it knows nothing.
    expect(await (await start('reset', undefined, known)).right()).toMatchObject(second);
  });

  test('of browsers that the account knows count for its number alone', async () => {
    await enterWrong('reset', 30, { isKnown: true });
    expect((await (await start('reset')).right()).status).toBe(200);
    expect(await alarms()).toEqual([]);
  });

  test("of strangers at somebody's code count, also when its owner enters it; not where the stranger was right", async () => {
    for (let person = 0; person < 4; person += 1) {
      const { code, enter, right } = await start('signup');
      for (let tries = 0; tries < 3; tries += 1) await enter(otherThan(code), api.client());
      // The fourth's own try is the thirteenth.
      expect(await right()).toMatchObject(person < 3 ? { status: 200 } : second);
    }
    await api.pool.query('truncate otp_flows cascade');
    for (let person = 0; person < 5; person += 1) {
      const { code, enter } = await start('signup');
      for (let tries = 0; tries < 2; tries += 1) await enter(otherThan(code), api.client());
      expect((await enter(code, api.client())).status).toBe(200);
    }
    expect((await (await start('signup')).right()).status).toBe(200);
  });

  test('are taken before they are counted: of thirty at once no more than 12 could have succeeded', async () => {
    const flows = [];
    for (let index = 0; index < 30; index += 1) {
      const flow = await createFlow(api.db, { phone: nextPhone(), purpose: 'reset', claim: null });
      await saveCode(api.db, flow, { hashed: 'x', isSecond: false });
      flows.push(flow);
    }
    const judged = await Promise.all(
      flows.map(async ({ id, phone }) => {
        await takeTry(api.db, id, { isStranger: false });
        return countTry(api.db, { purpose: 'reset', phone, isKnown: false }, false);
      }),
    );
    expect(judged.filter(Boolean).length).toBeLessThanOrEqual(12);
  });

  test('are told of until their day is over', async () => {
    await enterWrong('reset', 11);
    const one = await start('reset');
    expect(await alarms()).toEqual([]);
    await one.wrong();
    expect(await listAlarms(api.db)).toEqual([
      expect.objectContaining({ key: 'second-codes:reset', message: expect.stringContaining('réinitialisation') }),
    ]);
    await cleanUp(api);
    expect(await alarms()).toHaveLength(1);
    await api.pool.query("update otp_codes set created_at = created_at - interval '1 day'");
    await cleanUp(api);
    expect(await alarms()).toEqual([]);
  });

  test('are kept as long as they count, without what their sign-up claimed', async () => {
    const [proven, mistyped, entered] = [await start('signup'), await start('signup'), await start('signup')];
    await proven.right();
    await mistyped.wrong();
    await entered.enter(otherThan(entered.code), api.client());
    await entered.right();
    const kept = async () =>
      (
        await api.pool.query('select phone, claim from otp_flows where phone = any($1) order by phone', [
          [proven.phone, mistyped.phone, entered.phone],
        ])
      ).rows;
    const age = (days: number) =>
      api.pool.query('update otp_flows set created_at = now() - make_interval(days => $1)', [days]);
    await age(2);
    await cleanUp(api);
    expect((await kept()).map(({ claim }) => claim?.firstName)).toEqual(['Awa', 'Awa', 'Awa']);
    await age(30);
    await cleanUp(api);
    expect(await kept()).toEqual([
      { phone: mistyped.phone, claim: null },
      { phone: entered.phone, claim: null },
    ]);
    await age(31);
    await cleanUp(api);
    expect(await kept()).toEqual([]);
  });
});

test('where limits are off one code suffices', async () => {
  const open = await startTestApi();
  try {
    await open.pool.query(
      `with flow as (insert into otp_flows (phone, purpose) values ('+22679999999', 'reset') returning id)
       insert into otp_codes (flow_id, phone, code, attempts, is_used, expires_at)
       select id, '+22679999999', 'x', 3, true, now() from flow, generate_series(1, 20)`,
    );
    const { phone } = await buildUser(open.db);
    const { client, code } = await startReset(open, phone);
    expect((await client.post('/api/auth/verify-reset-otp', { phone, code })).status).toBe(200);
  } finally {
    await open.close();
  }
});
