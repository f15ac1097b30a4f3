import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { type Branch, expect, test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterBy } from './steps.ts';

const decide = ({ admin }: Branch, id: number, status: string) =>
  admin.send('PATCH', `/api/tickets/${id}/status`, { status });

/** A person with an approved ticket, and the code of its receipt. */
async function approve(product: Product, branch: Branch, phone: string) {
  const caller = await callAs(product, { firstName: 'Rokia', lastName: 'Traoré', phone });
  const [id = 0] = await fileTickets(caller, 1);
  await decide(branch, id, 'approved');
  const { code } = (await caller.send('GET', `/api/tickets/${id}/receipt`)) as { code: string };
  return { caller, id, code };
}

interface Drawn {
  words: string;
  shared?: ShareData;
}

/** Records every text that is drawn on a canvas, and what is shared. */
const watchDrawing = (page: Page) =>
  page.addInitScript(() => {
    const seen: Drawn = { words: '' };
    Object.assign(window, { seen });
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      seen.words += `${text} `;
      draw.call(this, text, ...place);
    };
    Object.defineProperty(navigator, 'canShare', { value: () => true });
    Object.defineProperty(navigator, 'share', {
      value: async (shared: ShareData) => void Object.assign(seen, { shared }),
    });
  });

test('a receipt is shared and saved as an image', async ({ page, product, branch }) => {
  const { caller, id, code } = await approve(product, branch, '77000095');
  await watchDrawing(page);
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  await page.getByRole('button', { name: /^Reçu/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Reçu du ticket n° ${id}` });
  const address = await dialog.getByRole('link').getAttribute('href');
  expect(address).toBe(`${product.url}/recu/${code}`);
  await page.getByRole('button', { name: 'Partager' }).press('Enter');
  const read = () =>
    page.evaluate(() => {
      const { words, shared } = (window as unknown as { seen: Drawn }).seen;
      const [file] = shared?.files ?? [];
      return { words, text: shared?.text, name: file?.name, type: file?.type };
    });
  await expect.poll(read).toMatchObject({ name: `recu-${id}.png`, type: 'image/png' });
  const { words, text } = await read();
  expect(text).toContain(`\nÀ vérifier\u00a0: ${address}`);
  for (const part of [
    'Guichet',
    `Reçu du ticket n° ${id}`,
    'Bouquet Access',
    'Orange Money',
    'Approuvé',
    /5.100\sFCFA/,
  ])
    expect(words.replaceAll('\u00a0', ' ')).toMatch(part);
  expect(words.replaceAll(' ', '')).toContain(address);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger' }).press('Enter'),
  ]);
  await expectToast(page, 'Image téléchargée', `recu-${id}.png`);
  const saved = readFileSync(await download.path());
  expect([saved.toString('latin1', 1, 4), saved.readUInt32BE(16)]).toEqual(['PNG', 1080]);
});

test('an address of a receipt shows anyone whether it is authentic', async ({ page, product, branch, provoke }) => {
  provoke('404 /api/receipts/', '400 /api/receipts/');
  const { id, code } = await approve(product, branch, '77000097');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const answer = await page.goto(`${product.url}/recu/${code.toLowerCase()}`);
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  await expect(heading('Reçu authentique')).toBeVisible();
  const main = page.getByRole('main');
  for (const text of [`n° ${id}`, 'Bouquet Access', 'Orange Money', 'Approuvé', /\+226 XX XX XX \d\d/, /5.100\sFCFA/])
    await expect(main).toContainText(text);
  await expect(main).not.toContainText('Rokia');
  await expect(page.getByRole('navigation')).toHaveCount(0);

  const last = code.endsWith('7') ? '8' : '7';
  for (const wrong of [code.slice(0, -1) + last, '%00']) {
    await page.goto(`${product.url}/recu/${wrong}`);
    await expect(heading('Reçu introuvable')).toBeVisible();
    await expect(main).toContainText("ce reçu n'est pas authentique");
  }
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);

  await decide(branch, id, 'rejected');
  await page.goto(`${product.url}/recu/${code}`);
  await expect(heading('Reçu annulé')).toBeVisible();
  await expect(main).toContainText(/la demande n'est plus approuvée\s: il ne vaut plus/);
  expect(await findViolations(page)).toEqual([]);
});
