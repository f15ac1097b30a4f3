import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { countRequests, untilAnswered } from './answers.ts';
import { expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { seeAgain, stopClock } from './clock.ts';
import { anyPhone } from './incoming.ts';
import { boxOf, enlarge, expectNoSidewaysScroll, expectUnbroken, linesOf } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import { enterAsGuest, enterBy, outside, toBundle } from './steps.ts';

const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const waiting = (page: Page) => page.getByRole('region', { name: 'Votre demande en attente' });
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Rechercher un service' });

const inFull = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true });

test('P6.4, 300 services at a level and names of 106 characters: three lines at most on a card and a row, all of it on its own screen', async ({
  page,
  product,
  branch,
}) => {
  const words = `Paiement des frais d'inscription et de scolarité de l'établissement d'enseignement ${branch.root.name}`;
  const name = words.padEnd(106, 's');
  const description =
    'Pour toutes les écoles, tous les instituts et toutes les universités du pays, en une ou plusieurs fois.';
  const price = 'À partir de 1246913 FCFA';
  const root = await branch.change(branch.root, { name, description, price });
  const children = Array.from({ length: 300 }, (_, place) => ({
    ...root,
    id: 900_000 + place,
    parentId: root.id,
    level: 2,
    name: `Un niveau au nom tout aussi long, ${'plus long encore, '.repeat(3)}et le voici, n° ${place}`,
  }));
  await page.route('**/api/catalogue', (route) => route.fulfill({ json: [root, ...children] }));
  await enterAsGuest(page, product);
  for (const [width, large] of [
    [320, false],
    [360, true],
    [1280, false],
  ] as const)
    await test.step(`at ${width} px${large ? ' with text twice as large' : ''}`, async () => {
      await page.setViewportSize({ width, height: 740 });
      await enlarge(page, large);
      await expect(inMain(page, name)).toBeVisible();
      expect(await linesOf(inFull(page, name))).toBe(3);
      expect(await linesOf(inFull(page, description))).toBe(2);
      await expect(inMain(page, name)).toContainText('À partir de 1 246 913 FCFA');
      await expectNoSidewaysScroll(page);
    });
  await page.setViewportSize(phoneSize);
  await inMain(page, name).click();
  const heading = page.getByRole('heading', { name: `${name} - Services` });
  await expect(heading).toBeVisible();
  expect(await heading.evaluate((element) => element.scrollHeight <= element.clientHeight + 1)).toBe(true);
  await expect(inMain(page, /^Un niveau/)).toHaveCount(300);
  expect(await linesOf(inFull(page, children[299]?.name ?? ''))).toBe(3);
  await expectNoSidewaysScroll(page);
});

test('P6.5, the breadcrumb of the deepest level stays on one line: the middle of the path folds, until one asks for it', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  for (const name of toBundle.slice(0, 4)) await inMain(page, name).first().click();
  const crumbs = page.getByRole('navigation', { name: "Fil d'Ariane" }).getByRole('button');
  await expect(crumbs).toHaveText(['Accueil', '…', 'Orange']);
  for (const large of [false, true]) {
    await enlarge(page, large);
    const boxes = await Promise.all([0, 1, 2].map((place) => boxOf(crumbs.nth(place))));
    expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(1);
    expect(boxes.at(-1)?.right).toBeLessThanOrEqual(phoneSize.width - 8);
    // No name is cut at the usual size.
    for (const each of large ? [] : await crumbs.all())
      expect(await each.evaluate((crumb) => crumb.scrollWidth <= crumb.clientWidth)).toBe(true);
  }
  await enlarge(page, false);
  // Three services of one operator are told apart by no equal picture.
  await expect(page.getByRole('main').locator('[data-initials="OR"]')).toHaveCount(3);
  await expect(inMain(page, /^Forfait internet 7 jours/)).toContainText(/1\s000\sFCFA.*soit 1\s050/);
  await crumbs.nth(1).click();
  await expect(crumbs).toHaveText(['Accueil', ...toBundle.slice(0, 3)]);
  await crumbs.nth(2).click();
  await expect(page.getByRole('heading', { name: 'Burkina Faso - Services' })).toBeVisible();
});

for (const viewport of [phoneSize, desktopSize])
  test(`P6.14, ${viewport.width} pixels wide: the second of two taps does nothing to the level that the first one opened`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize(viewport);
    await page.clock.install();
    await enterAsGuest(page, product);
    const family = inMain(page, /^Télécom et mobile/).first();
    const level = page.getByRole('heading', { name: 'Télécom et mobile - Services' });
    const card = await boxOf(family);
    await family.click();
    await expect(level).toBeVisible();
    // Where one taps, a row will be.
    const rows = await Promise.all(
      (await page.getByRole('main').getByRole('listitem').getByRole('button').all()).map(boxOf),
    );
    const row = rows.find(({ x, right, y }) => Math.max(x, card.x) < Math.min(right, card.right) && y > card.y);
    const [x, y] = [Math.max(row?.x ?? 0, card.x) + 10, (row?.y ?? 0) + 10];
    expect(y).toBeLessThan(card.bottom);
    await page.goBack();
    await expect(family).toBeVisible();
    await stopClock(page);
    await page.clock.runFor(300);
    await page.mouse.click(x, y);
    await expect(level).toBeVisible();
    await page.clock.runFor(90);
    await page.mouse.click(x, y);
    await page.clock.runFor(90);
    await expect(level).toBeVisible();
    await expect(page).toHaveURL(/dans=\d+$/);
    await page.clock.runFor(300);
    await page.mouse.click(x, y);
    await expect(page).toHaveURL(/dans=\d+,\d+$/);
    // A keyboard is not slowed: no time passes here.
    await page.goBack();
    await expect(level).toBeVisible();
    await inMain(page, 'Burkina Faso').press('Enter');
    await inMain(page, 'Orange').press('Enter');
    await expect(page.getByRole('heading', { name: 'Orange - Services' })).toBeVisible();
  });

for (const [device, viewport] of Object.entries({ phone: phoneSize, desk: desktopSize }))
  test.describe(`on a ${device}`, () => {
    test.use({ viewport, hasTouch: device === 'phone' });

    test('P6.10, home puts first what is still to be paid, then on one line what is declared, and repeats decided orders alone', async ({
      page,
      product,
      branch,
    }) => {
      const caller = await callAs(product, { firstName: 'Aïcha', lastName: 'Sow', phone: anyPhone() });
      const [decided, older, newer, declared] = await fileTickets(caller, 4);
      await branch.admin.send('PATCH', `/api/tickets/${decided}/status`, { status: 'approved' });
      await caller.send('POST', `/api/tickets/${declared}/payment-declaration`, {});
      // With the list stored by an earlier screen: one that comes late stands below the families.
      await enterBy(page, product, caller.entrance, '/tickets');
      await expect(page.locator(`#ticket-${newer}`)).toBeVisible();
      await page.goto(product.url);
      const unpaid = page.getByRole('region', { name: 'Autres demandes à payer' });
      const follow = page.getByRole('region', { name: 'Suivi de vos demandes' });
      const again = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Refaire' }) });
      await expect(waiting(page)).toContainText(new RegExp(`5.100\\sFCFA.*n°\\s${newer}\\s·\\spour\\s\\+226`));
      await expect(waiting(page).getByText(/^\*144\*/)).toBeVisible();
      await expect(unpaid.getByRole('listitem')).toHaveText([/Bouquet Access5.100\sFCFA/]);
      if (device === 'phone')
        await expect(unpaid.getByRole('link', { name: `Composer le code du ticket n° ${older}` })).toHaveAttribute(
          'href',
          /^tel:\*144\*/,
        );
      else
        await expect(unpaid.getByRole('link', { name: `Voir le code du ticket n° ${older}` })).toHaveAttribute(
          'href',
          `/ticket/${older}`,
        );
      await expect(follow.getByRole('link')).toHaveText([
        /^Bouquet Access5.100\sFCFAPaiement déclaré à\s\d\d:\d\d, vérification en cours$/,
      ]);
      await expect(again.getByRole('button')).toHaveText([/5.100\sFCFA/]);
      const places = [waiting(page), unpaid, follow, page.getByRole('heading', { name: 'Nos Services' })];
      const [first, second, third, families] = await Promise.all(places.map(boxOf));
      expect(first?.bottom).toBeLessThanOrEqual(second?.y ?? 0);
      expect(second?.bottom).toBeLessThanOrEqual(third?.y ?? 0);
      expect(third?.bottom).toBeLessThanOrEqual(families?.y ?? 0);
      await expect(waiting(page)).toBeInViewport({ ratio: 1 });
      // So tall that no row is under the bar, which would make it too small a target.
      await page.setViewportSize({ ...viewport, height: 1_600 });
      expect(await findViolations(page)).toEqual([]);
      await page.setViewportSize(viewport);
      await enlarge(page);
      await expectNoSidewaysScroll(page);
      await expectUnbroken(page.getByRole('navigation').getByRole('link').locator('.hyphens-none'));
      await enlarge(page, false);

      await waiting(page).getByRole('button', { name: "J'ai payé" }).press('Enter');
      await page.getByRole('button', { name: "Je n'ai pas la référence" }).press('Enter');
      await expect(follow.getByRole('link')).toHaveText([/^2\spaiements déclarés10.200\sFCFA/]);
      await expect(waiting(page)).toContainText(`n°\u00a0${older}`);
      await expect(unpaid).toHaveCount(0);
      await expect(page.locator(':focus')).not.toHaveCount(0);

      await branch.admin.send('PATCH', `/api/tickets/${newer}/status`, { status: 'approved' });
      await seeAgain(page);
      await expectToast(page, 'Approuvé : Bouquet Access', new RegExp(`5.100\\sFCFA · ticket n°\\s${newer}`));
      await expect(follow.getByRole('link').first()).toHaveText(/^Bouquet Access5.100\sFCFAApprouvé$/);
      await expect(follow.getByTestId('fresh-tick')).toBeVisible();
      await expect(page.getByTestId('unread-dot')).toBeVisible();
      await waiting(page)
        .getByRole('button', { name: /^Copier/ })
        .focus();
      await branch.admin.send('PATCH', `/api/tickets/${older}/status`, {
        status: 'rejected',
        reason: 'Sans paiement.',
      });
      await seeAgain(page);
      await expectFailure(page, 'Rejeté : Bouquet Access', 'Motif : Sans paiement.');
      await expect(waiting(page)).toHaveCount(0);
      await expect(follow.getByRole('link', { name: /Rejeté : Sans paiement\./ })).toBeVisible();
      await expect(again.getByRole('button')).toHaveCount(2);
      await expect(page.locator(':focus')).not.toHaveCount(0);
      // What is told is news on this screen alone.
      await page.reload();
      await expect(follow.getByRole('link')).toHaveText([/Paiement déclaré/, /Rejeté\s: Sans paiement\./]);
      await follow.getByRole('button', { name: `Corriger le ticket n° ${older}` }).click();
      await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
    });
  });

test('P6.13, a newcomer is one tap from a service of their country in each family', async ({ page, product }) => {
  await enterAsGuest(page, product);
  const quick = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: /Accès rapide|Souvent demandés/ }) });
  await expect(quick.getByRole('button', { name: /Burkina Faso/ })).toHaveCount(1);
  expect(await quick.getByRole('button').count()).toBeGreaterThanOrEqual(4);
  await expect(inMain(page, /^Moov Money$/)).toHaveCount(0);
  await page.setViewportSize(desktopSize);
  await page
    .getByRole('main')
    .getByRole('list')
    .getByRole('button', { name: 'Moov Money', exact: true })
    .press('Enter');
  await expect(page.getByRole('heading', { name: 'Moov Money - Services' })).toBeVisible();
  await page.goBack();
  await quick
    .getByRole('button', { name: /Burkina Faso/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
});

test('a search goes through every level, and is kept by reload and back', async ({ page, product }) => {
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
  await expect(page).toHaveURL(`${product.url}/?q=electricite`);
  await page.reload();
  await expect(field).toHaveValue('electricite');
  await hit.click();
  await expect(page.getByRole('heading', { name: 'Électricité - Services' })).toBeVisible();
  await page.goBack();
  await inMain(page, /^SONABEL/).click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await page.goBack();
  await expect(hit).toBeVisible();
  // Home and its search are one entry of the history.
  await page.goBack();
  await expect(page).toHaveURL(outside);

  // An address without a page keeps the bar, and searches. The own country comes first, and operators have their marks.
  await page.goto(`${product.url}/nulle-part`);
  await expect(page.getByRole('navigation', { name: 'Navigation principale' }).getByRole('link')).toHaveCount(4);
  expect((await boxOf(searchBox(page))).width).toBeGreaterThan(280);
  await searchBox(page).fill('forfait 7 jours');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${product.url}/?q=forfait+7+jours`);
  const countries = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(countries.first()).toHaveText('Burkina Faso');
  expect(await countries.count()).toBeGreaterThan(2);
  // The own country is open, others are folded with their counts.
  await expect(hits).toHaveCount(3);
  const mali = inMain(page, /^Mali\s?2$/);
  await mali.click();
  await expect(hits).toHaveCount(5);
  // The head has let the results come up.
  expect((await boxOf(countries.first())).y).toBeLessThan(150);
  await expect(hits.first().locator('[data-initials="OR"]')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('🌐');
  // A single one, with no heading above it, says its country itself.
  await searchBox(page).fill('zamani 7 jours');
  await expect(hits).toHaveText([/Niger/]);
  // The words that people use, and where none helps three services.
  await searchBox(page).fill('unités');
  await expect(hits.first()).toContainText("Crédit d'appel");
  await searchBox(page).fill('pizza');
  await expect(page.getByText('Aucun service ne correspond')).toBeVisible();
  await expect(hits).toHaveCount(3);
});

test('the whole catalogue comes when idle, for those who save data when they search', async ({ page, product }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  const asked = countRequests(page, 'GET', /^\/api\/catalogue$/);
  await enterAsGuest(page, product);
  await expect(inMain(page, /^Banque et épargne/)).toBeVisible();
  await untilAnswered(page);
  expect(asked.count()).toBe(0);
  const answered = page.waitForResponse('**/api/catalogue');
  await searchBox(page).focus();
  await (await answered).finished();

  // In data-saving mode a level's screen loads when one is first opened.
  await inMain(page, /^Banque et épargne/).click();
  await expect(page.getByRole('heading', { name: 'Banque et épargne - Services' })).toBeVisible();
  await page.goBack();
  await page.context().setOffline(true);
  await searchBox(page).fill('epargne');
  await inMain(page, /^Épargne/).click();
  await expect(inMain(page, 'Tontine du mois')).toBeVisible();
  await page.context().setOffline(false);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: false });
  const unasked = page.waitForRequest('**/api/catalogue');
  await page.goto(product.url);
  await unasked;
});
