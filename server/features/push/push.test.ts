import { createPublicKey, verify } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pushLimits } from '#server/process/sending-limits.ts';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { makeBrowser, type PushService, startPushService } from '#server/testing/push-service.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let service: PushService;
let admin: TestClient;
let owner: Awaited<ReturnType<typeof buildCaller>>;
let logged = '';
beforeAll(async () => {
  service = await startPushService();
  const stream = new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  });
  api = await startTestApi({
    publicUrl: 'https://guichet.example',
    pushServices: [service.origin],
    log: pino({ level: 'info' }, stream),
  });
  admin = overHttps(await buildAdmin(api)).client;
});
afterAll(async () => {
  await api.close();
  service.close();
});
beforeEach(async () => {
  owner = overHttps(await buildCaller(api));
});

/** The same caller by the cookie's name of a site of https, whose address push services are told. */
function overHttps<Built extends { client: TestClient }>(built: Built): Built {
  const { cookies } = built.client;
  cookies.set('__Host-guichet_session', cookies.get('guichet_session') ?? '');
  return built;
}

/** A browser that the caller has told of decisions. */
async function subscribe(client = owner.client) {
  const browser = makeBrowser(service.origin);
  expect(await client.post('/api/push/subscriptions', browser.form)).toMatchObject({ status: 200 });
  return browser;
}

/** Decides a ticket of the person, a new one by default, and has it pushed. */
async function decide(status = 'approved', ticketId?: number): Promise<number> {
  const id = ticketId ?? (await buildTicket(api.db, owner.user.id)).id;
  expect(await admin.patch(`/api/tickets/${id}/status`, { status, reason: 'Doublon' })).toMatchObject({ status: 200 });
  await api.runJobs();
  return id;
}

/** How many seconds each of the pushes that wait for another try was put off. */
const waits = async (): Promise<number[]> => {
  const { rows } = await api.pool.query(
    `select extract(epoch from run_at - updated_at)::int as seconds from graphile_worker.jobs
     where task_identifier = 'send_push'`,
  );
  return rows.map(({ seconds }) => seconds);
};
const subscriptionsOf = (userId: number) => countRows(api, 'push_subscriptions', `user_id = ${userId}`);

describe('a decision', () => {
  test('reaches each browser of the person, encrypted for it, and says no more than a lock screen may', async () => {
    const [phone, tablet] = [await subscribe(), await subscribe()];
    const approved = await decide();
    for (const browser of [phone, tablet]) {
      const [push, ...others] = service.receivedAt(browser.path);
      expect(others).toEqual([]);
      const { rows } = await api.pool.query('select id from notifications where related_ticket_id = $1', [approved]);
      expect(JSON.parse(browser.read(push?.body as Buffer))).toEqual({
        title: 'Demande approuvée',
        body: `Votre demande n°\u00a0${approved} a été approuvée.`,
        notification: rows[0].id,
        ticket: approved,
      });
      expect(push?.headers).toMatchObject({
        ttl: '86400',
        urgency: 'normal',
        topic: `ticket-${approved}`,
        'content-encoding': 'aes128gcm',
      });
    }
    expect(() => tablet.read(service.receivedAt(phone.path)[0]?.body as Buffer)).toThrow();
    const rejected = await decide('rejected');
    const text = phone.read(service.receivedAt(phone.path)[1]?.body as Buffer);
    expect(JSON.parse(text)).toMatchObject({ body: `Votre demande n°\u00a0${rejected} a été rejetée.` });
    expect(text).not.toMatch(/Doublon|Envoi|Awa|\d000/);
  });

  test('is signed as ours, for that service alone, and for a day at most', async () => {
    const browser = await subscribe();
    await decide();
    const { authorization = '' } = service.receivedAt(browser.path)[0]?.headers ?? {};
    const [, head = '', claims = '', signature = '', key = ''] =
      /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(authorization) ?? [];
    expect(key).toBe((await owner.client.get('/api/push/key')).body.publicKey);
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const signed = Buffer.from(signature, 'base64url');
    const verifies = (text: string) =>
      verify('sha256', Buffer.from(text), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed);
    expect(verifies(`${head}.${claims}`)).toBe(true);
    expect(verifies(`${head}.${claims}x`)).toBe(false);
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'ES256' });
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([aud, sub]).toEqual([service.origin, 'https://guichet.example']);
    expect(exp).toBeGreaterThan(Date.now() / 1_000);
    expect(exp).toBeLessThanOrEqual(Date.now() / 1_000 + 86_400);
  });

  test('that is not made is pushed to nobody', async () => {
    const browser = await subscribe();
    const { id } = await buildTicket(api.db, owner.user.id);
    await api.pool.query('alter table ticket_events add constraint none_now check (actor_id is null) not valid');
    try {
      const answer = await admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
      expect(answer).toMatchObject({ status: 500 });
    } finally {
      await api.pool.query('alter table ticket_events drop constraint none_now');
    }
    await decide();
    expect(service.receivedAt(browser.path)).toHaveLength(1);
  });

  test('of somebody who did not ask for it leaves no job', async () => {
    // What was ever queued, done or not.
    const sequence =
      "select last_value from pg_sequences where schemaname = 'graphile_worker' and sequencename ~ 'jobs_id'";
    const before = (await api.pool.query(sequence)).rows;
    expect(before).toHaveLength(1);
    await decide();
    expect((await api.pool.query(sequence)).rows).toEqual(before);
  });

  test('is not pushed to somebody who has read it, nor a day later', async () => {
    const browser = await subscribe();
    for (const change of ['is_read = true', "created_at = now() - interval '25 hours'"]) {
      // Before the job: the trigger is the person who reads at once.
      await api.pool.query(
        `create function seen() returns trigger language plpgsql as
         $$ begin update notifications set ${change} where id = new.id; return new; end $$`,
      );
      await api.pool.query('create trigger seen after insert on notifications for each row execute function seen()');
      await decide();
      await api.pool.query('drop trigger seen on notifications');
      await api.pool.query('drop function seen');
    }
    expect(service.receivedAt(browser.path)).toEqual([]);
  });
});

describe('what a push service answers', () => {
  test.each([404, 410])(
    '%i: the browser no longer listens, and is forgotten; the other one is told',
    async (status) => {
      const [gone, other] = [await subscribe(), await subscribe()];
      service.answers.set(gone.path, { status });
      await decide();
      expect(await subscriptionsOf(owner.user.id)).toBe(1);
      await decide();
      expect(service.receivedAt(other.path)).toHaveLength(2);
      expect(service.receivedAt(gone.path)).toHaveLength(1);
    },
  );

  test.each([
    ['429 without a word', 429, {}, pushLimits.firstPauseSeconds],
    ['429 with a longer wait', 429, { 'retry-after': '90' }, 90],
    ['429 with a wait of a year', 429, { 'retry-after': '31536000' }, pushLimits.longestPauseSeconds],
    ['503 with a shorter wait', 503, { 'retry-after': '1' }, pushLimits.firstPauseSeconds],
    [
      '503 until a time long past',
      503,
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
      pushLimits.firstPauseSeconds,
    ],
    ['500 with a wait that is none', 500, { 'retry-after': 'soon' }, pushLimits.firstPauseSeconds],
  ])('%s: that browser alone is tried again later, with what is newest', async (_, status, headers, seconds) => {
    const [busy, other] = [await subscribe(), await subscribe()];
    service.answers.set(busy.path, { status, headers });
    const ticketId = await decide();
    expect(await waits()).toEqual([seconds]);
    service.answers.delete(busy.path);
    if (status === 500) {
      // What it was to be told is no longer so by then.
      await decide('rejected', ticketId);
      expect(service.receivedAt(busy.path)).toHaveLength(2);
    }
    await hurry();
    expect(await waits()).toEqual([]);
    const texts = service.receivedAt(busy.path).map(({ body }) => JSON.parse(busy.read(body)).title);
    expect(texts).toEqual(['Demande approuvée', status === 500 ? 'Demande rejetée' : 'Demande approuvée']);
    expect(service.receivedAt(other.path)).toHaveLength(status === 500 ? 2 : 1);
    expect(await subscriptionsOf(owner.user.id)).toBe(2);
  });

  test(`500 again and again: given up after ${pushLimits.tries} tries, and the browser stays`, async () => {
    const browser = await subscribe();
    service.answers.set(browser.path, { status: 500 });
    await decide();
    for (let tries = 1; tries < pushLimits.tries; tries += 1) {
      expect(service.receivedAt(browser.path)).toHaveLength(tries);
      expect(await waits()).toHaveLength(1);
      await hurry();
    }
    expect(service.receivedAt(browser.path)).toHaveLength(pushLimits.tries);
    expect(await waits()).toEqual([]);
    expect(await subscriptionsOf(owner.user.id)).toBe(1);
    expect(logged).toContain('push given up');
  });

  test.each([400, 403, 307])('%i: refused once and for all, followed nowhere', async (status) => {
    const [browser, elsewhere] = [await subscribe(), makeBrowser(service.origin)];
    service.answers.set(browser.path, { status, headers: { location: service.origin + elsewhere.path } });
    await decide();
    expect(service.receivedAt(browser.path)).toHaveLength(1);
    expect(service.receivedAt(elsewhere.path)).toEqual([]);
    expect(await waits()).toEqual([]);
    expect(await subscriptionsOf(owner.user.id)).toBe(1);
  });

  test('is logged with whose service it was, and never with the address', async () => {
    await subscribe();
    await decide();
    expect(logged).toContain(new URL(service.origin).host);
    expect(logged).toContain('push sent');
    expect(logged).not.toContain('/fcm/send');
  });
});

/** Makes the pushes that wait for another try now. */
async function hurry(): Promise<void> {
  await api.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key like 'push:%'), run_at => now())`,
  );
  await api.runJobs();
}
