import { test } from './fixtures.ts';
import { doMainJob, inOldChromium } from './old-chromium.ts';

test('in Chromium 103, the oldest one, a person looks round as a guest, signs up, orders to the code, and signs in', ({
  product,
}) =>
  inOldChromium('chromium-103', import.meta.url, (page) =>
    doMainJob(page, product, { firstName: 'Rasmata', lastName: 'Ilboudo', phone: '70103103' }),
  ));
