import type { BrowserContext } from '@playwright/test';
import { seeAgain } from './clock.ts';
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

test('a page that the browser translates does the main job', async ({ page, browser, product }) => {
  await translatePages(page.context());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enterAs(page, product, { firstName: 'Mary', lastName: 'Doe', phone: '70117001' });
  await drillDown(page, toBundle);
  const code = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  expect(code).toBe('*144*10*00000000*1050#');
  const copy = page.getByRole('dialog').getByRole('button', { name: 'Copier' });
  await copy.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copié' })).toBeVisible();
  await expect(copy).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();

  const ticket = page.locator('[id^=ticket-]');
  await ticket.getByRole('button', { name: /^J'ai payé/ }).click();
  await page.getByRole('button', { name: 'Déclarer le paiement' }).click();
  await expect(ticket).toContainText('Paiement déclaré');
  const id = (await ticket.getAttribute('id'))?.slice('ticket-'.length);

  const panel = await browser.newContext();
  await translatePages(panel);
  const admin = await panel.newPage();
  await enterAsAdministrator(admin, product, '/admin/tickets');
  await admin.getByRole('button', { name: `Rejeter le ticket n° ${id}`, exact: true }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).click();
  const answered = admin.waitForResponse(`**/api/tickets/${id}/status`);
  await expect(admin.getByRole('button', { name: `Rejeter le ticket n° ${id}`, exact: true })).toBeDisabled();
  expect((await answered).ok()).toBe(true);
  await panel.close();
  await seeAgain(page);
  await expect(ticket).toContainText('Rejeté');
});
