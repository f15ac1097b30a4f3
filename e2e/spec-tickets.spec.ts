import type { Locator } from '@playwright/test';
import { expect, test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { seeAgain, stopClock } from './clock.ts';
import { expectToast } from './messages.ts';
import { enterBy } from './steps.ts';

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

test('P9.11, a decision is told once to who does not look, and the place of the keyboard stays in its ticket', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Solange', lastName: 'Yago', phone: '78000010' };
  const caller = await callAs(product, person);
  const [first, second] = await fileTickets(caller, 2);
  await enterBy(page, product, caller.entrance, '/tickets');
  const card = (id: number | undefined) => page.locator(`#ticket-${id}`);
  const decide = async (id: number | undefined, status: string) => {
    await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status });
    await seeAgain(page);
  };
  const heading = (id: number | undefined) => card(id).getByRole('heading');
  const news = page.getByRole('status').filter({ hasText: 'Demande n°' });
  const paid = card(first).getByRole('button', { name: /^J'ai payé/ });
  await paid.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Déclarer le paiement' }).focus();
  await page.keyboard.press('Enter');
  await expect(card(first)).toContainText('Paiement déclaré');
  await expect(heading(first)).toBeFocused();
  await expect(news).toHaveCount(0);

  await card(first)
    .getByRole('button', { name: /^Copier/ })
    .focus();
  await decide(second, 'approved');
  await expect(news).toHaveText(`Demande n° ${second} : approuvée.`);
  await expect(card(first).getByRole('button', { name: /^Copier/ })).toBeFocused();
  await decide(first, 'rejected');
  await expect(news).toHaveText(`Demande n° ${first} : rejetée.`);
  await expect(heading(first)).toBeFocused();
});
