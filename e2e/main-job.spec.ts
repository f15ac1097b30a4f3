import { seeAgain } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { confirmOrder, drillDown, openTab, signInAsAdministrator, signUp, toBundle } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

/** A phone, which has a dialler. */
test.use({ hasTouch: true });

test("a person signs up, files two requests, and sees the administrator's decisions arrive", async ({
  page,
  browser,
  product,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, product, { firstName: 'Awa', lastName: 'Sawadogo', phone: '70112233' });

  await drillDown(page, toBundle);
  const fixedCode = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  expect(fixedCode).toBe('*144*10*00000000*1050#');
  await page.getByRole('dialog').getByRole('button', { name: 'Copier' }).click();
  await expect(page.getByText('Code copié')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fixedCode);
  await expect(page.getByRole('link', { name: 'Composer' })).toHaveAttribute('href', 'tel:*144*10*00000000*1050%23');
  await page.getByRole('button', { name: "Retour à l'accueil" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();

  await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
  const typedCode = await confirmOrder(page, {
    beneficiary: '+225 07 01 23 45 67',
    amount: '250.000',
    paymentType: 'Moov Money',
    total: /^252.500\sFCFA$/,
  });
  // The service's code is another wallet's.
  expect(typedCode).toBe('*555*4*1*00000000*252500#');
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
  const [second, first] = [page.locator('[id^=ticket-]').nth(0), page.locator('[id^=ticket-]').nth(1)];
  for (const text of ['En attente', '+225 07 01 23 45 67', 'Moov Money', /252.500\sFCFA/, '*555*4*1*00000000*252500#'])
    await expect(second).toContainText(text);
  for (const text of ['En attente', '+226 76 12 34 56', 'Orange Money', /1.050\sFCFA/, 'Forfait internet 7 jours'])
    await expect(first).toContainText(text);

  const admin = await browser.newPage();
  await signInAsAdministrator(admin, product);
  await openTab(admin, 'Tickets');
  const [firstId, secondId] = [await first.getAttribute('id'), await second.getAttribute('id')].map((id) =>
    id?.slice(7),
  );
  await admin.getByRole('button', { name: `Approuver le ticket n° ${firstId}`, exact: true }).click();
  await expect(admin.getByText('Statut mis à jour')).toBeVisible();
  await expect(admin.getByRole('button', { name: `Approuver le ticket n° ${firstId}`, exact: true })).toBeDisabled();
  await admin.getByRole('button', { name: `Rejeter le ticket n° ${secondId}`, exact: true }).click();
  await admin.getByLabel('Motif (facultatif)').fill('Numéro injoignable');
  // Closing a page aborts its pending requests.
  const answered = admin.waitForResponse(`**/api/tickets/${secondId}/status`);
  await admin.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).click();
  expect((await answered).ok()).toBe(true);
  await expect(admin.getByRole('button', { name: `Rejeter le ticket n° ${secondId}`, exact: true })).toBeDisabled();
  await admin.close();

  await seeAgain(page);
  await expect(first).toContainText('Approuvé');
  await expect(second).toContainText('Rejeté');
  await expect(second).toContainText('Motif : Numéro injoignable');
  await expect(second).not.toContainText('Composer');

  await page.reload();
  await expect(page.getByTestId('unread-dot')).toBeVisible();
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('link', { name: /a été rejetée/ }).click();
  await expect(page.getByText('Motif : Numéro injoignable')).toBeVisible();
  await page.getByRole('link', { name: `Voir le ticket n° ${secondId}` }).click();
  await expect(page.getByRole('heading', { name: `Ticket n° ${secondId}` })).toBeVisible();
});
