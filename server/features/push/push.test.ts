import { createPublicKey, verify } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { makeBrowser, startPushService } from '#server/testing/push-service.ts';
import { startTestApi, type TestClient } from '#server/testing/test-api.ts';
import { pushLimits } from './limits.ts';

let owner: Awaited<ReturnType<typeof buildCaller>>;
let logged = '';
/** The push services that the product knows. */
const services: string[] = [];
const service = await startPushService();
afterAll(service.close);
services.push(service.origin);
const stream = new Writable({
  write(chunk, _, done) {
    logged += chunk;
    done();
  },
});
const api = await startTestApi({
  publicUrl: 'https://guichet.example',
  pushServices: services,
  log: pino({ level: 'info' }, stream),
});
const admin = overHttps(await buildAdmin(api)).client;
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

/** The attempts of the pushes that wait for another one. */
const waiting = async (): Promise<number[]> => {
  const { rows } = await api.pool.query(
    "select attempts from graphile_worker.jobs where task_identifier = 'send_push' and run_at > now() order by id",
  );
  return rows.map(({ attempts }) => attempts);
};

/** Makes the pushes that wait for another try now. */
async function hurry(): Promise<void> {
  await api.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where task_identifier = 'send_push'), run_at => now())`,
  );
  await api.runJobs();
}
const subscriptionsOf = (userId: number) => countRows(api, 'push_subscriptions', `user_id = ${userId}`);

describe('a decision', () => {
  test('reaches each browser of the person, encrypted for it, and says no more than a lock screen may', async () => {
    const [phone, tablet] = [await subscribe(), await subscribe()];
    const approved = await decide();
    for (const browser of [phone, tablet]) {
      const [push, ...others] = service.receivedAt(browser.path);
      expect(others).toEqual([]);
      const { rows } = await api.pool.query('select id from notifications where related_ticket_id = $1', [approved]);
      expect(JSON.parse(browser.read(push?.raw as Buffer))).toEqual({
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
    expect(() => tablet.read(service.receivedAt(phone.path)[0]?.raw as Buffer)).toThrow();
    const rejected = await decide('rejected');
    const text = phone.read(service.receivedAt(phone.path)[1]?.raw as Buffer);
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
  test.each([404, 410])('%i: the browser is forgotten; the other one is told', async (status) => {
    const [gone, other] = [await subscribe(), await subscribe()];
    service.answers.set(gone.path, { status });
    await decide();
    expect(await subscriptionsOf(owner.user.id)).toBe(1);
    await decide();
    expect(service.receivedAt(other.path)).toHaveLength(2);
    expect(service.receivedAt(gone.path)).toHaveLength(1);
  });

  test.each([429, 503])('%i: that browser alone is tried again later', async (status) => {
    const [busy, other] = [await subscribe(), await subscribe()];
    service.answers.set(busy.path, { status });
    await decide();
    expect(await waiting()).toEqual([1]);
    service.answers.delete(busy.path);
    await hurry();
    expect(await waiting()).toEqual([]);
    const texts = service.receivedAt(busy.path).map(({ raw }) => JSON.parse(busy.read(raw)).title);
    expect(texts).toEqual(['Demande approuvée', 'Demande approuvée']);
    expect(service.receivedAt(other.path)).toHaveLength(1);
  });

  test(`nothing, again and again: given up after ${pushLimits.tries} tries, and the browser stays`, async () => {
    const closed = await startPushService();
    await closed.close();
    const browser = makeBrowser(closed.origin);
    const { endpoint, keys } = browser.form;
    await api.pool.query('insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, $2, $3, $4)', [
      owner.user.id,
      endpoint,
      keys.p256dh,
      keys.auth,
    ]);
    // Of a service that the product does not know any more, it would be forgotten.
    services.push(closed.origin);
    await decide();
    for (let tries = 1; tries < pushLimits.tries; tries += 1) {
      expect(await waiting()).toEqual([tries]);
      await hurry();
    }
    expect(await waiting()).toEqual([]);
    expect(await subscriptionsOf(owner.user.id)).toBe(1);
    expect(logged).toContain('push given up');
    services.pop();
    await decide();
    expect(await subscriptionsOf(owner.user.id)).toBe(0);
  });

  test.each([400, 307])('%i: refused once and for all, followed nowhere', async (status) => {
    const [browser, elsewhere] = [await subscribe(), makeBrowser(service.origin)];
    service.answers.set(browser.path, { status, headers: { location: service.origin + elsewhere.path } });
    await decide();
    expect(service.receivedAt(browser.path)).toHaveLength(1);
    expect(service.receivedAt(elsewhere.path)).toEqual([]);
    expect(await waiting()).toEqual([]);
    expect(await subscriptionsOf(owner.user.id)).toBe(1);
  });
});
