import type { Locator, Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { seeAgain, stopClock } from './clock.ts';
import { anyPhone } from './incoming.ts';
import { closeMessage, expectFailure, expectToast } from './messages.ts';
import { enterBy, holdBack, outside } from './steps.ts';

const ground = (badge: Locator) =>
  badge.evaluate((element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
    canvas.fillStyle = getComputedStyle(element).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return { red, green, blue };
  });

test('P9.1 to P9.3, /tickets: what each ticket shows, its badge yellow, green or red, the code of pending ones alone', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Fanta', lastName: 'Lettre', phone: '77000051' };
  const caller = await callAs(product, person);
  const [pending, approved, rejected] = await fileTickets(caller, 3);
  await branch.admin.send('PATCH', `/api/tickets/${approved}/status`, { status: 'approved' });
  await branch.admin.send('PATCH', `/api/tickets/${rejected}/status`, { status: 'rejected' });
  await enterBy(page, product, caller.entrance, '/tickets');
  await expect(page.getByRole('heading', { level: 1, name: 'Mes Tickets' })).toBeVisible();
  const today = await page.evaluate(() => new Date().toLocaleDateString('fr-FR', { dateStyle: 'long' }));
  for (const [id, label] of [
    [pending, 'En attente'],
    [approved, 'Approuvé'],
    [rejected, 'Rejeté'],
  ] as const) {
    const ticket = page.locator(`#ticket-${id}`);
    for (const text of [label, `n° ${id}`, 'Factures et paiements', 'Télévision', 'Bouquet Access', /\+226 70 1\d/])
      await expect(ticket).toContainText(text);
    for (const text of ['Orange Money', /5.100\sFCFA/, today]) await expect(ticket).toContainText(text);
    const shown = label === 'En attente' ? 1 : 0;
    await expect(ticket.getByText(/^\*[\d*]*5100#$/)).toHaveCount(shown);
    await expect(ticket.getByRole('button', { name: /^Copier/ })).toHaveCount(shown);
  }
  const yellow = await ground(page.getByText('En attente', { exact: true }));
  const green = await ground(page.getByText('Approuvé', { exact: true }));
  const red = await ground(page.getByText('Rejeté', { exact: true }));
  expect(Math.min(yellow.red, yellow.green)).toBeGreaterThan(yellow.blue);
  expect(green.green).toBeGreaterThan(Math.max(green.red, green.blue));
  expect(red.red).toBeGreaterThan(Math.max(red.green, red.blue));
});

test('P9.2, copying a code: the check icon shows for 2 s', async ({ page, product }) => {
  const person = { firstName: 'Aïcha', lastName: 'Lettre', phone: '77000052' };
  const caller = await callAs(product, person);
  await fileTickets(caller, 1);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await enterBy(page, product, caller.entrance, '/tickets');
  const copy = page.getByRole('button', { name: /^Copier le code/ });
  const copied = page.getByRole('button', { name: /^Copié le code/ });
  await expect(copy).toBeVisible();
  // From here on only the test advances the clock.
  await stopClock(page);
  await copy.click();
  await expectToast(page, 'Code copié');
  await expect(copied).toBeVisible();
  await page.clock.runFor(1_999);
  await expect(copied).toBeVisible();
  await page.clock.runFor(1);
  await expect(copied).toBeHidden();
  await expect(copy).toBeVisible();
});

for (const [device, viewport] of Object.entries({ phone: phoneSize, desk: desktopSize }))
  test.describe(`on a ${device}`, () => {
    test.use({ viewport });

    test('P9.11, a decision is told once in each tab, where one looks, and the place of the keyboard stays in its ticket', async ({
      page,
      product,
      branch,
    }) => {
      const caller = await callAs(product, { firstName: 'Solange', lastName: 'Yago', phone: anyPhone() });
      const [first, second, third] = await fileTickets(caller, 3);
      await enterBy(page, product, caller.entrance, '/tickets');
      const card = (id: number | undefined) => page.locator(`#ticket-${id}`);
      const decide = async (id: number | undefined, status: string, reason?: string) => {
        await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status, reason });
        await seeAgain(page);
      };
      const heading = (id: number | undefined) => card(id).getByRole('heading');
      const approved = (on: Page) => on.getByRole('status').filter({ hasText: 'Approuvé : Bouquet Access' });
      const paid = card(first).getByRole('button', { name: /^J'ai payé/ });
      await expect(page.getByTestId('unread-dot')).toHaveCount(0);
      await paid.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Déclarer le paiement' }).focus();
      await page.keyboard.press('Enter');
      await expect(card(first)).toContainText('Paiement déclaré');
      await expect(heading(first)).toBeFocused();
      await closeMessage(page);

      const other = await page.context().newPage();
      await other.goto(`${product.url}/ticket/${second}`);
      await expect(other.getByText('Composez le code')).toBeVisible();
      await card(first).getByText('Afficher le code').focus();
      await decide(second, 'approved');
      await expectToast(page, 'Approuvé : Bouquet Access', new RegExp(`5.100\\sFCFA · ticket n°\\s${second}`));
      await expect(card(second).getByTestId('fresh-tick')).toBeVisible();
      await expect(page.getByTestId('fresh-tick')).toHaveCount(1);
      // Long before its own poll.
      await expect(page.getByTestId('unread-dot')).toBeVisible({ timeout: 5_000 });
      await expect(card(first).getByText('Afficher le code')).toBeFocused();
      await seeAgain(other);
      await expectToast(other, 'Approuvé : Bouquet Access');
      await expect(other.getByTestId('fresh-tick')).toBeVisible();
      await closeMessage(other);
      await other.close();

      // Told, it is no news on another screen, nor after a reload.
      await closeMessage(page);
      await card(second).locator('summary').click();
      await card(second)
        .getByRole('link', { name: `Détails du ticket n° ${second}` })
        .click();
      await expect(page.getByRole('button', { name: /^Reçu/ })).toBeVisible();
      await page.getByRole('link', { name: 'Tickets' }).click();
      await expect(card(second)).toContainText('Approuvé');
      await untilAnswered(page);
      await expect(approved(page)).toHaveCount(0);
      await expect(page.getByTestId('fresh-tick')).toHaveCount(0);

      await card(first).getByText('Afficher le code').focus();
      await decide(first, 'rejected', 'Montant différent.');
      await expectFailure(page, 'Rejeté : Bouquet Access', 'Motif : Montant différent.');
      await expect(heading(first)).toBeFocused();
      await closeMessage(page);

      // What an earlier visit stored is drawn first; what comes after it is no news.
      await page.goto(outside);
      await branch.admin.send('PATCH', `/api/tickets/${third}/status`, { status: 'approved' });
      const list = await holdBack(page, `**/api/tickets/user/${caller.userId}*`);
      await page.goto(`${product.url}/tickets`);
      await expect(card(third)).toContainText('En attente');
      list.release();
      await expect(card(third)).toContainText('Approuvé');
      await untilAnswered(page);
      await expect(approved(page)).toHaveCount(0);
      await expect(page.getByTestId('fresh-tick')).toHaveCount(0);
    });
  });
