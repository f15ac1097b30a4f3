import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { test } from './branch.ts';
import { landscapeSize } from './browser.ts';
import { expect } from './fixtures.ts';
import { enterAsGuest, holdBack, outside } from './steps.ts';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Rechercher un service' });
const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const _scrollsSideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
/** Gives a page's text its width in Roboto, the font of the target phones, whichever font is installed. */
async function writeAsInRoboto(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sentence = 'Explorer les services';
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    pen.font = `bold 100px ${getComputedStyle(document.body).fontFamily}`;
    /** Width of the sentence in bold Roboto, in em. */
    const inRoboto = 9.323;
    const perLetter = (inRoboto - pen.measureText(sentence).width / 100) / sentence.length;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { letter-spacing: ${perLetter}em }`);
    document.adoptedStyleSheets = [sheet];
  });
}

test('greeting, search and four families are on a phone without scrolling; the way on is one line', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  await expect(inMain(page, /Banque et épargne/)).toBeVisible();
  await writeAsInRoboto(page);
  const families = page.getByRole('main').getByRole('list').first();
  await expect(families.getByRole('listitem')).toHaveCount(4);
  const { y, height } = (await families.boundingBox()) ?? { y: 0, height: 0 };
  expect(y + height).toBeLessThanOrEqual(500);
  expect((await searchBox(page).boundingBox())?.height).toBeGreaterThanOrEqual(48);
  expect((await page.getByRole('heading', { name: 'Bonjour Invité' }).boundingBox())?.y).toBeGreaterThan(6);
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    for (const line of await page.getByText('Explorer les services').all()) {
      const [lines, fontSize] = await line.evaluate((element) => {
        const { fontSize, lineHeight } = getComputedStyle(element);
        const { top, bottom } = element.firstElementChild?.getBoundingClientRect() ?? new DOMRect();
        const range = document.createRange();
        range.selectNodeContents(element);
        const { height } = range.getBoundingClientRect();
        return [Math.max(height, bottom - top) / Number.parseFloat(lineHeight), Number.parseFloat(fontSize)];
      });
      expect(lines, `at ${width} px`).toBeLessThan(1.6);
      expect(fontSize, `at ${width} px`).toBeGreaterThanOrEqual(11);
    }
  }
});

test('a search through every level: without accents, best first, each hit with its path, kept by reload and back', async ({
  page,
  product,
}) => {
  await page.goto(outside);
  await enterAsGuest(page, product);
  const field = searchBox(page);
  await field.fill('electricite');
  const hit = inMain(page, /^Électricité/);
  await expect(page.getByRole('status').filter({ hasText: 'résultats' })).toHaveText('8 résultats');
  const hits = page.getByRole('main').getByRole('listitem');
  await expect(hits.first()).toContainText('Électricité');
  // What all their paths have is said once.
  await expect(page.getByRole('main')).toContainText('Dans Factures et paiements');
  await expect(hits.filter({ hasText: 'Factures et paiements' })).toHaveCount(0);
  await expect(hits.nth(1)).toHaveText(/\wÉlectricité$/);

  await expect(page).toHaveURL(`${product.url}/?q=electricite`);
  await page.reload();
  await expect(field).toHaveValue('electricite');
  await hit.click();
  await expect(page.getByRole('heading', { name: 'Électricité - Services' })).toBeVisible();
  await page.goBack();
  await expect(field).toHaveValue('electricite');
  await expect(hit).toBeVisible();

  await inMain(page, /^SONABEL/).click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  const { services } = JSON.parse((await page.evaluate(() => sessionStorage.getItem('guichet_order'))) ?? '{}');
  expect(services.map(({ name }: { name: string }) => name)).toEqual([
    'Factures et paiements',
    'Électricité',
    'SONABEL',
  ]);
  await page.goBack();
  await expect(hit).toBeVisible();
  // Home and its search are one entry of the history.
  await page.goBack();
  await expect(page).toHaveURL(outside);
});

test('words in any order find a service by its path; what is typed is kept to the letter, and emptied by Escape or the cross', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  const field = searchBox(page);
  await field.pressSequentially('Niger AIRTEL  crédit ');
  await expect(field).toHaveValue('Niger AIRTEL  crédit ');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('Télécom et mobile → Niger → Airtel');
  await expect(page.getByRole('heading', { name: 'Nos Services' })).toBeHidden();
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Nos Services' })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/`);
  await field.fill('orange');
  await page.getByRole('button', { name: 'Effacer la recherche' }).click();
  await expect(field).toBeFocused();
  await expect(inMain(page, /Banque et épargne/)).toBeVisible();

  await field.fill('pizza');
  await expect(page.getByText('Aucun service ne correspond à « pizza ».')).toBeVisible();
  await page.getByRole('button', { name: 'Voir tous les services' }).click();
  await expect(inMain(page, /Banque et épargne/)).toBeVisible();
  await expect(field).toHaveValue('');
});

test('the whole catalogue comes when nothing else is to do, for those who save data when they search; then no line is needed', async ({
  page,
  product,
}) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/catalogue') asked += 1;
  });
  await enterAsGuest(page, product);
  await expect(inMain(page, /Banque et épargne/)).toBeVisible();
  await untilAnswered(page);
  expect(asked).toBe(0);
  const answered = page.waitForResponse('**/api/catalogue');
  await searchBox(page).focus();
  await (await answered).finished();
  expect(asked).toBe(1);

  // In data-saving mode a level's screen loads when one is first opened.
  await inMain(page, /Banque et épargne/).click();
  await expect(page.getByRole('heading', { name: 'Banque et épargne - Services' })).toBeVisible();
  await page.goBack();
  await page.context().setOffline(true);
  await searchBox(page).fill('epargne');
  await inMain(page, /^Épargne/).click();
  await expect(page.getByRole('heading', { name: 'Épargne - Services' })).toBeVisible();
  await expect(inMain(page, 'Tontine du mois')).toBeVisible();
  await page.context().setOffline(false);

  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: false });
  const unasked = page.waitForRequest('**/api/catalogue');
  await page.goto(product.url);
  await unasked;
});

test('a search whose catalogue does not come says so, and goes on with another try', async ({ page, product }) => {
  await page.route('**/api/catalogue', (route) => route.abort());
  await enterAsGuest(page, product);
  await searchBox(page).fill('orange');
  await expect(page.getByText('Impossible de charger les services.')).toBeVisible();
  await page.unroute('**/api/catalogue');
  await expect(page.getByText('Vérifiez votre connexion et réessayez.')).toBeVisible();
  await page.setViewportSize(landscapeSize);
  await expect(page.getByRole('button', { name: 'Réessayer' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(inMain(page, /^Orange Money/)).toBeVisible();
});

test('a level is drawn from the catalogue until its own answer comes, which then counts', async ({
  page,
  product,
  branch,
}) => {
  const child = await branch.add('Ancien nom', { isFinalLevel: true, price: '700 FCFA' });
  await enterAsGuest(page, product);
  await searchBox(page).fill(branch.root.name);
  await expect(inMain(page, /^Ancien nom/)).toBeVisible();
  await branch.change(child, { name: 'Nouveau nom' });
  const level = await holdBack(page, `**/api/services?parentId=${branch.root.id}`);
  await inMain(page, branch.root.name).first().click();
  await expect(page.getByRole('heading', { name: `${branch.root.name} - Services` })).toBeVisible();
  await expect(inMain(page, 'Ancien nom')).toBeVisible();
  level.release();
  await expect(inMain(page, 'Nouveau nom')).toBeVisible();
  await expect(inMain(page, 'Ancien nom')).toBeHidden();
});
