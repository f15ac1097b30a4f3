import sharp from 'sharp';
import { expect, test } from 'vitest';
import { countRows, imageForm } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const { client: admin } = await buildAdmin(api);

const url = '/api/admin/background-settings';
const save = (settings: object) => admin.post(url, settings);
const read = async () => {
  const { updatedAt: _, ...look } = (await api.client().get(url)).body;
  return look;
};
const upload = async (background = '#0c0') => {
  const jpeg = sharp({ create: { width: 20, height: 20, channels: 3, background } }).jpeg();
  return (await admin.post('/api/admin/upload-background', imageForm('background', await jpeg.toBuffer()))).body
    .url as string;
};

test('settings are saved in one row and shown to anybody, with nothing else in them', async () => {
  for (const settings of [
    { backgroundImage: null, opacity: 0, blur: 0 },
    { backgroundImage: null, opacity: 100, blur: 20 },
  ]) {
    expect(await save(settings)).toMatchObject({ status: 200, body: settings });
    expect(await read()).toEqual(settings);
  }
  expect(await countRows(api, 'background_settings')).toBe(1);
});

test.each([
  ...[-1, 101, 1.5, '30'].map((opacity) => ({ opacity })),
  ...[-1, 21].map((blur) => ({ blur })),
  ...[
    'https://example.org/x.webp',
    'javascript:alert(1)',
    '/uploads/../x.webp',
    `/uploads/${'a'.repeat(32)}.webp`,
    `/uploads/${'a'.repeat(32)}.webp\n`,
  ].map((backgroundImage) => ({ backgroundImage })),
])('%j is refused', async (settings) => {
  const before = await read();
  expect(await save({ opacity: 50, blur: 3, ...settings })).toMatchObject({ status: 400, body: { code: 'INVALID' } });
  expect(await read()).toEqual(before);
});

test('an uploaded image becomes the background, until another one does', async () => {
  const [first, second] = [await upload(), await upload('#00c')];
  expect(first).toMatch(/^\/uploads\/[a-f0-9]{32}\.webp$/);
  for (const backgroundImage of [first, second, null]) {
    expect(await save({ backgroundImage, opacity: 40, blur: 2 })).toMatchObject({ status: 200 });
    expect(await read()).toEqual({ backgroundImage, opacity: 40, blur: 2 });
  }
  expect(await api.client().get(first)).toMatchObject({ status: 200 });
});
