import type { Page } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone } from './incoming.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator, enterBy, openTab } from './steps.ts';

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Back until the app is left: how many presses that takes. */
async function pressesToLeave(page: Page): Promise<number> {
  const { origin } = new URL(page.url());
  let presses = 0;
  for (; page.url().startsWith(origin); presses += 1) await page.goBack();
  return presses;
}

/** A person with a ticket, at an address that is the first of the tab's history but for a page without the app. */
async function enterWithTicket(page: Page, product: Product, path = '/tickets') {
  const caller = await callAs(product, { firstName: 'Retour', lastName: uniqueName('Arrière'), phone: anyPhone() });
  const [id = 0] = await fileTickets(caller, 1);
  await enterBy(page, product, caller.entrance, path);
  return id;
}

for (const [browser, lacks] of [
  ['of today', []],
  ['without CloseWatcher', ['CloseWatcher', 'navigation']],
] as const)
  for (const size of [phoneSize, desktopSize])
    test.describe(`in a browser ${browser}, ${size.width} px`, () => {
      test.beforeEach(async ({ page }) => {
        await page.addInitScript((names) => {
          for (const name of names) Reflect.deleteProperty(window, name);
        }, lacks);
        await page.setViewportSize(size);
      });

      test('Back closes a dialog, keeps what was typed, and costs no press more; Forward and a reload open nothing', async ({
        page,
        product,
      }) => {
        await enterWithTicket(page, product);
        const paid = page.getByRole('button', { name: /^J'ai payé/ });
        const reference = page.getByLabel('Collez le SMS ou la référence');
        await paid.click();
        await reference.fill('PP261128.0800');
        await page.goBack();
        await expect(dialog(page, "J'ai payé")).toBeHidden();
        await expect(page).toHaveURL(/\/tickets$/);
        await expect(paid).toBeFocused();
        await page.goForward();
        await expect(dialog(page, "J'ai payé")).toBeHidden();
        await paid.click();
        await expect(reference).toHaveValue('PP261128.0800');
        await page.keyboard.press('Escape');
        await expect(dialog(page, "J'ai payé")).toBeHidden();
        await paid.click();
        await dialog(page, "J'ai payé").getByRole('button', { name: 'Annuler' }).click();
        await paid.click();
        await expect(reference).toHaveValue('');
        await page.reload();
        await expect(paid).toBeVisible();
        await expect(dialog(page, "J'ai payé")).toBeHidden();
        await page.getByRole('link', { name: /^Détails/ }).click();
        await expect(page).toHaveURL(/\/ticket\/\d+/);
        await page.goBack();
        await expect(page).toHaveURL(/\/tickets$/);
        // The screen, the page without the app, and the blank one.
        await expect.poll(() => page.evaluate(() => history.state?.over ?? 0)).toBe(0);
        expect(await pressesToLeave(page)).toBe(2);
      });

      test('a link in a dialog leads on from its page; Back closes the dialog above another one alone', async ({
        page,
        product,
      }) => {
        const id = await enterWithTicket(page, product, '/');
        await enterAsAdministrator(page, product, '/admin/tickets');
        if (size === phoneSize) {
          // The drawer.
          await page.getByRole('button', { name: 'Ouvrir le menu' }).click();
          await page.goBack();
          await expect(dialog(page, 'Menu')).toBeHidden();
        }
        await openTab(page, 'Services');
        await expect(page).toHaveURL(/\/admin\/services/);
        await page.goBack();
        await expect(page).toHaveURL(/\/admin\/tickets$/);
        const opener = page.getByRole('button', { name: `Ouvrir le ticket n° ${id}`, exact: true });
        await opener.click();
        await expect(page).toHaveURL(new RegExp(`ticket=${id}`));
        const ticket = dialog(page, new RegExp(`^Ticket n° ${id}`));
        await ticket.getByRole('button', { name: 'Rejeter' }).click();
        const reject = dialog(page, /^Rejeter/);
        await expect(reject).toBeVisible();
        await page.goBack();
        await expect(reject).toBeHidden();
        await expect(ticket).toBeVisible();
        await page.goBack();
        await expect(ticket).toBeHidden();
        await expect(page).toHaveURL(/\/admin\/tickets$/);
        await page.goForward();
        await expect(ticket).toBeVisible();
      });

      test('what asks before it closes asks at each press, and stays where it is kept', async ({ page, product }) => {
        await enterAsAdministrator(page, product, '/admin/content');
        await page.getByRole('button', { name: 'Nouvelle Page' }).click();
        const editor = dialog(page, 'Nouvelle Page');
        await editor.getByLabel('Titre').fill('Retour');
        const question = dialog(page, /^Abandonner vos modifications/);
        for (const _ of [1, 2]) {
          await page.goBack();
          await expect(question).toBeVisible();
          await page.goBack();
          await expect(question).toBeHidden();
          await expect(editor.getByLabel('Titre')).toHaveValue('Retour');
        }
        await page.goBack();
        await question.getByRole('button', { name: 'Abandonner', exact: true }).click();
        await expect(editor).toBeHidden();
        await expect(page).toHaveURL(/\/admin\/content$/);
        await expect.poll(() => page.evaluate(() => history.state?.over ?? 0)).toBe(0);
      });
    });
