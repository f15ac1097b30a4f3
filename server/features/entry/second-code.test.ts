import { beforeEach, describe, expect, test } from 'vitest';
import { otpLength, otpTries } from '#contract/auth.ts';
import { rateLimits } from '#server/http/limits.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { countSms, letPass, listTries, otherThan, startReset, startSignUp } from '#server/testing/auth-steps.ts';
import { buildUser, knownPassword, nextPhone } from '#server/testing/builders.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { secondCodeLimits } from './limits.ts';
import { codeSuffices } from './second-code.ts';
import { createFlow, type Purpose, saveCode, takeTry } from './store.ts';

const api = await startTestApi({ rateLimits: 'on', clock: '2026-11-26T12:00:00Z' });
beforeEach(() => api.pool.query('truncate otp_flows, rate_limits, sms_settings, sms_messages cascade'));

const wrong = { status: 400, body: { code: 'CODE_INVALID' } };
const second = { status: 403, body: { code: 'SECOND_CODE', message: expect.stringContaining('second code') } };
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
  { phone = '+22679999999', daysAgo = 0, browserKnown = false } = {},
) {
  await api.pool.query(
    `with flows as (
       insert into otp_flows (phone, purpose, claim, is_known, created_at)
       select $1, $2, case when $2 = 'signup' then '{}'::jsonb end, $5, now() - make_interval(days => $4)
       from generate_series(1, $3::int) returning id)
     insert into otp_codes (flow_id, phone, code, attempts, is_used, expires_at, created_at)
     select id, $1, 'x', 1, true, now(), now() - make_interval(days => $4) from flows`,
    [phone, purpose, times, daysAgo, browserKnown],
  );
}

describe.each(['signup', 'reset'] as const)('a right code of a %s', (purpose) => {
  test('suffices after 11 wrong ones of a day, and after 12 takes a second, sent to the same number', async () => {
    await enterWrong(purpose, 11);
    expect((await (await start(purpose)).right()).status).toBe(200);
    expect(await (await start(purpose)).wrong()).toMatchObject(wrong);
    const { phone, client, right, enter } = await start(purpose);
    const refused = await right();
    expect(refused).toMatchObject(second);
    // The wait for the third code of a day.
    expect(refused.body.retryAfter).toBe(120);
    expect(client.cookies.has('guichet_session')).toBe(false);
    expect(await countSms(api, phone)).toBe(2);
    expect((await enter(await api.readCode(phone, 2))).status).toBe(200);
    // Those of the other purpose are counted apart.
    expect((await (await start(purpose === 'signup' ? 'reset' : 'signup')).right()).status).toBe(200);
  });

  test('takes back the wrong ones of its browser: people who mistype and then succeed cost nothing', async () => {
    for (let person = 0; person < 7; person += 1) {
      const { wrong: mistype, right } = await start(purpose);
      for (const enter of [mistype, mistype]) expect(await enter()).toMatchObject(wrong);
      expect((await right()).status).toBe(200);
    }
  });

  test('is accepted from its browser, whatever callers without its cookie tried and used up', async () => {
    const { phone, code, enter, right } = await start(purpose);
    for (let tries = 0; tries < 5; tries += 1) expect(await enter(otherThan(code), api.client())).toMatchObject(wrong);
    expect(await enter(code, api.client())).toMatchObject(wrong);
    expect(await listTries(api, phone)).toEqual([0]);
    const key = `codesFailedPerPhone:other:${purpose}:${phone}`;
    expect((await api.pool.query('update rate_limits set points = 10 where key = $1', [key])).rowCount).toBe(1);
    expect((await right()).status).toBe(200);
  });
});

test("the second code is one of the caps' messages: where it cannot go, the first is not spent", async () => {
  await enterWrong('reset', 12);
  const { phone, right, enter } = await start('reset');
  await api.pool.query('insert into sms_settings (per_country_and_day) values (1)');
  expect(await right()).toMatchObject({ status: 503, body: { code: 'SMS_PAUSED' } });
  expect(await countSms(api, phone)).toBe(1);
  await api.pool.query('update sms_settings set per_country_and_day = 500');
  expect(await right()).toMatchObject(second);
  expect((await enter(await api.readCode(phone, 2))).status).toBe(200);
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

  test('of others do not reach a browser that signed in to the account before, and its own count for its number alone', async () => {
    const { phone } = await buildUser(api.db);
    const known = api.client();
    const signIn = await known.post('/api/auth/signin', { phoneOrEmail: phone, password: knownPassword });
    expect(signIn.status).toBe(200);
    await enterWrong('reset', 30);
    await enterWrong('reset', 30, { phone, daysAgo: 3 });
    expect((await (await start('reset', phone, known)).right()).status).toBe(200);
    await letPass(api, phone, 60);
    await enterWrong('reset', 15, { phone, daysAgo: 3, browserKnown: true });
    expect(await (await start('reset', phone, known)).right()).toMatchObject(second);
    // Of another account it knows nothing.
    expect(await (await start('reset', undefined, known)).right()).toMatchObject(second);
    await api.pool.query('update otp_flows set is_known = true');
    expect((await (await start('reset')).right()).status).toBe(200);
  });

  test("of callers without the cookie count, also when the code's owner enters it; not where such a caller was right", async () => {
    for (let person = 0; person < 5; person += 1) {
      const { code, enter } = await start('signup');
      for (let tries = 0; tries < 2; tries += 1) await enter(otherThan(code), api.client());
      expect((await enter(code, api.client())).status).toBe(200);
    }
    for (let person = 0; person < 4; person += 1) {
      const { code, enter, right } = await start('signup');
      for (let tries = 0; tries < 3; tries += 1) await enter(otherThan(code), api.client());
      // The fourth's own try is the thirteenth.
      expect(await right()).toMatchObject(person < 3 ? { status: 200 } : second);
    }
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
        await takeTry(api.db, id, { isOtherBrowser: false });
        return codeSuffices(api.db, { purpose: 'reset', phone, isKnownBrowser: false });
      }),
    );
    expect(judged.filter(Boolean).length).toBeLessThanOrEqual(12);
  });

  test('are kept as long as they count, without what their sign-up claimed', async () => {
    const [proven, mistyped] = [await start('signup'), await start('signup')];
    await proven.right();
    await mistyped.wrong();
    const kept = async () =>
      (await api.pool.query('select phone, claim from otp_flows order by phone')).rows as {
        phone: string;
        claim: unknown;
      }[];
    const age = (days: number) =>
      api.pool.query('update otp_flows set created_at = now() - make_interval(days => $1, secs => 1)', [days]);
    await age(2);
    await cleanUp(api);
    expect(await kept()).toHaveLength(2);
    await age(30);
    await cleanUp(api);
    expect(await kept()).toEqual([{ phone: mistyped.phone, claim: null }]);
    await age(31);
    await cleanUp(api);
    expect(await kept()).toEqual([]);
  });
});

/**
 * The chance that a month of guesses, from any number of addresses, yields an account by the limits of the product: the first of
 * a day suffice by themselves, each further one needs a second code, at which there are three tries.
 */
function chanceOfAMonth(perDay: number, sufficeInAll: number): number {
  const single = 10 ** -otpLength;
  const suffice = Math.min(sufficeInAll, 31 * Math.min(perDay, secondCodeLimits.ofAll));
  const further = 31 * perDay - suffice;
  return 1 - (1 - single) ** suffice * (1 - otpTries * single ** 2) ** further;
}

test.each([
  ["anybody's account, by twelve guesses a day", secondCodeLimits.ofAll, Number.POSITIVE_INFINITY, 0.05],
  ["anybody's account, by a thousand", 1_000, Number.POSITIVE_INFINITY, 0.05],
  ['one given account', rateLimits.codesFailedPerPhone.points, secondCodeLimits.ofNumber, 0.002],
])('a month of guessing yields %s with the chance that docs/security.md has', (_, perDay, sufficeInAll, atMost) => {
  expect(chanceOfAMonth(perDay, sufficeInAll)).toBeLessThanOrEqual(atMost);
});
