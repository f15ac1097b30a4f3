import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { readXlsx } from 'hucre';
import { untilAnswered } from './answers.ts';
import { desktopSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectFailure, expectToast } from './messages.ts';
import { enterAsAdministrator, holdBack } from './steps.ts';

test.use({ viewport: desktopSize });

const button = (page: Page, name: 'Approuver' | 'Rejeter' | 'Ouvrir', id: number | undefined) =>
  page.getByRole('button', { name: `${name} le ticket n° ${id}`, exact: true });
const box = (page: Page, id: number | undefined) => page.getByLabel(`Choisir le ticket n° ${id}`, { exact: true });
const rowOf = (page: Page, id: number | undefined) => page.getByRole('row').filter({ has: button(page, 'Ouvrir', id) });
/** Of a filter. */
const choice = (page: Page, name: string) => page.getByRole('combobox', { name });
/** The ids of the rows, from above. */
const shown = (page: Page) =>
  page
    .getByRole('table', { name: 'Tickets' })
    .locator('[data-row]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.row)));

test('the table has its columns and its foot, and a row is rejected with a reason', async ({ page, product }) => {
  const user = await callAs(product, { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: '70310001' });
  const [id = 0] = await fileTickets(user, 1);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await expect(page.getByText(/^1\sticket$/)).toBeVisible();
  const table = page.getByRole('table', { name: 'Tickets' });
  const heads = ['ID', 'Utilisateur', 'Service', 'Bénéficiaire', 'Paiement', 'Total', 'Date', 'Statut', 'Actions'];
  await expect(table.getByRole('columnheader')).toHaveText(['Tout choisir', ...heads]);
  const row = rowOf(page, id);
  for (const text of [
    'Aïcha Ouédraogo',
    '+226 70 31 00 01',
    'Bouquet Access',
    'Télévision',
    'Orange Money',
    'En attente',
  ])
    await expect(row).toContainText(text);
  await expect(row).toContainText(/5.100\sFCFA/);
  await expect(page.getByText(/^Affichage de \d+ ticket\(s\) sur \d+ au total$/)).toBeVisible();
  await button(page, 'Rejeter', id).click();
  const rejecting = page.getByRole('dialog', { name: `Rejeter le ticket n° ${id}` });
  // Nothing is chosen by the way.
  await page.keyboard.press('Enter');
  await expect(rejecting.getByLabel('Motif (facultatif)')).toHaveValue('');
  await rejecting.getByRole('button', { name: 'Paiement introuvable.' }).click();
  await expect(rejecting.getByLabel('Motif (facultatif)')).toHaveValue('Paiement introuvable.');
  await rejecting.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(page.getByText('Statut mis à jour')).toBeVisible();
  await expect(row).toContainText('Rejeté');
  await expect(row.getByTitle('Motif\u00a0: Paiement introuvable.')).toHaveText('Paiement introuvable.');
  await expect(button(page, 'Rejeter', id)).toBeDisabled();
  await expect(button(page, 'Approuver', id)).toBeEnabled();
});

test('a ticket is read whole, decided, and left for its person, by addresses that go back', async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/admin/tickets/2000000000');
  const user = await callAs(product, { firstName: 'Aïcha', lastName: 'Ouédraogo', phone: '70310003' });
  const [older = 0, id = 0] = (await fileTickets(user, 2)).toSorted((a, b) => a - b);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await button(page, 'Ouvrir', id).click();
  await expect(page).toHaveURL(new RegExp(`ticket=${id}`));
  // The next one is the row below.
  await page.keyboard.press('j');
  await expect(page.getByRole('dialog', { name: `Ticket n° ${older} ·` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ticket suivant' })).toBeDisabled();
  await page.keyboard.press('k');
  const dialog = page.getByRole('dialog', { name: `Ticket n° ${id} · Bouquet Access`, exact: true });
  for (const text of ['Factures et paiements → Télévision', 'Code à composer', /2\stickets, 0\sapprouvé/])
    await expect(dialog).toContainText(text);
  await dialog.getByRole('button', { name: 'Copier le code' }).click();
  await expect(dialog.getByRole('button', { name: 'Copié le code' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Approuver' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('listitem').last()).toContainText('Approuvé');
  await expect(dialog.getByRole('button', { name: 'Approuver' })).toBeDisabled();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(button(page, 'Approuver', id)).toBeDisabled();
  await page.goForward();
  await dialog.getByRole('link', { name: 'Aïcha Ouédraogo' }).click();
  await expect(page).toHaveURL(`${product.url}/admin/users?utilisateur=${user.userId}`);
  // One that does not exist offers no decision.
  await page.goto(`${product.url}/admin/tickets?ticket=2000000000`);
  const unknown = page.getByRole('dialog', { name: 'Ticket introuvable' });
  await expect(unknown.getByRole('button', { name: 'Fermer' })).toBeVisible();
  await expect(unknown.getByRole('button', { name: /Approuver|Rejeter/ })).toHaveCount(0);
});

test('P13.9 the keys of the panel lead to the search, to a tab and to their list, and leave fields alone', async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product, '/admin/tickets');
  const search = page.getByLabel('Rechercher un ticket ou un service');
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('gq?');
  await expect(search).toHaveValue('gq?');
  await search.fill('');
  await search.blur();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Raccourcis clavier' });
  await expect(list).toContainText("File d'attente");
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  for (const [letter, title] of [
    ['q', "File d'attente"],
    ['p', 'Paiements'],
    ['t', 'Tickets'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
});

test('searches by number and by service, filters by status, date and user, all of it in the address, and saves what is found as an Excel file', async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/admin/ticket-export');
  const user = await callAs(product, { firstName: '=Filtre', lastName: "N'Diaye", phone: '70310002' });
  const [first = 0, second = 0] = await fileTickets(user, 2);
  const admin = await callAsAdministrator(product);
  await admin.send('PATCH', `/api/tickets/${second}/status`, { status: 'rejected' });
  await enterAsAdministrator(page, product, '/admin/tickets');
  const found = (count: number) => page.getByText(`Affichage de ${count} ticket(s) sur ${count} au total`);
  // A guest has no tickets.
  await fetch(`${product.url}/api/auth/guest`, { method: 'POST' });
  const options = page.getByRole('option').filter({ visible: true });
  await choice(page, 'Utilisateur').click();
  await expect(options.first()).toBeVisible();
  await expect(options.filter({ hasText: 'Invité' })).toHaveCount(0);
  await page.keyboard.type('70310002');
  await expect(options).toHaveText([/=Filtre N'Diaye/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`utilisateur=${user.userId}`));
  await expect(choice(page, 'Utilisateur')).toHaveValue("=Filtre N'Diaye");
  await expect(found(2)).toBeVisible();
  // The arrows go round.
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(choice(page, 'Utilisateur')).toHaveValue("=Filtre N'Diaye");
  await choice(page, 'Statut').selectOption({ label: 'Rejeté' });
  await expect(found(1)).toBeVisible();
  await expect(button(page, 'Ouvrir', second)).toBeVisible();
  await page.getByRole('button', { name: 'Retirer « Rejeté »' }).click();
  await expect(choice(page, 'Statut')).toHaveValue('');
  for (const period of ["Aujourd'hui", 'Cette semaine', 'Ce mois']) {
    await choice(page, 'Date').selectOption({ label: period });
    await expect(found(2)).toBeVisible();
  }
  const search = page.getByLabel('Rechercher un ticket ou un service');
  await search.fill('TELEVISION');
  await expect(page).toHaveURL(/recherche=TELEVISION/);
  await expect(found(2)).toBeVisible();

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exporter Excel' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^tickets_export_\d{4}-\d{2}-\d{2}\.xlsx$/);
  await expect(page.getByText('Export réussi')).toBeVisible();
  await expect(page.getByText(`2 tickets exportés dans ${saved.suggestedFilename()}.`)).toBeVisible();
  const { sheets } = await readXlsx(new Uint8Array(await readFile(await saved.path())));
  expect(sheets.map(({ name }) => name)).toEqual(['Tickets']);
  const [head, , row] = sheets[0]?.rows ?? [];
  expect(head).toHaveLength(12);
  const values = [first, "'=Filtre N'Diaye", '+22670310002', 'Bouquet Access', 'En attente', 5100, 'Orange Money'];
  expect(row).toEqual(expect.arrayContaining(values));

  await search.fill(String(first));
  await expect(button(page, 'Ouvrir', first)).toBeVisible();
  await search.fill('introuvable');
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
  await page.getByRole('button', { name: 'Exporter Excel' }).click();
  await expectToast(page, 'Aucune donnée');
  // Nothing was done: it has no green edge.
  const edge = page.getByRole('status').locator('> div').filter({ hasText: 'Aucune donnée' });
  await expect(edge).not.toHaveCSS('border-left-color', 'rgb(74, 222, 128)');
  await expect(page.getByText('Aucun ticket à exporter.')).toBeVisible();
  await page.getByRole('button', { name: 'Effacer les filtres' }).click();
  await expect(page).toHaveURL(`${product.url}/admin/tickets`);
  await expect(search).toHaveValue('');
  await expect(button(page, 'Ouvrir', second)).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
});

test('P16.13 several at once: all that wait by one box, a range by Shift, their sum; by keyboard alone a result for each', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Lot', lastName: 'Kaboré', phone: '70310004' });
  const ids = await fileTickets(user, 3);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  for (const id of ids) {
    await box(page, id).focus();
    await page.keyboard.press('Space');
  }
  const bar = page.getByRole('region', { name: 'Tickets sélectionnés' });
  await expect(bar).toContainText(/3\ssélectionnés\s*1\sservice/);
  await expect(bar.getByRole('button', { name: /^Approuver · 15.300\sFCFA$/ })).toBeVisible();
  await box(page, ids[2]).focus();
  await page.keyboard.press('Space');
  await expect(bar).toContainText('2 sélectionnés');
  await page.getByLabel('Tout choisir').check();
  await expect(bar).toContainText('3 sélectionnés');
  await page.getByLabel('Tout choisir').uncheck();
  await expect(bar).toBeHidden();
  await box(page, ids[0]).click();
  await box(page, ids[2]).click({ modifiers: ['Shift'] });
  const colleague = await callAsAdministrator(product);
  await page.route('**/api/admin/tickets?*', (route) => route.abort());
  await untilAnswered(page);
  await colleague.send('PATCH', `/api/tickets/${ids[1]}/status`, { status: 'approved' });
  await bar.getByRole('button', { name: 'Rejeter' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Rejeter 3\sdemandes · 15.300.FCFA\s\?$/ });
  await dialog.getByRole('button', { name: 'Montant différent du total à payer.' }).press('Enter');
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).press('Enter');
  for (const id of ids) await expect(rowOf(page, id)).toContainText('Rejeté');
  await expectFailure(page, 'Erreur', /Pas de changement pour 1\sticket sur 3\./);
  await page.getByRole('button', { name: 'Voir', exact: true }).press('Enter');
  const results = page.getByRole('dialog', { name: '2 tickets mis à jour sur 3' });
  await expect(results.getByRole('listitem')).toHaveCount(3);
  await expect(results.getByRole('listitem').first()).toContainText(
    `n° ${new Intl.NumberFormat('fr-FR').format(ids[1] ?? 0)}`,
  );
  await expect(results.getByRole('listitem').first()).toContainText(
    'Un autre administrateur vient de modifier ce ticket.',
  );
  await page.unroute('**/api/admin/tickets?*');
  await results.getByRole('button', { name: 'Fermer', exact: true }).press('Enter');
  await expect(results).toBeHidden();
  await expect(bar).toBeHidden();
  await expect(rowOf(page, ids[0])).toContainText('Montant différent du total à payer.');
  await expect(rowOf(page, ids[1])).toContainText('Approuvé');
});

test('P16.12 by keyboard: the focus goes on to the next ticket, and decided rows stay until the pointer leaves', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Suite', lastName: 'Diarra', phone: '70360001' });
  const ids = (await fileTickets(user, 4)).toReversed();
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}&statut=pending`);
  await expect.poll(() => shown(page)).toEqual(ids);

  // Only its own row is decided, before any answer.
  const answer = await holdBack(page, '**/status');
  await button(page, 'Approuver', ids[0]).press('Enter');
  await expect(rowOf(page, ids[0])).toContainText('Approuvé');
  await expect(button(page, 'Approuver', ids[0])).toBeDisabled();
  await expect(button(page, 'Rejeter', ids[0])).toBeDisabled();
  await expect(button(page, 'Approuver', ids[1])).toBeFocused();
  answer.release();
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
  await choice(page, 'Statut').selectOption({ label: 'Tous les statuts' });
  await expect.poll(() => shown(page)).toEqual(ids);
});

test("a colleague's decision is seen within a poll, and not overwritten", async ({ page, product, provoke }) => {
  provoke('409 /api/tickets');
  const user = await callAs(product, { firstName: 'Ensemble', lastName: 'Sanogo', phone: '70350001' });
  const [first = 0, second = 0] = await fileTickets(user, 2);
  const colleague = await callAsAdministrator(product);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await expect(rowOf(page, first)).toContainText('En attente');
  await colleague.send('PATCH', `/api/tickets/${first}/status`, { status: 'approved' });
  await expect(rowOf(page, first)).toContainText('Approuvé');

  await button(page, 'Rejeter', second).click();
  const dialog = page.getByRole('dialog', { name: `Rejeter le ticket n° ${second}` });
  await colleague.send('PATCH', `/api/tickets/${second}/status`, { status: 'approved' });
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(page.getByText('Un autre administrateur vient de modifier ce ticket.')).toBeVisible();
  await expect(rowOf(page, second)).toContainText('Approuvé');
});
