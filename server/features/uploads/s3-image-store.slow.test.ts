import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '#server/process/environment.ts';
import { type BucketSettings, bucketOf } from '#server/process/storage-settings.ts';
import { type FakeS3, signatureOf, startFakeS3 } from '#server/testing/fake-s3.ts';
import { openImageStore } from './open-image-store.ts';
import { addressOf } from './s3-bucket.ts';
import { s3ImageStore } from './s3-image-store.ts';

let fake: FakeS3;
let logged: unknown[];
beforeEach(async () => {
  fake = await startFakeS3();
  logged = [];
});
afterEach(() => fake.close());

const settingsOf = (changed: Record<string, string> = {}) => readEnvironment({ ...fake.settings, ...changed });
const storeOf = (changed?: Record<string, string>) => s3ImageStore(bucketOf(settingsOf(changed)) as BucketSettings);
const open = (changed?: Record<string, string>) =>
  openImageStore(settingsOf(changed), '/nowhere', { error: ({ err }) => void logged.push(err) });
const smaller = new Map([[160, Buffer.from('small')]] as const);

test('the stand-in signs as the documentation of S3 does in its example', () => {
  // GET Object, of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
  };
  expect(
    signatureOf({
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers,
      names: Object.keys(headers).join(';'),
      scope: '20130524/us-east-1/s3/aws4_request',
      secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    }),
  ).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});

test('an object says what it is, for ever', async () => {
  await storeOf().put(Buffer.from('whole'));
  expect([...fake.objects.values()].map(({ headers }) => headers)).toEqual([
    { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' },
  ]);
});

describe('a trouble that passes', () => {
  test.each(['cut', 500, 503, 429] as const)('%s: two of three tries', async (trouble) => {
    fake.troubles.push(trouble, trouble);
    const url = await storeOf().put(Buffer.from('whole'), smaller);
    expect(fake.requests.map((each) => each.split(' ')[0])).toEqual(['PUT', 'PUT', 'PUT', 'PUT']);
    expect(await storeOf().has(url)).toBe(true);
  });

  test('an answer that does not come in time is asked for again', async () => {
    const url = await storeOf().put(Buffer.from('whole'));
    fake.troubles.push('silence');
    expect((await storeOf().readFile(url.slice(9)))?.toString()).toBe('whole');
  });
});

describe('a bucket that is away', () => {
  const busy = { code: 'BUSY', status: 503, details: { retryAfter: 5 } };

  test('is said to be so, after three tries, and not asked by the next', async () => {
    const store = storeOf();
    fake.troubles.push('cut', 500, 503);
    await expect(store.readFile(`${'a'.repeat(32)}.webp`)).rejects.toMatchObject({
      ...busy,
      cause: new Error('S3 answered 503 SlowDown to GET'),
    });
    await expect(store.has(`/uploads/${'a'.repeat(32)}.webp`)).rejects.toMatchObject(busy);
    expect(fake.requests).toHaveLength(3);
  });

  test('in the middle of an image leaves no image', async () => {
    const store = storeOf();
    // The size is stored, the image is not.
    fake.troubles.push(0, 500, 500, 500);
    await expect(store.put(Buffer.from('whole'), smaller)).rejects.toMatchObject(busy);
    expect([...fake.objects.keys()].filter((key) => !key.includes('-160'))).toEqual([]);
    // What is left of it has no row, and is found a day later.
    expect(await storeOf().listOlderThan(0)).toHaveLength(fake.objects.size);
  });

  test('does not keep the product from starting, and is in the log', async () => {
    fake.troubles.push('cut', 'cut', 'cut');
    const store = await open();
    expect(logged).toMatchObject([busy]);
    await store.put(Buffer.from('whole'));
    expect(fake.objects.size).toBe(1);
  });
});

describe('a bucket that refuses', () => {
  test.each([
    [{ S3_SECRET_ACCESS_KEY: 'another' }, 'SignatureDoesNotMatch'],
    [{ S3_ACCESS_KEY_ID: 'ANOTHER' }, 'InvalidAccessKeyId'],
    [{ S3_BUCKET: 'another' }, 'NoSuchBucket'],
    [{ S3_REGION: 'another' }, 'AuthorizationHeaderMalformed'],
  ])('%j keeps the product from starting, with a sentence without secrets', async (changed, code) => {
    const failure = await open(changed).then(
      () => expect.fail('it started'),
      (error: Error) => error.message,
    );
    expect(failure).toBe(
      `Le bucket « ${settingsOf(changed).S3_BUCKET} » refuse d'être utilisé (${code}) : vérifiez S3_ENDPOINT, S3_REGION, S3_BUCKET et les deux clés.`,
    );
    expect(fake.requests).toHaveLength(1);
  });

  test('is no bucket without images: nothing is missing, everything is away', async () => {
    const image = `${'a'.repeat(32)}.webp`;
    for (const setting of ['S3_SECRET_ACCESS_KEY', 'S3_BUCKET']) {
      const store = storeOf({ [setting]: 'another' });
      const calls = [
        () => store.readFile(image),
        () => store.listFiles(),
        () => store.listOlderThan(0),
        () => store.has(`/uploads/${image}`),
        () => store.remove(`/uploads/${image}`),
        () => store.put(Buffer.from('x')),
        () => store.putBack(image, Buffer.from('x')),
      ];
      // S3 tells a HEAD that there is nothing, and not why.
      const isBucketMissing = setting === 'S3_BUCKET';
      for (const [index, call] of calls.entries())
        if (!isBucketMissing || ![3, 4].includes(index))
          await expect(call(), String(call)).rejects.toMatchObject({ code: 'BUSY' });
    }
  });

  test('by pointing elsewhere is not followed', async () => {
    fake.troubles.push(301);
    await expect(open()).rejects.toThrow('(HTTP 301)');
    expect(fake.requests).toHaveLength(1);
  });
});

test('the bucket stands in the path, or in front of the host', () => {
  const settings = { bucket: 'images', region: '', accessKeyId: '', secretAccessKey: '', prefix: '' };
  const at = (endpoint: string, isInPath: boolean) => addressOf({ ...settings, endpoint, isInPath });
  expect(at('https://s3.example', true)).toBe('https://s3.example/images/');
  expect(at('https://s3.example:9000/storage/v1/', true)).toBe('https://s3.example:9000/storage/v1/images/');
  expect(at('https://s3.example', false)).toBe('https://images.s3.example/');
  expect(at('https://s3.example:9000/v1', false)).toBe('https://images.s3.example:9000/v1/');
});

test('nothing of S3 is loaded for a folder', () => {
  const loadedFor = (settings: object) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { registerHooks } from 'node:module';
         const loaded = [];
         registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
         const { openImageStore } = await import('#server/features/uploads/open-image-store.ts');
         const { readEnvironment } = await import('#server/process/environment.ts');
         await openImageStore(readEnvironment(${JSON.stringify(settings)}), process.argv[1], { error() {} });
         console.log(loaded.filter((url) => /aws|s3-|bucket/.test(url)).map((url) => url.split('/').at(-1)).join());
         process.exit();`,
        '/tmp',
      ],
      { cwd: new URL('../../..', import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    ).trim();
  expect(loadedFor({})).toBe('');
  const closed = { ...fake.settings, S3_ENDPOINT: 'http://127.0.0.1:1' };
  expect(loadedFor(closed).split(',').toSorted()).toEqual(['aws4fetch.esm.mjs', 's3-bucket.ts', 's3-image-store.ts']);
});
