import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backgroundForm, countRows } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits: 'on' });
});
afterAll(() => api.close());

test("an administrator sends 200 images an hour at most; a colleague's are their own", async () => {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();
  const send = async ({ client }: Awaited<ReturnType<typeof buildAdmin>>) =>
    client.post('/api/admin/upload-background', backgroundForm(image));
  const [admin, colleague] = [await buildAdmin(api), await buildAdmin(api)];
  expect((await send(admin)).status).toBe(200);
  await api.pool.query("update rate_limits set points = 199 where key like 'imagesPerAdministrator:%'");
  expect((await send(admin)).status).toBe(200);
  const refused = await send(admin);
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  expect(await countRows(api, 'images', `webp160 is null and octet_length(webp) > 0`)).toBe(1);
  expect((await send(colleague)).status).toBe(200);
});
