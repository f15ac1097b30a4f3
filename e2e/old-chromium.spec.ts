import { expect, test } from './fixtures.ts';
import { doMainJob, inOldChromium } from './old-chromium.ts';

test('in Chromium 103, the oldest one, a person looks round as a guest, signs up, orders to the code, and signs in', async ({
  product,
}) => {
  await inOldChromium('chromium-103', import.meta.url, async (page) => {
    await doMainJob(page, product, { firstName: 'Rasmata', lastName: 'Ilboudo', phone: '70103103' });
    expect(page.complaints).toEqual([]);
  });
});
