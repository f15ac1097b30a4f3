import sharp from 'sharp';
import { expect, test } from './branch.ts';
import { browserOptions } from './browser.ts';
import { enterAsAdministrator, enterAsGuest } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

/** A photo wider than a phone, as administrators upload. */
const photo = () => {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const picture = { width: 1600, height: 1200, channels: 3, background: '#15803d', noise } as const;
  return sharp({ create: picture }).jpeg().toBuffer();
};

test('each screen is sent a picture at the size it shows, and has it without a line', async ({
  page,
  browser,
  product,
  branch,
}) => {
  const { admin, root } = branch;
  await enterAsAdministrator(page, product, '/admin/services');
  const upload = async (method: 'POST' | 'PUT', path: string, field: string, data?: object) => {
    const image = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo() };
    const multipart = { ...(data && { data: JSON.stringify(data) }), [field]: image };
    return (await page.request.fetch(product.url + path, { method, multipart })).json();
  };
  const { pictureUrl } = await upload('PUT', `/api/admin/services/${root.id}`, 'image', {});
  const { url: backgroundImage } = await upload('POST', '/api/admin/upload-background', 'background');

  await admin.send('POST', '/api/admin/background-settings', { backgroundImage, opacity: 30, blur: 4 });
  const context = await browser.newContext({ ...browserOptions, deviceScaleFactor: 3 });
  const phone = await context.newPage();
  const [photoName, groundName] = [pictureUrl, backgroundImage].map((url: string) => url.slice(0, -5));
  const sent = new Set<string>();
  phone.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/uploads/')) sent.add(pathname);
  });
  await enterAsGuest(phone, product);
  const card = phone.getByRole('main').getByRole('button', { name: root.name });
  await card.scrollIntoViewIfNeeded();
  await expect.poll(() => sent).toEqual(new Set([`${photoName}-160.webp`, `${groundName}-640.webp`]));

  // Offline, another size of a cached picture is answered with the cached one.
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await phone.reload();
  await expect(card).toBeVisible();
  await card.scrollIntoViewIfNeeded();
  await expect
    .poll(() => phone.evaluate(async (url) => Boolean(await caches.match(url)), `${photoName}-160.webp`))
    .toBe(true);
  await context.setOffline(true);
  const width = await phone.evaluate(async (url) => {
    const blob = await (await fetch(url)).blob();
    return (await createImageBitmap(blob)).width;
  }, `${photoName}-640.webp`);
  expect(width).toBe(160);
  await context.close();

  await admin.send('POST', '/api/admin/background-settings', {});
});
