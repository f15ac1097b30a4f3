import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { countRows, imageForm, serviceForm } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi } from '#server/testing/test-api.ts';
import { requireImage } from './store.ts';

const api = await startTestApi({ rateLimits: 'on' });
const { client: admin } = await buildAdmin(api);

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } });
const show = (url: string) => api.client().get(url);
const sized = (url: string, size: number | string) => url.replace('.webp', `-${size}.webp`);
const forever = 'public, max-age=31536000, immutable';
const create = (image?: Buffer, data: object = { name: 'Image' }, filename?: string) =>
  admin.post('/api/services', serviceForm(data, image, filename));

describe('a good image', () => {
  test('loses its metadata, its place of taking included, and stands upright', async () => {
    const photo = await picture(64, 32)
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'Awa Ouedraogo', Artist: 'Awa' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '12/1 22/1 17/1', GPSLongitude: '1/1 31/1 11/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const before = await sharp(photo).metadata();
    expect(before.exif).toBeDefined();
    expect(before.icc).toBeDefined();
    const { body } = await create(photo);
    const stored = (await show(body.pictureUrl)).raw;
    const after = await sharp(stored).metadata();
    expect(after).toMatchObject({ format: 'webp', width: 32, height: 64 });
    expect([after.exif, after.icc, after.iptc, after.xmp, after.orientation]).toEqual(Array(5).fill(undefined));
    expect(stored.includes('Awa')).toBe(false);
  });

  test('loses what is hidden behind the picture', async () => {
    const polyglot = Buffer.concat([
      await picture().jpeg().toBuffer(),
      Buffer.from('<?php system($_GET[0]); ?>PK\x03\x04'),
    ]);
    const { body } = await create(polyglot, { name: 'Polyglotte' }, '../../evil.php');
    expect(body.pictureUrl).toMatch(/^\/uploads\/[a-f0-9]{32}\.webp$/);
    const stored = (await show(body.pictureUrl)).raw;
    expect(stored.includes('php')).toBe(false);
  });

  test('is kept at 1600 pixels at most, and at each smaller size, whatever it is for', async () => {
    const large = await picture(2400, 1200).jpeg().toBuffer();
    const service = await create(large);
    const background = await admin.post('/api/admin/upload-background', imageForm('background', large));
    expect(background.body.url).toBe(service.body.pictureUrl);
    for (const [size, width] of [
      [160, 160],
      [320, 320],
      [640, 640],
      ['', 1600],
    ]) {
      const { raw } = await show(size ? sized(background.body.url, size as number) : background.body.url);
      expect(await sharp(raw).metadata()).toMatchObject({ format: 'webp', width, height: (width as number) / 2 });
    }
  });

  test('is never enlarged: a small one is itself at the sizes that it does not reach, and is kept once', async () => {
    const { body } = await create(await picture(200, 320).png().toBuffer());
    const kept = `url = '${body.pictureUrl}' and webp160 is not null and webp320 is null and webp640 is null`;
    expect(await countRows(api, 'images', kept)).toBe(1);
    const whole = await show(body.pictureUrl);
    for (const size of [320, 640]) {
      const answer = await show(sized(body.pictureUrl, size));
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': forever, etag: whole.headers.etag } });
      expect(answer.raw.equals(whole.raw)).toBe(true);
    }
  });
});

describe('the image of a service', () => {
  let id: number;
  let first: string;
  beforeEach(async () => {
    const { body } = await create(await picture(700, 400).png().toBuffer());
    id = body.id;
    first = body.pictureUrl;
  });
  const change = async (data: object, image?: Buffer) =>
    admin.put(`/api/admin/services/${id}`, serviceForm(data, image));

  test('is replaced by another, and removed when asked', async () => {
    const answer = await change({}, await picture(10, 10).png().toBuffer());
    expect(answer).toMatchObject({ status: 200, body: { pictureUrl: expect.not.stringMatching(first) } });
    expect((await sharp((await show(answer.body.pictureUrl)).raw).metadata()).width).toBe(10);
    const both = await change({ removeImage: true }, await picture(20, 10).png().toBuffer());
    expect((await sharp((await show(both.body.pictureUrl)).raw).metadata()).width).toBe(20);
    expect(await change({ removeImage: true })).toMatchObject({ status: 200, body: { pictureUrl: null } });
    const listed = (await admin.get('/api/admin/services')).body;
    expect(listed).toContainEqual(expect.objectContaining({ id, pictureUrl: null }));
  });

  test('is not stored where the change is refused', async () => {
    const before = await countRows(api, 'images');
    const image = await picture(11, 12).png().toBuffer();
    expect(await change({ parentId: id }, image)).toMatchObject({ status: 400, body: { code: 'TREE_INVALID' } });
    expect(await change({ textColor: 'red' }, image)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(await create(image, { name: 'x', parentId: 2_000_000_000 })).toMatchObject({ status: 400 });
    const unknown = await admin.put('/api/admin/services/2000000000', serviceForm({ name: 'x' }, image));
    expect(unknown).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
    expect(await countRows(api, 'images')).toBe(before);
    expect(await countRows(api, 'services', `id = ${id} and picture_url = '${first}'`)).toBe(1);
  });
});

describe('an image that no row names', () => {
  const upload = async (width: number) =>
    (await admin.post('/api/admin/upload-background', imageForm('background', await picture(width).png().toBuffer())))
      .body.url as string;
  const save = (backgroundImage: string | null) =>
    admin.post('/api/admin/background-settings', { backgroundImage, opacity: 30, blur: 5 });
  const age = (...urls: string[]) =>
    api.pool.query(`update images set kept_at = now() - interval '25 hours' where url = any($1)`, [urls]);
  const there = async (...urls: string[]) => {
    const { rows } = await api.pool.query<{ url: string }>('select url from images where url = any($1)', [urls]);
    return urls.map((url) => rows.some((row) => row.url === url));
  };

  test('is deleted after a day; what a service, a payment type or the background shows stays, and what is new', async () => {
    const [forgotten, fresh, ofType, ofBackground] = [
      await upload(101),
      await upload(102),
      await upload(103),
      await upload(104),
    ];
    const ofService = (await create(await picture(105).png().toBuffer())).body.pictureUrl;
    await admin.post('/api/admin/payment-types', { name: 'Imagé', pictureUrl: ofType });
    await save(ofBackground);
    await age(forgotten, ofType, ofBackground, ofService);
    await cleanUp(api);
    expect(await there(forgotten, fresh, ofType, ofBackground, ofService)).toEqual([false, true, true, true, true]);
  });

  test('is not deleted under a row that is about to name it', async () => {
    const url = await upload(108);
    const { id } = (await create()).body;
    await age(url);
    let cleaning: Promise<void> | undefined;
    await api.db.transaction(async (tx) => {
      await requireImage(tx, url);
      cleaning = cleanUp(api);
      await eventually(async () => {
        const waiting = `datname = current_database() and wait_event_type = 'Lock' and query like '%delete from "images"%'`;
        expect(await countRows(api, 'pg_stat_activity', waiting)).toBeGreaterThan(0);
      });
      await tx.execute(sql`update services set picture_url = ${url} where id = ${id}`);
    });
    await cleaning;
    expect(await there(url)).toEqual([true]);
  });
});

describe('serving', () => {
  test('an image is cached for ever, is what it says it is, and can run nothing', async () => {
    const { body } = await create(await picture().png().toBuffer());
    const { status, headers, raw } = await show(body.pictureUrl);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': forever,
      'content-length': String(raw.length),
      'x-content-type-options': 'nosniff',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(headers['set-cookie']).toBeUndefined();
    for (const known of [String(headers.etag), `"x", W/${headers.etag}`, '*']) {
      const again = await api.client().get(body.pictureUrl, { 'if-none-match': known });
      expect({ status: again.status, bytes: again.raw.length }).toEqual({ status: 304, bytes: 0 });
      expect(again.headers).toMatchObject({ etag: headers.etag, 'cache-control': forever });
    }
    expect(await api.client().get(body.pictureUrl, { 'if-none-match': '"x"' })).toMatchObject({ status: 200 });
    const head = await request(api.app, { method: 'HEAD', url: body.pictureUrl });
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      headers['content-length'],
      0,
    ]);
  });

  test('an unknown image is a 404 that nobody keeps', async () => {
    const { status, headers, body } = await api.client().get(`/uploads/${'0'.repeat(32)}.webp`);
    expect({ status, body }).toEqual({ status: 404, body: { message: 'Introuvable.', code: 'NOT_FOUND' } });
    expect(String(headers['cache-control'])).not.toContain('immutable');
  });
});

test("an administrator sends 200 images an hour at most; a colleague's are their own", async () => {
  const image = await picture().png().toBuffer();
  const send = async ({ client }: Awaited<ReturnType<typeof buildAdmin>>) =>
    client.post('/api/admin/upload-background', imageForm('background', image));
  const [one, colleague] = [await buildAdmin(api), await buildAdmin(api)];
  expect((await send(one)).status).toBe(200);
  await api.pool.query("update rate_limits set points = 199 where key like 'imagesPerAdministrator:%'");
  expect((await send(one)).status).toBe(200);
  const refused = await send(one);
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  expect((await send(colleague)).status).toBe(200);
});
