import type { Locator, Page } from '@playwright/test';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { enterAsAdministrator, holdBack } from './steps.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const button = (page: Page, name: 'Approuver' | 'Rejeter' | 'Ouvrir', id: number | undefined) =>
  page.getByRole('button', { name: `${name} le ticket n° ${id}`, exact: true });
const box = (page: Page, id: number | undefined) => page.getByLabel(`Choisir le ticket n° ${id}`, { exact: true });
const rowOf = (page: Page, id: number | undefined) => page.getByRole('row').filter({ has: button(page, 'Ouvrir', id) });
const linesOf = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
/** With it a changed answer is asked for whole again: the server would say that its own is unchanged, without a body. */
const untagged = { etag: '' };
/** The ids of the rows, from above. */
const shown = (page: Page) =>
  page
    .getByRole('table', { name: 'Tickets' })
    .locator('[data-row]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.row)));

test('P16.12 by keyboard, oldest first: the focus goes on to the next ticket, and decided rows stay until the pointer leaves', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Suite', lastName: 'Diarra', phone: '70360001' });
  const ids = await fileTickets(user, 4);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}&statut=pending`);
  await page.getByLabel('Ordre').selectOption({ label: 'Plus anciens' });
  await expect(page).toHaveURL(/ordre=anciens/);
  await expect.poll(() => shown(page)).toEqual(ids);

  // While an answer is awaited only its own row is busy.
  const answer = await holdBack(page, `**/api/tickets/${ids[0]}/status`);
  await button(page, 'Approuver', ids[0]).press('Enter');
  await expect(button(page, 'Approuver', ids[0])).toHaveAttribute('aria-disabled', 'true');
  await expect(button(page, 'Approuver', ids[1])).toBeEnabled();
  answer.release();
  await expect(button(page, 'Approuver', ids[1])).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Approuver', ids[2])).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Rejeter le ticket n° ${ids[2]}` });
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).press('Enter');
  await expect(button(page, 'Rejeter', ids[3])).toBeFocused();
  await expect(page.getByText('Affichage de 1 ticket(s) sur 1 au total')).toBeVisible();
  expect(await shown(page)).toEqual(ids);
  await expect(rowOf(page, ids[0])).toContainText('Approuvé');
  await expect(rowOf(page, ids[2])).toContainText('Rejeté');
  await button(page, 'Approuver', ids[3]).press('Enter');
  // Nothing waits any more.
  await expect(button(page, 'Ouvrir', ids[3])).toBeFocused();
  await rowOf(page, ids[1]).hover();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => shown(page)).toEqual([ids[3]]);
  await page.getByLabel('Ordre').selectOption({ label: 'Plus récents' });
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
});

test('P16.12 under the mouse no other row comes, and a decision in the dialog leaves the focus in it, then at its row', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Souris', lastName: 'Diarra', phone: '70360002' });
  const ids = (await fileTickets(user, 3)).toReversed();
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}&statut=pending`);
  const { y } = (await button(page, 'Approuver', ids[1]).boundingBox()) ?? { y: 0 };
  await button(page, 'Approuver', ids[0]).click();
  await expect(page.getByText('Affichage de 2 ticket(s) sur 2 au total')).toBeVisible();
  expect(await shown(page)).toEqual(ids);
  expect((await button(page, 'Approuver', ids[1]).boundingBox())?.y).toBe(y);

  await button(page, 'Ouvrir', ids[1]).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Ticket n° ${ids[1]}` });
  const approve = dialog.getByRole('button', { name: 'Approuver' });
  await expect(approve).toBeEnabled();
  await approve.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Fermer', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(button(page, 'Ouvrir', ids[1])).toBeFocused();
});

test('P16.13 all that wait by one box, a range by Shift, their sum and services, and the focus after the results', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Tout', lastName: 'Choisir', phone: '70360003' });
  const ids = await fileTickets(user, 5);
  const admin = await callAsAdministrator(product);
  await admin.send('PATCH', `/api/tickets/${ids[1]}/status`, { status: 'approved' });
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}&ordre=anciens`);
  const bar = page.getByRole('region', { name: 'Tickets sélectionnés' });
  await page.getByLabel('Tout choisir').check();
  await expect(bar).toContainText(/4 sélectionnés\s*20.400\sFCFA · 1 service/);
  await expect(box(page, ids[1])).not.toBeChecked();
  await page.getByLabel('Tout choisir').uncheck();
  await expect(bar).toBeHidden();

  await box(page, ids[0]).click();
  await box(page, ids[3]).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText(/3 sélectionnés\s*15.300\sFCFA/);
  await expect(box(page, ids[1])).not.toBeChecked();
  await bar.getByRole('button', { name: 'Approuver' }).press('Enter');
  await page
    .getByRole('dialog', { name: '3 ticket(s) mis à jour sur 3' })
    .getByRole('button', { name: 'Fermer' })
    .press('Enter');
  await expect(box(page, ids[4])).toBeFocused();
});

test('P16.13 at 360 px the bar is two lines, with both decisions on the second', async ({ page, product }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const user = await callAs(product, { firstName: 'Petit', lastName: 'Écran', phone: '70360004' });
  await fileTickets(user, 2);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await page.getByLabel('Tout choisir').check();
  const bar = page.getByRole('region', { name: 'Tickets sélectionnés' });
  await expect(bar).toContainText('2 sélectionnés');
  const topOf = async (name: string) => (await bar.getByRole('button', { name }).boundingBox())?.y;
  expect(await topOf('Rejeter')).toBe(await topOf('Approuver'));
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(110);
});

test('P16.1, P16.14 a pasted SMS finds its ticket, whose row has the service and the reference whole', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Aïssata', lastName: 'Maïga', phone: '70360005' });
  const [first, second] = await fileTickets(user, 2);
  await user.send('POST', `/api/tickets/${first}/payment-declaration`, { reference: 'PP261122.1402.B77' });
  await enterAsAdministrator(page, product, '/admin/tickets');
  const search = page.getByLabel('Rechercher un ticket ou un service');
  await search.fill(
    'Vous avez recu 5100.00 FCFA du 70360005, MAIGA AISSATA. Nouveau solde: 15250.00 FCFA. Trans ID: PP261122.1402.B77.',
  );
  await expect.poll(() => shown(page)).toEqual([first]);
  const row = rowOf(page, first);
  await expect(row).toContainText('Réf. PP261122.1402.B77');
  await expect(row).toContainText('Paiement déclaré');
  expect(await linesOf(row.getByText('Bouquet Access', { exact: true }))).toBe(1);
  // The reference is whole in its own column, on two lines at most: no row is taller for it.
  const reference = row.getByText('PP261122.1402.B77');
  expect(await linesOf(reference)).toBeLessThanOrEqual(2);
  const column = row.locator('td', { has: page.getByText('PP261122.1402.B77') });
  expect((await boxOf(reference)).right).toBeLessThanOrEqual((await boxOf(column)).right);
  expect(await column.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(1);
  await search.fill('Maiga aissata');
  await expect.poll(() => shown(page)).toEqual([second, first]);
  expect((await boxOf(row)).height).toBeCloseTo((await boxOf(rowOf(page, second))).height, 0);
});

test('P16.14 numbers and amounts stay on one line at 1280 px, however long', async ({ page, product }) => {
  const user = await callAs(product, { firstName: 'Longs', lastName: 'Nombres', phone: '70360006' });
  const [id] = await fileTickets(user, 1);
  await page.route('**/api/admin/tickets?*', async (route) => {
    const answer = await route.fetch();
    const rows: { id: number; user: object; beneficiaryPhoneNumber: string }[] = await answer.json();
    const long = { totalPrice: '1246913', beneficiaryPhoneNumber: '+2250707278152' };
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), ...untagged },
      json: rows.map((row) => ({ ...row, ...long, user: { ...row.user, phone: '+2250707278152' } })),
    });
  });
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  const cells = rowOf(page, id).locator('td');
  expect(await linesOf(cells.getByText(/^1.246.913\sFCFA$/))).toBe(1);
  for (const number of await cells.getByText('07 07 27 81 52', { exact: true }).all())
    expect(await linesOf(number)).toBe(1);
  // No cell's text reaches into the next one; the box of the first has a margin for fingers.
  const widths = await cells.evaluateAll((all) => all.slice(1).map((cell) => cell.scrollWidth - cell.clientWidth));
  expect(Math.max(...widths)).toBeLessThanOrEqual(1);
});

test('P13.8 the menu and the cards are links: another tab of the browser opens them, with the filters', async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product, '/admin/tickets?statut=approved&ordre=anciens');
  const menu = page.getByRole('navigation', { name: 'Administration' });
  await menu.getByRole('link', { name: 'Tableau de bord' }).click();
  await expect(page).toHaveURL(`${product.url}/admin`);
  for (const [name, to] of Object.entries({ Utilisateurs: 'users', Services: 'services', Tickets: 'tickets' }))
    await expect(page.getByRole('main').getByRole('link', { name: new RegExp(`^${name} `) })).toHaveAttribute(
      'href',
      `/admin/${to}`,
    );
  const opening = page.context().waitForEvent('page');
  await menu.getByRole('link', { name: /^Tickets/ }).click({ button: 'middle' });
  const opened = await opening;
  await expect(opened.getByLabel('Ordre')).toHaveValue('anciens');
  await expect(opened.getByLabel('Statut')).toHaveValue('approved');
  await expect(page).toHaveURL(`${product.url}/admin`);
  await opened.close();
});
