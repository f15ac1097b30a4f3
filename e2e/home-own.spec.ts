import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { enterAsGuest, enterBy } from './steps.ts';

const waiting = (page: Page) => page.getByRole('region', { name: 'Votre demande en attente' });
const again = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Recommencer' }) });
const families = (page: Page) => page.getByRole('heading', { name: 'Nos Services' });

test('P6.10, home begins with the request that waits and its code, then what is repeated', async ({
  page,
  product,
  branch,
}) => {
  const caller = await callAs(product, { firstName: 'Aïcha', lastName: 'Sow', phone: '79130001' });
  const [older, , newest] = await fileTickets(caller, 3);
  // With the list stored by an earlier screen: one that comes late stands below the families.
  await enterBy(page, product, caller.entrance, '/tickets');
  await expect(page.locator(`#ticket-${newest}`)).toBeVisible();
  await page.goto(product.url);
  await expect(waiting(page)).toContainText(new RegExp(`n°\\s${newest} ·\\sPour\\s\\+226.*5.100\\sFCFA`));
  await expect(waiting(page).getByText(/^\*144\*/)).toBeVisible();
  await expect(waiting(page).getByRole('link', { name: '2 autres demandes en attente' })).toBeVisible();
  await expect(again(page).getByRole('button')).toHaveCount(2);
  await expect(again(page).getByRole('button').first()).toContainText('5 100 FCFA');
  for (const row of await again(page).getByRole('button').all())
    expect((await boxOf(row)).height).toBeLessThanOrEqual(70);
  // Its SIM stands with the code.
  const [code, sim] = [waiting(page).locator('.font-mono'), waiting(page).getByText('Depuis votre SIM Orange')];
  expect((await boxOf(sim)).y - (await boxOf(code)).bottom).toBeLessThanOrEqual(4);
  // Without a dialler copying is what is done with it: by a word, not by a sign alone.
  await expect(waiting(page).getByRole('button', { name: /^Copier/ })).toHaveText('Copier');
  const tops = await Promise.all([waiting(page), families(page)].map(async (each) => (await boxOf(each)).y));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(waiting(page)).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
  expect(await findViolations(page)).toEqual([]);

  await waiting(page).getByRole('button', { name: "J'ai payé" }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/^Référence de la transaction/).fill('PPA61122.1402.B77');
  await page.keyboard.press('Enter');
  await expect(waiting(page)).toContainText('Paiement déclaré');
  await expect(waiting(page)).toContainText('PPA61122.1402.B77');

  // A decision is told, and the next request takes the place.
  await waiting(page)
    .getByRole('button', { name: /^Copier/ })
    .focus();
  await branch.admin.send('PATCH', `/api/tickets/${newest}/status`, { status: 'approved' });
  await expect(page.getByRole('status').filter({ hasText: `Demande n° ${newest}` })).toHaveText(/approuvée/);
  await expect(waiting(page)).not.toContainText(`n° ${newest}`);
  for (const id of [older, (older ?? 0) + 1])
    await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
  await expect(waiting(page)).toHaveCount(0);
  await expect(page.locator(':focus')).not.toHaveCount(0);
  await caller.end();
});

test('P6.13, a newcomer is one tap from a service of their country in each family; on a desk the families show what is in them', async ({
  page,
  product,
}) => {
  await page.setViewportSize(phoneSize);
  await enterAsGuest(page, product);
  const quick = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Accès rapide' }) });
  await expect(quick.getByRole('button', { name: /Burkina Faso/ })).toHaveCount(1);
  expect(await quick.getByRole('button').count()).toBeGreaterThanOrEqual(4);
  await expect(page.getByRole('main').getByRole('button', { name: 'Moov Money', exact: true })).toHaveCount(0);

  await page.setViewportSize(desktopSize);
  // With a price or without one: all families' children begin at one height.
  const tops = await page
    .getByRole('main')
    .getByRole('list')
    .first()
    .locator('> li > ul')
    .evaluateAll((lists) => lists.map((list) => Math.round(list.getBoundingClientRect().top)));
  expect(tops).toHaveLength(4);
  expect(new Set(tops).size).toBe(1);
  // Also with a name of two lines, their dividers are at one height.
  const heights = await page
    .getByRole('main')
    .getByRole('list')
    .first()
    .locator('> li > ul > li:not(:last-child)')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  const child = page.getByRole('main').getByRole('list').getByRole('button', { name: 'Moov Money', exact: true });
  await child.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Moov Money - Services' })).toBeVisible();
  await page.goBack();
  await quick
    .getByRole('button', { name: /Burkina Faso/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
});
