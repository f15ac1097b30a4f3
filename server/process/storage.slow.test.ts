import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { imageAt } from '#contract/uploads.ts';
import { backgroundForm } from '#server/testing/bodies.ts';
import { type FakeS3, startFakeS3 } from '#server/testing/fake-s3.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  printedAdministrator,
  runServer,
  startServer,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 180_000 });

let bucket: FakeS3;
beforeAll(async () => {
  bucket = await startFakeS3();
});
afterAll(async () => {
  await cleanUp();
  await bucket.close();
});

test("without its settings, or against the bucket's will, nothing starts, and a sentence says why", async () => {
  const missing = await runServer({ DATA_DIR: createDataFolder(), STORAGE: 's3' });
  expect({ code: missing.code, said: missing.stderr.trim() }).toEqual({
    code: 1,
    said: 'Les réglages S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY manquent : STORAGE=s3 en a besoin.',
  });
  const wrong = { ...bucket.settings, S3_SECRET_ACCESS_KEY: 'une-autre-cle' };
  const refused = await runServer({ DATA_DIR: createDataFolder(), PORT: '0', ...wrong });
  expect({ code: refused.code, said: refused.stderr.trim() }).toEqual({
    code: 1,
    said: "Le bucket « images » refuse d'être utilisé (SignatureDoesNotMatch) : vérifiez S3_ENDPOINT, S3_REGION, S3_BUCKET et les deux clés.",
  });
});

test('a second shop does not start on the images of the first one, and does under a prefix of its own', async () => {
  const settings = { ...bucket.settings, S3_PREFIX: 'shared/' };
  const folder = createDataFolder();
  expect((await (await startServer(folder, settings)).end('SIGTERM')).code).toBe(0);
  const owner = bucket.objects.get('shared/owner.txt')?.bytes;
  const second = createDataFolder();
  const refused = await runServer({ DATA_DIR: second, PORT: '0', ...settings });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('s3://images/shared/owner.txt');
  expect(bucket.objects.get('shared/owner.txt')?.bytes).toEqual(owner);
  expect((await (await startServer(second, { ...settings, S3_PREFIX: 'own/' })).end('SIGTERM')).code).toBe(0);
});

test('with STORAGE=s3 an image is stored in the bucket, shown from there, and deleted there', async () => {
  const server = await startServer(createDataFolder(), { ...bucket.settings, S3_PREFIX: 'guichet/' });
  const admin = await callAsAdministrator(server);
  const photo = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#0b6b3a' } })
    .jpeg()
    .toBuffer();
  const send = async () =>
    (await admin.send<{ url: string }>('POST', '/api/admin/upload-background', backgroundForm(photo))).body.url;
  const [first, second] = [await send(), await send()];
  const filesOf = (url: string) => [imageAt(url, 160), imageAt(url, 320), imageAt(url, 640), url];
  const keysOf = (url: string) => filesOf(url).map((each) => each.replace('/uploads/', 'guichet/'));
  const images = () => [...bucket.objects.keys()].filter((key) => !key.endsWith('/owner.txt')).toSorted();
  expect(images()).toEqual([...keysOf(first), ...keysOf(second)].toSorted());

  const show = (url: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${url}`, init);
  const whole = await show(first);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(bytes.equals(bucket.objects.get(first.replace('/uploads/', 'guichet/'))?.bytes as Buffer)).toBe(true);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const small = await show(imageAt(first, 160));
  expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 160, height: 114 });
  const known = { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } };
  expect((await show(first, known)).status).toBe(304);
  const head = await show(first, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  expect((await show(`/uploads/${'0'.repeat(32)}.webp`)).status).toBe(404);

  const save = (backgroundImage: string | null) =>
    admin.send('POST', '/api/admin/background-settings', { backgroundImage, opacity: 30, blur: 5 });
  expect((await save(first)).status).toBe(200);
  expect((await save(second)).status).toBe(200);
  expect(images()).toEqual(keysOf(second).toSorted());
  expect((await show(first)).status).toBe(404);

  // Away: what was shown lately still is, and what was not may be there again soon.
  expect((await show(second)).status).toBe(200);
  await bucket.close();
  expect((await show(second)).status).toBe(200);
  const away = await show(imageAt(second, 320));
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  expect(away.headers.get('cache-control') ?? '').not.toContain('immutable');
  // What nothing shows any more cannot be deleted there now: the change is made all the same.
  expect((await save(null)).status).toBe(200);
  const { code, stdout, stderr } = await server.end('SIGTERM');
  expect(code).toBe(0);
  expect(printedAdministrator(stdout)).toBeDefined();
  expect(stdout + stderr).toContain('request failed');
  expect(stdout + stderr).toContain('an image could not be deleted');
  for (const secret of [bucket.settings.S3_SECRET_ACCESS_KEY, bucket.settings.S3_ACCESS_KEY_ID])
    expect(stdout + stderr).not.toContain(secret);
});
