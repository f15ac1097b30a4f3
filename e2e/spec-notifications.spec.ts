import type { Branch } from './branch.ts';
import { expect, test } from './branch.ts';
import { type Caller, callAs, fileTickets } from './caller.ts';
import { expectFailure, expectToast, ownWords, refuse } from './messages.ts';
import { enterAs, enterBy, holdBack } from './steps.ts';

const reason = 'Paiement introuvable. Motif : autre.';

/** Has tickets of a person decided, each with a notification, the last rejected; returns their ids. */
async function notify(caller: Caller, { admin }: Branch, count: number): Promise<number[]> {
  const ids = await fileTickets(caller, count);
  for (const [place, id] of ids.entries())
    await admin.send(
      'PATCH',
      `/api/tickets/${id}/status`,
      place < count - 1 ? { status: 'approved' } : { status: 'rejected', reason },
    );
  return ids;
}

test('P10.1 to P10.4, /notifications: unread ones on blue; a click marks one read and opens it; Marquer tout comme lu while any is unread', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Denise', lastName: 'Lettre', phone: '77000061' };
  const caller = await callAs(product, person);
  const [first, second] = await notify(caller, branch, 2);
  await enterBy(page, product, caller.entrance);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  const unread = page.getByRole('link', { name: /\(non lue\)/ });
  await expect(unread).toHaveText([/Bouquet Access.*5.100\sFCFA.*a été rejetée/, /Bouquet Access.*a été approuvée/]);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(["Aujourd'hui", 'Être prévenu sur cet appareil']);
  const blue = await unread.first().evaluate((element) => {
    let drawn: Element | null = element;
    while (drawn && getComputedStyle(drawn).backgroundColor === 'rgba(0, 0, 0, 0)') drawn = drawn.parentElement;
    return drawn ? [...getComputedStyle(drawn).backgroundColor.matchAll(/\d+/g)].map(Number) : [];
  });
  expect(blue[2]).toBeGreaterThan(Math.max(blue[0] ?? 255, blue[1] ?? 255));
  await expect(page.getByRole('button', { name: 'Marquer tout comme lu' })).toBeVisible();

  const read = page.waitForResponse((response) => response.request().method() === 'PATCH');
  // The newest notification is of the last decided ticket.
  await unread.first().click();
  await expect(page).toHaveURL(/\/notification\/\d+$/);
  const link = page.getByRole('link', { name: `Voir le ticket n° ${second}` });
  await expect(link).toHaveAttribute('href', new RegExp(`\\b${second}$`));
  const today = await page.evaluate(() => new Date().toLocaleDateString('fr-FR', { dateStyle: 'long' }));
  for (const text of ['Demande rejetée', today, `n° ${second}`])
    await expect(page.getByRole('main')).toContainText(text);
  // P10.2, it stands out from its message.
  await expect(page.getByText(/a été rejetée\.$/)).toBeVisible();
  await expect(page.getByText(`Motif : ${reason}`, { exact: true })).toHaveCSS('color', 'rgb(166, 27, 27)');
  await expect(page.getByRole('button', { name: `Refaire le ticket n° ${second}` })).toBeVisible();
  await page.getByRole('button', { name: 'Nous contacter' }).click();
  await expectToast(page, 'Support contacté');

  // On the next visit it is already read. A reload would abort the marking.
  await (await read).finished();
  await page.reload();
  await expect(link).toBeVisible();
  await page.goBack();
  await expect(unread).toHaveCount(1);
  await expect(unread).toContainText(`${first}`);
  await page.getByRole('button', { name: 'Marquer tout comme lu' }).click();
  await expect(unread).toHaveCount(0);
  await page.getByRole('link', { name: /a été approuvée/ }).click();
  await page.getByRole('button', { name: `Reçu (ticket n° ${first})` }).click();
  await expect(page.getByRole('dialog', { name: `Reçu du ticket n° ${first}` })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Marquer tout comme lu' })).toBeHidden();
});

test("P10.5, marking a notification read that fails: the server's message, or Impossible de marquer la notification comme lue.", async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('500 /api/notifications/');
  const person = { firstName: 'Eugène', lastName: 'Lettre', phone: '77000062' };
  const caller = await callAs(product, person);
  await notify(caller, branch, 1);
  await enterBy(page, product, caller.entrance);
  await refuse(page, '**/api/notifications/*/read');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('link', { name: /\(non lue\)/ }).click();
  await expectFailure(page, 'Erreur', 'Impossible de marquer la notification comme lue.');
  await refuse(page, '**/api/notifications/*/read', ownWords);
  await page.reload();
  await expectFailure(page, 'Erreur', ownWords);
});

test('P9.4, P10.1, /notifications and /tickets without any: Aucune notification, Aucun ticket trouvé, Explorer les services', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Hortense', lastName: 'Lettre', phone: '77000063' });
  const { release } = await holdBack(page, '**/api/notifications/user/*');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Chargement des notifications...' })).toBeVisible();
  await expect(page.locator('.breathe li').first()).toBeVisible();
  await expect(page.locator('.turn')).toHaveCount(0);
  release();
  await expect(page.getByText('Aucune notification')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Marquer tout comme lu' })).toBeHidden();
  await page.getByRole('link', { name: 'Explorer les services' }).click();
  await expect(page.getByRole('heading', { name: 'Nos Services' })).toBeVisible();
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
  await page.getByRole('link', { name: 'Explorer les services' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Hortense' })).toBeVisible();
});
