import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Failure } from '#contract/failure.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { none, statement } from '#server/database/statement.ts';
import { type Relay, startRelay } from '#server/testing/relay.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { openImageReencoder } from './image-reencoder.ts';
import { withStoredImage } from './stored-images.ts';

let api: TestApi;
let relay: Relay;
let connection: Connection;
let image: Buffer;
beforeAll(async () => {
  api = await startTestApi();
  relay = await startRelay(api.config as { host: string; port: number });
  connection = connect({ ...api.config, host: '127.0.0.1', port: relay.port }, () => {});
  const background = { r: 200, g: 30, b: 60 };
  image = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
});
afterEach(() => relay.mend());
afterAll(async () => {
  await connection.close();
  relay.close();
  await api.close();
});

const reencodeImage = openImageReencoder();
const insert = statement(none)('insert into payment_types (name, picture_url) values ($1, $2)');

/** Stores an image and a row that names it; answers its address and what the change failed with. */
async function store(name: string, end: () => void = () => {}) {
  let stored = '';
  const failure: unknown = await withStoredImage({ images: api.images, reencodeImage }, image, (url) =>
    connection.db.transaction(async (tx) => {
      stored = url ?? '';
      await tx.ask(insert(name, url));
      end();
    }),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { rows } = await api.pool.query('select name from payment_types where picture_url = $1', [stored]);
  return { failure, isNamed: rows.length > 0, isThere: await api.images.has(stored) };
}

test('an image stays where its row does', async () => {
  expect(await store(randomUUID())).toEqual({ failure: undefined, isNamed: true, isThere: true });
});

test('an image whose change was refused, by us or by PostgreSQL, is taken away', async () => {
  const refusal = new Failure('NOT_FOUND');
  const refused = await store(randomUUID(), () => {
    throw refusal;
  });
  expect(refused).toEqual({ failure: refusal, isNamed: false, isThere: false });
  const invalid = await store('\0');
  expect(invalid).toMatchObject({ failure: expect.any(Error), isNamed: false, isThere: false });
});

test('an image whose row was committed, but for an answer that never came, stays', async () => {
  const { failure, ...rest } = await store(randomUUID(), () => relay.breakAfter('commit\0'));
  expect(failure).toBeInstanceOf(Error);
  expect(rest).toEqual({ isNamed: true, isThere: true });
});
