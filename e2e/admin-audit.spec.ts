import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { enterAsAdministrator } from './steps.ts';

const journal = '/admin/settings?section=journal';
test.use({ viewport: desktopSize });

/** The opened details of an entry: the row below its own, or in its card. */
const detailsOf = (line: Locator, page: Page) => line.locator('+ [data-note]').or(line.and(page.locator('li')));

/** The entries of the journal: rows on a desktop, cards on a phone. */
function lines(page: Page): Locator {
  const table = page.getByRole('table', { name: "Journal d'audit" }).locator(':scope > tbody > [data-row]');
  return table.or(page.getByRole('list', { name: "Journal d'audit" }).locator(':scope > li'));
}

test('the audit journal: who did what to what, and how it ended; its details fold out', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const person = { firstName: 'Journal', lastName: 'Lu', phone: '70340260' };
  const user = await callAs(product, person);
  const [ticket = 0] = await fileTickets(user, 1);
  await admin.send('PATCH', `/api/tickets/${ticket}/status`, { status: 'approved' });
  const me = (await admin.send('GET', `/api/admin/users/${admin.userId}`)) as typeof person;
  await enterAsAdministrator(page, product, `${journal}&resultat=fait`);
  const target = page.getByRole('link', { name: `Ticket n° ${ticket}`, exact: true });
  const line = lines(page).filter({ has: target });
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    await expect(line).toHaveCount(1);
    await expect(line).toContainText('Ticket décidé : approuvé');
    await expect(line.getByRole('link', { name: `${me.firstName} ${me.lastName}`.trim() })).toBeVisible();
    await expect(line).toContainText('Fait');
    await expect(line).toContainText('127.0.0.1');
    const today = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', day: '2-digit', month: '2-digit' });
    await expect(line.getByRole('time')).toContainText(today.format(new Date()));
    const fold = line.getByRole('button', { name: 'Détails : Ticket décidé' });
    if (size === desktopSize) {
      const [button, row] = [await boxOf(fold), await boxOf(line)];
      expect(row.height).toBeLessThanOrEqual(48);
      expect(row.right - button.right).toBeLessThanOrEqual(16);
    }
    const call = page.getByText('PATCH /api/tickets/:id/status');
    await expect(call).toBeHidden();
    await fold.click();
    await expect(call).toBeVisible();
    const change = detailsOf(line, page)
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'Statut' }) });
    await expect(change.getByRole('cell')).toHaveText(['En attente', 'Approuvé']);
    await fold.click();
    await expect(call).toBeHidden();
  }
  // On a phone the days are folded, which are filtered by least.
  const from = page.getByLabel('Du', { exact: true });
  await expect(from).toBeHidden();
  await page.getByRole('button', { name: 'Plus de filtres' }).click();
  await expect(from).toBeVisible();
  await target.click();
  await expect(page.getByRole('dialog', { name: `Ticket n° ${ticket}` })).toBeVisible();
});

test('the journal is filtered by outcome and by person, in the address, which opens it again; exported as filtered', async ({
  page,
  product,
}) => {
  const person = { firstName: '=Refus', lastName: "N'Diaye", phone: '70340401' };
  const user = await callAs(product, person);
  const other = await callAs(product, { firstName: 'Autre', lastName: 'Refus', phone: '70340402' });
  for (const each of [user, other]) await expect(each.send('GET', '/api/admin/users')).rejects.toThrow('answered 403');
  await enterAsAdministrator(page, product, journal);
  const rows = lines(page);
  const outcomes = page.getByText(/^(Fait|Refusé)$/).and(page.locator('table :not(option)'));
  await expect(outcomes.filter({ hasText: 'Fait' })).not.toHaveCount(0);
  await page.getByLabel('Résultat').selectOption('Refusé');
  await expect(page).toHaveURL(/resultat=refuse/);
  await expect(outcomes.filter({ hasText: 'Fait' })).toHaveCount(0);
  await page.getByLabel('Qui').selectOption('Autres');
  await expect(page).toHaveURL(/qui=autres/);
  await expect(rows.filter({ hasText: 'Autre Refus' })).not.toHaveCount(0);
  const mine = rows.filter({ hasText: '=Refus' }).filter({ hasText: 'Accès refusé' });
  await mine.getByRole('button', { name: /^Détails/ }).click();
  await expect(detailsOf(mine, page)).toContainText('GET /api/admin/users');
  await detailsOf(mine, page).getByRole('link', { name: 'Toutes ses actions' }).click();
  await expect(page).toHaveURL(new RegExp(`acteur=${user.userId}`));
  await expect(page.getByText(`Actions de ${person.firstName} ${person.lastName}`)).toBeVisible();
  await page.getByLabel('Résultat').selectOption('Fait');
  await expect(outcomes.filter({ hasText: 'Refusé' })).toHaveCount(0);
  await page.getByLabel('Résultat').selectOption('Refusé');
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(page.getByLabel('Résultat')).toHaveValue('refuse');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Vous n'avez pas accès à cette action.");
  await expect(page.getByText('Affichage de 1 ligne(s) sur 1 au total')).toBeVisible();

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exporter CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^audit_\d{4}-\d{2}-\d{2}\.csv$/);
  await expect(page.getByText('Export réussi', { exact: true })).toBeVisible();
  const [head, line = '', ...rest] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
  expect(head).toBe('\ufeffdate;acteur;action;cible;résultat;code;nombre;adresse;détails');
  const [, actor, ...cells] = line.split(';');
  expect(actor).toBe("'=Refus N'Diaye");
  expect(cells.slice(0, 5)).toEqual(['Accès refusé (GET /api/admin/users)', '', 'Refusé (403)', 'FORBIDDEN', '1']);
  expect(rest).toEqual(['']);

  await page.getByRole('button', { name: 'Montrer les actions de tous' }).click();
  await expect(page).not.toHaveURL(/acteur=/);
});
