import { type AddressInfo, connect } from 'node:net';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Endpoint, Upload } from '#contract/endpoint.ts';
import { countRows, imageForm, serviceForm, statementForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildService } from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let kept: { images: number; services: number };
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
const target = (await buildService(api.db, { name: 'Cible' })).at(-1)?.id ?? 0;
const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
  .png()
  .toBuffer();

const state = async () => ({
  images: await countRows(api, 'images'),
  services: await countRows(api, 'services'),
});
beforeEach(async () => {
  kept = await state();
});
// Whatever a test below sends, nothing of it may be kept, and the server goes on.
afterEach(async () => {
  expect(await state()).toEqual(kept);
  expect(await api.client().get('/api/health/ready')).toMatchObject({ status: 200 });
});

/** Sends an image to the three calls that take one. */
async function sendEverywhere(image: Buffer, filename?: string) {
  return [
    await admin.post('/api/services', serviceForm({ name: 'x' }, image, filename)),
    await admin.put(`/api/admin/services/${target}`, serviceForm({ name: 'Cible' }, image, filename)),
    await admin.post('/api/admin/upload-background', imageForm('background', image)),
  ];
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

describe('what is no JPEG, PNG or WebP', () => {
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['SVG', () => Buffer.from(svg)],
    ['HTML named .png', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', () => sharp(png).gif().toBuffer()],
    ['AVIF', () => sharp(png).avif().toBuffer()],
    ['one byte', () => Buffer.from([0xff])],
    ['RIFF that is a sound', () => Buffer.from('RIFF\x10\0\0\0WAVEfmt ')],
  ])('%s is refused whatever its name says', async (_, make) => {
    for (const answer of await sendEverywhere(await make(), 'photo.png'))
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'IMAGE_TYPE', message: 'Seuls les fichiers JPEG, PNG et WebP sont acceptés.' },
      });
  });

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a JPEG head before HTML', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(svg)])],
    ['a PNG head alone', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['a WebP head alone', () => Buffer.from('RIFF\x1a\0\0\0WEBPVP8L')],
  ])('%s is refused as unreadable', async (_, make) => {
    for (const answer of await sendEverywhere(await make()))
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'IMAGE_UNREADABLE', message: "L'image est illisible ou trop grande." },
      });
  });
});

describe('too much', () => {
  test('of many at once some are told to come back', async () => {
    // How many depends on how soon the first ones are done.
    const answers = await Promise.all(Array.from({ length: 40 }, () => create(Buffer.from('RIFF\x1a\0\0\0WEBPVP8L'))));
    const told = new Set(answers.map(({ status, body }) => `${status} ${body.code}`));
    expect([...told].toSorted()).toEqual(['400 IMAGE_UNREADABLE', '503 BUSY']);
  });

  test('a byte over 5 MB is refused with the sentence of the limit', async () => {
    const large = Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024 + 1 - png.length)]);
    for (const answer of await sendEverywhere(large))
      expect(answer).toMatchObject({
        status: 413,
        body: { code: 'FILE_TOO_LARGE', message: 'La taille maximale autorisée est de 5MB.' },
      });
  });
});

const create = (image: Buffer) => admin.post('/api/services', serviceForm({ name: 'x' }, image));

test('a statement over its own limit is told that one', async () => {
  const form = statementForm({ accountId: 1, dryRun: true }, Buffer.alloc(32 * 1024 * 1024 + 1));
  expect(await admin.post('/api/admin/payments/imports', form)).toMatchObject({
    status: 413,
    body: { code: 'FILE_TOO_LARGE', message: "La taille maximale d'un relevé est de 32 Mo." },
  });
});

describe('what is missing or malformed', () => {
  test('an empty file is refused, by every call that takes one', async () => {
    const uploads = endpoints.filter((each): each is Endpoint & { upload: Upload } => each.upload !== undefined);
    expect(uploads.map(({ operation }) => operation).toSorted()).toEqual([
      'createService',
      'importStatement',
      'updateService',
      'uploadPageBackground',
      'uploadPaymentTypePicture',
    ]);
    for (const { method, path, upload } of uploads) {
      const form = upload.dataField ? serviceForm({ name: 'x' }) : new FormData();
      form.append(upload.fileField, new Blob([]), 'photo.jpg');
      expect(await admin.send(method, path.replace(':id', String(target)), form), path).toMatchObject({
        status: 400,
        body: { code: 'FILE_EMPTY', message: 'Le fichier est vide.' },
      });
    }
  });

  const type = 'multipart/form-data; boundary=limite';
  const part = (name: string, value: string) =>
    `--limite\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const filePart = '--limite\r\nContent-Disposition: form-data; name="image"; filename="x.png"\r\n';
  const good = part('data', '{"name":"x"}');

  test.each<[string, string, string]>([
    ['no boundary', 'multipart/form-data', `${good}--limite--\r\n`],
    ['another boundary', 'multipart/form-data; boundary=autre', `${good}--limite--\r\n`],
    ['no end', type, good],
    ['an end in the middle of a file', type, `${good}${filePart}\r\n\x89PNG\r\n`],
    ['an end in the headers of a part', type, `${good}${filePart}`],
    ['nothing', type, ''],
    ['no multipart at all', type, '{"name":"x"}'],
    ['a part called __proto__', type, `${part('__proto__', 'x')}${good}--limite--\r\n`],
    ['a thousand headers', type, `--limite\r\n${'X-A: b\r\n'.repeat(1000)}\r\nx\r\n--limite--\r\n`],
  ])('a body with %s is refused', async (_, contentType, body) => {
    for (const url of ['/api/services', '/api/admin/upload-background']) {
      const answer = await admin.send('POST', url, Buffer.from(body, 'latin1'), { 'content-type': contentType });
      expect(answer.status, url).toBeGreaterThanOrEqual(400);
      expect(answer.status, url).toBeLessThan(500);
      expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    }
  });

  test('a connection cut in the middle of a file leaves nothing behind', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    const head = `POST /api/services HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\nContent-Length: 99999\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(`${head}${good}${filePart}\r\n\x89PNG`, () => resolve()));
    socket.destroy();
    await closed;
  });
});

test.each([
  ['53100', 'the disk is full'],
  ['57P01', 'it stops'],
])(
  'what the database cannot take now: %s (%s) is a 503 that leaves nothing, and ends with its cause',
  async (state) => {
    const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00c' } })
      .png()
      .toBuffer();
    await api.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${state}'; end $$;
       create trigger refuse before insert on images for each row execute function refuse()`,
    );
    const answers = await sendEverywhere(image);
    await api.pool.query('drop function refuse cascade');
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 503,
        body: { code: 'BUSY', message: 'Le service est momentanément indisponible. Réessayez dans un instant.' },
        headers: { 'retry-after': expect.any(String) },
      });
    const { body } = await admin.post('/api/admin/upload-background', imageForm('background', image));
    expect((await api.pool.query('delete from images where url = $1', [body.url])).rowCount).toBe(1);
  },
);
