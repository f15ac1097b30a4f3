import type { BrowserContext } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { confirmOrder, drillDown, enterAs, enterAsAdministrator, toBundle } from './steps.ts';

/** Replaces every text of a context's pages as a browser's translation does, then and whenever there is a new one. */
const translatePages = (context: BrowserContext) =>
  context.addInitScript(() => {
    const translate = (node: Node) => {
      if (!(node instanceof Text)) return node.childNodes.forEach(translate);
      if (!node.data.trim() || node.parentElement?.closest('font, script, style, title, textarea, option, svg')) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = node.data;
      outer.append(inner);
      node.replaceWith(outer);
    };
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes)
        (type === 'childList' ? addedNodes : [target]).forEach(translate);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });

/** A phone, which has a dialler. */
test.use({ hasTouch: true });

test('a page that the browser translates does the main job: price, code, copy, status', async ({
  page,
  browser,
  product,
}) => {
  await translatePages(page.context());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enterAs(page, product, { firstName: 'Mary', lastName: 'Doe', phone: '70117001' });
  await drillDown(page, toBundle);
  const code = await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
  expect(code).toBe('*144*10*00000000*1050#');
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Copier' });
  await copy.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copié' })).toBeVisible();
  await expect(copy).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();

  await page.getByRole('link', { name: 'Accueil' }).click();
  await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
  await confirmOrder(page, { beneficiary: '70 12 34 56', amount: '25 000', total: /^25.500\sFCFA$/ });
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  const tickets = page.locator('[id^=ticket-]');
  await expect(tickets).toHaveCount(2);
  await tickets
    .nth(1)
    .getByRole('button', { name: /^J'ai payé/ })
    .click();
  await page.getByRole('button', { name: 'Déclarer le paiement' }).click();
  await expect(tickets.nth(1)).toContainText('Paiement déclaré');
  const [second, first] = await tickets.evaluateAll((cards) => cards.map(({ id }) => id.slice('ticket-'.length)));

  const panel = await browser.newContext();
  await translatePages(panel);
  const admin = await panel.newPage();
  await enterAsAdministrator(admin, product, '/admin/tickets');
  await admin.getByRole('button', { name: `Approuver le ticket n° ${first}`, exact: true }).click();
  await expect(admin.getByText('Statut mis à jour')).toBeVisible();
  await admin.getByRole('button', { name: `Rejeter le ticket n° ${second}`, exact: true }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(admin.getByRole('button', { name: `Rejeter le ticket n° ${second}`, exact: true })).toBeDisabled();
  await panel.close();
  await expect(tickets.nth(1)).toContainText('Approuvé');
  await expect(tickets.nth(0)).toContainText('Rejeté');
});
