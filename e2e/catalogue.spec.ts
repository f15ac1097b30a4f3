import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { test } from './branch.ts';
import { landscapeSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect } from './fixtures.ts';
import { enterAsGuest, enterBy, holdBack, outside } from './steps.ts';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Rechercher un service' });
const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const scrollsSideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
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

test('greeting, search and four families are on a phone without scrolling; the way on is one line @slow', async ({
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

test('words in any order find a service by its path; what is typed is kept to the letter, and emptied by Escape or the cross @slow', async ({
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

test('the whole catalogue comes when nothing else is to do, for those who save data when they search; then no line is needed @slow', async ({
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

test('a search whose catalogue does not come says so, and goes on with another try @slow', async ({
  page,
  product,
}) => {
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

test('a level is drawn from the catalogue until its own answer comes, which then counts @slow', async ({
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

test('a level that is newer than what a phone kept of the catalogue opens all the same @slow', async ({
  page,
  product,
  branch,
}) => {
  await branch.add('Connu', { isFinalLevel: true, price: '700 FCFA' });
  await enterAsGuest(page, product);
  await inMain(page, branch.root.name).click();
  await expect(inMain(page, 'Connu')).toBeVisible();
  const level = await branch.add('Tout nouveau');
  await branch.add('Dessous', { parentId: level.id, isFinalLevel: true, price: '900 FCFA' });
  await page.goto(`${product.url}/?dans=${branch.root.id},${level.id}`);
  await expect(page.getByRole('heading', { name: 'Tout nouveau - Services' })).toBeVisible();
  await expect(inMain(page, 'Dessous')).toBeVisible();
});

test('a deep level has a bar of 48 px and its way on one line, scrolled to its end and walked by keyboard @slow', async ({
  page,
  product,
  branch,
}) => {
  let above = branch.root;
  const way = [branch.root];
  for (const level of [2, 3, 4]) {
    above = await branch.add(`Un niveau au nom bien long, le numéro ${level}`, { parentId: above.id });
    way.push(above);
  }
  await branch.add('Le bout', { parentId: above.id, isFinalLevel: true, price: '1 500 FCFA' });
  await enterAsGuest(page, product);
  const address = `/?dans=${way.map(({ id }) => id).join(',')}`;
  await page.goto(product.url + address);
  await expect(inMain(page, 'Le bout')).toBeVisible();
  const trail = page.getByRole('navigation', { name: "Fil d'Ariane" });
  await expect(trail.getByRole('listitem')).toHaveCount(4);
  const heights = await trail.getByRole('button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
  expect(new Set(heights.map(({ top }) => top)).size).toBe(1);
  for (const { height } of heights) expect(height).toBeGreaterThanOrEqual(44);
  await expect(trail.getByRole('button').last()).toBeInViewport();
  await expect(trail.getByRole('button', { name: 'Accueil' })).not.toBeInViewport();
  expect(await scrollsSideways(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Retour' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(trail.getByRole('button', { name: 'Accueil' })).toBeFocused();
  await expect(trail.getByRole('button', { name: 'Accueil' })).toBeInViewport();
  await page.getByRole('button', { name: way[2]?.name as string }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${way[2]?.name} - Services`);

  await page.goto(product.url);
  await inMain(page, branch.root.name).click();
  const bar = page.getByRole('button', { name: 'Retour' }).locator('xpath=..');
  await page.setViewportSize({ width: 800, height: 740 });
  expect((await bar.boundingBox())?.height).toBe(48);
});

test('rows are 60 px at least, tell operators apart, and have their price at the edge, or under a name without room @slow', async ({
  page,
  product,
  branch,
}) => {
  await branch.add('Orange', { description: 'Crédit et forfaits' });
  await branch.add('Moov Africa');
  await branch.add('Crédit Orange', { isFinalLevel: true, price: '1 000 FCFA' });
  await branch.add('Choisi', { isFinalLevel: true, price: '2 000 FCFA', textColor: '#A61B1B' });
  await branch.add('Un long prix', { isFinalLevel: true, price: 'À partir de 12 500 FCFA, selon le compteur' });
  await enterAsGuest(page, product);
  await inMain(page, branch.root.name).click();
  for (const [name, initials] of [
    [/^Orange/, 'OR'],
    [/^Moov Africa/, 'MO'],
  ] as const) {
    const mark = inMain(page, name).locator('[data-initials]');
    expect(await mark.evaluate((element) => getComputedStyle(element, '::before').content)).toBe(`"${initials}"`);
  }
  await expect(inMain(page, 'Crédit Orange').getByText('📲')).toBeVisible();
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasNotText: 'Accueil' });
  await expect(rows).toHaveCount(5);
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(60);
  const color = (name: string, price: string) =>
    inMain(page, name)
      .getByText(price, { exact: true })
      .evaluate((element) => getComputedStyle(element).color);
  expect(await color('Crédit Orange', '1 000 FCFA')).toBe('rgb(11, 107, 58)');
  expect(await color('Choisi', '2 000 FCFA')).toBe('rgb(166, 27, 27)');
  const place = async (name: string, text: string) => {
    const box = await inMain(page, name).getByText(text, { exact: true }).boundingBox();
    if (!box) throw new Error(`${text} is not drawn`);
    return box;
  };
  const name = await place('Crédit Orange', 'Crédit Orange');
  expect((await place('Crédit Orange', '1 000 FCFA')).x).toBeGreaterThan(name.x + 100);
  const longName = await place('Un long prix', 'Un long prix');
  const long = await place('Un long prix', 'À partir de 12 500 FCFA, selon le compteur');
  expect(long.y).toBeGreaterThanOrEqual(longName.y + longName.height - 1);
  expect(long.x).toBe(longName.x);
});

test('what was ordered before is offered again at the end of home: by one tap, unmoved, and nothing to a newcomer @slow', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Mariam', lastName: 'Sow', phone: '79000001' };
  const child = await branch.add('Une fois', { isFinalLevel: true, price: '1 000 FCFA', phoneNumber: '*144*XX#' });
  const caller = await callAs(product, person);
  await enterBy(page, product, caller.entrance);
  await untilAnswered(page);
  await expect(page.getByRole('heading', { name: /Recommencer|utilisés/ })).toHaveCount(0);

  await caller.send('POST', '/api/tickets', {
    userId: caller.userId,
    serviceId: child.id,
    servicePath: [{ id: branch.root.id }, { id: child.id }],
    beneficiaryPhoneNumber: '+22679000001',
    paymentTypeName: 'Wave',
    totalPrice: '1000',
    status: 'pending',
  });
  await fileTickets(caller, 3);
  const tickets = await holdBack(page, '**/api/tickets/user/**');
  await page.goto(product.url);
  const family = inMain(page, /Banque et épargne/);
  await expect(family).toBeVisible();
  const before = await family.boundingBox();
  await expect.poll(tickets.held).toBe(1);
  tickets.release();
  const again = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Recommencer' }) });
  await expect(again.getByRole('button')).toHaveCount(2);
  expect(await family.boundingBox()).toEqual(before);
  const used = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Les plus utilisés' }) });
  await expect(used.getByRole('button')).toHaveText([/Bouquet Access/, /Une fois/]);
  await used.getByRole('button', { name: /Bouquet Access/ }).click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await expect(page.getByText('Service sélectionné')).toBeVisible();

  await page.unroute('**/api/tickets/user/**');
  await page.goto(product.url);
  const offered = page.getByRole('button', { name: /^Recommencer : Bouquet Access/ }).first();
  const [, phone = ''] = /\+226 ([\d ]+\d) ·/.exec((await offered.textContent()) ?? '') ?? [];
  await offered.click();
  const beneficiary = page.getByLabel('Numéro du bénéficiaire');
  await expect
    .poll(async () => (await beneficiary.inputValue()).replace(/\D/g, '').slice(-8))
    .toBe(phone.replace(/ /g, ''));

  await branch.change(child, { isVisible: false });
  await page.goto(product.url);
  await expect(again.getByRole('button')).toHaveCount(2);
  await searchBox(page).fill('bouquet');
  await expect(inMain(page, /^Bouquet Access/)).toBeVisible();
  await searchBox(page).fill('');
  await expect(used).toHaveCount(0);
  await caller.end();
});

test('nothing of the catalogue is cut off on a small phone, on one that lies on its side, and with twice the text size @slow', async ({
  page,
  product,
  branch,
}) => {
  await branch.change(branch.root, { description: 'Rechargements et abonnements internationaux' });
  await branch.add('Réabonnement anticonstitutionnel', { isFinalLevel: true, price: 'À partir de 12 500 FCFA' });
  await enterAsGuest(page, product);
  const look = async (what: string, fontSize = '100%') => {
    for (const [address, sign] of [
      ['/', branch.root.name],
      ['/?q=reabonnement', 'Réabonnement'],
      [`/?dans=${branch.root.id}`, 'Réabonnement'],
    ] as const) {
      await page.goto(product.url + address);
      await expect(inMain(page, sign).first()).toBeVisible();
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), fontSize);
      expect(await scrollsSideways(page), `${address} ${what}`).toBeLessThanOrEqual(0);
      const cut = await page
        .getByRole('main')
        .locator('button span')
        .evaluateAll((all) =>
          all
            .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
            .map((each) => each.textContent),
        );
      expect(cut, `${address} ${what}`).toEqual([]);
    }
  };
  for (const [width, height] of [
    [320, 640],
    [740, 360],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await look(`at ${width} px`);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await look('with twice the text size', '200%');
});
