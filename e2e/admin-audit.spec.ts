import type { Locator, Page } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

/** The entries of the journal: rows on a desktop, cards on a phone. */
function lines(page: Page): Locator {
  const table = page.getByRole('table', { name: "Journal d'audit" }).locator(':scope > tbody > [data-row]');
  return table.or(page.getByRole('list', { name: "Journal d'audit" }).locator(':scope > li'));
}

test('the audit journal: who did what to what; a name and an object filter it, in its address', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const user = await callAs(product, { firstName: 'Journal', lastName: 'Lu', phone: '70340260' });
  const [ticket = 0, other = 0] = await fileTickets(user, 2);
  for (const id of [ticket, other]) await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${ticket}/status`, { status: 'rejected' });
  const me = (await admin.send('GET', `/api/admin/users/${admin.userId}`)) as { firstName: string; lastName: string };
  const name = `${me.firstName} ${me.lastName}`.trim();
  await enterAsAdministrator(page, product, '/admin/settings?section=journal');
  const target = page.getByRole('link', { name: `Ticket n° ${ticket}`, exact: true });
  const line = lines(page).filter({ has: target }).filter({ hasText: 'En attente → Approuvé' });
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    await expect(line).toHaveCount(1);
    await expect(line).toContainText('Ticket décidé');
    await expect(line.getByRole('link', { name })).toBeVisible();
    await expect(line).toContainText('127.0.0.1');
    const today = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', day: '2-digit', month: '2-digit' });
    await expect(line.getByRole('time')).toContainText(today.format(new Date()));
  }

  await line.getByRole('link', { name: `Ticket n° ${ticket}` }).click();
  await expect(page.getByText('Affichage de 2 ligne(s) sur 2 au total')).toBeVisible();
  await page.reload();
  await expect(lines(page)).toHaveText([/Approuvé → Rejeté/, /En attente → Approuvé/]);
  await lines(page).first().getByRole('link', { name }).click();
  await expect(page.getByText(`Actions de ${name}`)).toBeVisible();
  await expect(lines(page).filter({ hasText: `Ticket n° ${other}` })).toHaveCount(1);
  await page.getByRole('button', { name: 'Montrer les actions de tous' }).click();
  await expect(page).not.toHaveURL(/acteur=/);

  await line.getByRole('link', { name: `Ticket n° ${ticket}` }).click();
  await page
    .getByRole('paragraph')
    .filter({ has: page.getByRole('button', { name: 'Montrer tous les objets' }) })
    .getByRole('link')
    .click();
  await expect(page.getByRole('dialog', { name: `Ticket n° ${ticket}` })).toBeVisible();
});
