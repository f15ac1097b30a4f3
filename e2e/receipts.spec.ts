import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { untilAnswered } from './answers.ts';
import { type Branch, test } from './branch.ts';
import { phoneSize } from './browser.ts';
import { type Caller, callAs, fileTickets } from './caller.ts';
import { expect } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator, enterBy } from './steps.ts';

/** A person with an approved ticket. */
async function approve(product: Product, { admin }: Branch, phone: string) {
  const caller = await callAs(product, { firstName: 'Rokia', lastName: 'Traoré', phone });
  const [id = 0] = await fileTickets(caller, 1);
  await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  return { caller, id };
}

const codeOf = async (caller: Caller, id: number) =>
  ((await caller.send('GET', `/api/tickets/${id}/receipt`)) as { code: string }).code;

/** Records every text that is drawn on a canvas, and what is shared. */
async function watchDrawing(page: Page, sharesFiles: boolean): Promise<void> {
  await page.addInitScript((files) => {
    const seen = { drawn: [] as string[], shared: [] as ShareData[] };
    Object.assign(window, { seen });
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      seen.drawn.push(text);
      draw.call(this, text, ...place);
    };
    Object.defineProperty(navigator, 'canShare', { value: (data: ShareData) => files || !data.files });
    Object.defineProperty(navigator, 'share', { value: async (data: ShareData) => void seen.shared.push(data) });
  }, sharesFiles);
}

type Seen = { drawn: string[]; shared: ShareData[] };

/** What was drawn, and the shared image as the browser decodes it. */
const readShared = (page: Page) =>
  page.evaluate(async () => {
    const { drawn, shared } = (window as unknown as { seen: Seen }).seen;
    const { text = '', files = [] } = shared.at(-1) ?? {};
    const [file] = files;
    if (!file) return { drawn, text, image: undefined };
    const bitmap = await createImageBitmap(file);
    const brush = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    brush?.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(brush?.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer ?? []);
    const { name, type } = file;
    const corner = [...(brush?.getImageData(8, bitmap.height - 8, 1, 1).data ?? [])];
    return {
      drawn,
      text,
      image: { name, type, width: bitmap.width, height: bitmap.height, colours: new Set(pixels).size, corner },
    };
  });

test.use({ colorScheme: 'dark' });

const press = async (page: Page, name: RegExp | string) => {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
};

test('a receipt is shared and saved as an image, with the address that verifies it', async ({
  page,
  browser,
  product,
  branch,
}) => {
  const { caller, id } = await approve(product, branch, '77000095');
  await watchDrawing(page, true);
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  await press(page, /^Reçu/);
  const dialog = page.getByRole('dialog', { name: `Reçu du ticket n° ${id}` });
  const link = dialog.getByRole('link');
  const address = await link.getAttribute('href');
  // The code stands on one line.
  const code = link.getByText(await codeOf(caller, id), { exact: true });
  expect(await code.evaluate((element) => element.scrollHeight)).toBeLessThan(30);
  const lines = await dialog.locator('dt').allTextContents();
  expect(lines).toEqual(['Service', 'Date', 'Bénéficiaire', 'Paiement', 'Statut', 'Prix', 'Commission', 'Total']);
  await expect(dialog.locator('dd').first()).toHaveText('Bouquet Access');
  expect(address).toBe(`${product.url}/recu/${await codeOf(caller, id)}`);
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await press(page, 'Partager');
  await expect.poll(async () => (await readShared(page)).image).toBeTruthy();
  const { drawn, text, image } = await readShared(page);
  expect(image).toMatchObject({ name: `recu-${id}.png`, type: 'image/png', width: 1080 });
  expect(image?.height).toBeGreaterThan(1000);
  expect(image?.colours).toBeGreaterThan(20);
  // The ground of the light theme, whatever the screen's.
  expect(image?.corner).toEqual([0xfb, 0xf8, 0xf3, 0xff]);
  expect(text).toContain(`\nÀ vérifier : ${address}`);
  const words = drawn.join(' ');
  for (const part of ['Guichet', `Reçu du ticket n° ${id}`, 'Bouquet Access', 'Wave', 'Approuvé', /5.100\sFCFA/])
    expect(words).toMatch(part);
  expect(drawn.join('')).toContain(address);

  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Télécharger')]);
  expect(download.suggestedFilename()).toBe(`recu-${id}.png`);
  await expectToast(page, 'Image téléchargée', `recu-${id}.png`);
  const saved = readFileSync(await download.path());
  expect([saved.toString('latin1', 1, 4), saved.readUInt32BE(16)]).toEqual(['PNG', 1080]);

  const anyone = await browser.newPage({ viewport: phoneSize });
  await anyone.goto(address ?? '');
  await expect(anyone.getByRole('heading', { name: 'Reçu authentique' })).toBeVisible();
  // Line by line the receipt's, but for its prices.
  await expect(anyone.getByRole('heading', { level: 2 })).toHaveText(`Reçu du ticket n° ${id}`);
  await expect(anyone.locator('dt')).toHaveText(lines.filter((name) => name !== 'Prix' && name !== 'Commission'));
  await anyone.close();
  await caller.end();
});

test('an address of a receipt shows anyone whether it is authentic, and nothing of its person', async ({
  page,
  browser,
  product,
  branch,
  provoke,
}) => {
  provoke('404 /api/receipts/', '400 /api/receipts/', '401 /api/auth/me', '401 /api/notifications/');
  const { caller, id } = await approve(product, branch, '77000097');
  const code = await codeOf(caller, id);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const answer = await page.goto(`${product.url}/recu/${code.toLowerCase()}`);
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  await expect(heading('Reçu authentique')).toBeVisible();
  const main = page.getByRole('main');
  for (const text of [`n° ${id}`, 'Bouquet Access', 'Wave', 'Approuvé', /\+226 XX XX XX \d\d/, /5.100\sFCFA/])
    await expect(main).toContainText(text);
  await expect(main).not.toContainText('Rokia');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);

  const last = code.endsWith('7') ? '8' : '7';
  for (const wrong of [code.slice(0, -1) + last, '1', "1'--", `${id}-${'0'.repeat(200)}`, '%00']) {
    await page.goto(`${product.url}/recu/${wrong}`);
    await expect(heading('Reçu introuvable')).toBeVisible();
    await expect(main).toContainText("ce reçu n'est pas authentique");
    expect(new URL(page.url()).pathname).toMatch(/^\/recu\//);
  }
  expect(await findViolations(page)).toEqual([]);

  // A session that has ended on the server; its 401 leads nowhere else.
  await enterBy(page, product, caller.entrance);
  // A call of this screen would end the session first.
  await untilAnswered(page);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${product.url}/recu/${code}`);
  await expect(page.getByText('Session expirée')).toBeVisible();
  await expect(heading('Reçu authentique')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/recu/${code}`);

  await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
  const panel = await browser.newPage({ viewport: phoneSize });
  await enterAsAdministrator(panel, product);
  await panel.goto(`${product.url}/recu/${code}`);
  await expect(panel.getByRole('heading', { name: 'Reçu annulé' })).toBeVisible();
  await expect(panel.getByRole('main')).toContainText(/la demande n'est plus approuvée\s: il ne vaut plus/);
  await expect(panel.getByRole('main')).toContainText('Rejeté');
  expect(await findViolations(panel)).toEqual([]);
  await panel.close();
  await caller.end();
});
