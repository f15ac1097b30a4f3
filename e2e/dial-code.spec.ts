import type { Page } from '@playwright/test';
import { test } from './branch.ts';
import { expect } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { confirmOrder, drillDown, enterAs, fillOrder, toBundle } from './steps.ts';

const success = (page: Page) => page.getByRole('dialog', { name: 'Demande créée avec succès' });

test.use({ hasTouch: true });

test('the code is the largest text of its screen, selected by one touch, and dialled by a button as wide as the screen', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Grand', lastName: 'Sow', phone: '51110201' });
  await drillDown(page, toBundle);
  const code = await confirmOrder(page, { beneficiary: '70 11 22 33', total: /^1.050\sFCFA$/ });
  const dialog = success(page);
  const sizes = await dialog.evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter((each) =>
        [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim()),
      )
      .map((each) => ({
        size: Number.parseFloat(getComputedStyle(each).fontSize),
        isCode: each.closest('.font-mono') !== null,
      })),
  );
  const largest = (isCode: boolean) =>
    Math.max(...sizes.filter((each) => each.isCode === isCode).map(({ size }) => size));
  expect(largest(true)).toBeGreaterThan(largest(false));
  // A whole code of the usual length stands on one line.
  expect((await boxOf(dialog.locator('.font-mono'))).height).toBeLessThan(2 * largest(true));

  await expect(dialog).toContainText('Composez ce code depuis votre SIM Orange pour payer.');
  await expect(dialog).toContainText('Votre demande reste en attente de vérification.');
  await expect(dialog).toContainText(/Ticket n°\s\d+ · total 1.050\sFCFA/);
  await dialog.locator('.font-mono').click();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(code);
  const dial = dialog.getByRole('link', { name: 'Composer' });
  await expect(dial).toHaveAttribute('href', `tel:${encodeURIComponent(code)}`);
  const [dialBox, copyBox] = [await boxOf(dial), await boxOf(dialog.getByRole('button', { name: 'Copier' }))];
  expect(dialBox.width).toBe(360 - 2 * 20);
  expect(dialBox.height).toBeGreaterThanOrEqual(52);
  expect(copyBox.width).toBe(dialBox.width);
  expect(copyBox.y).toBeGreaterThan(dialBox.bottom);
});

test('a service without a code says so once ordered and on its ticket; its card has neither the sentence nor a gap', async ({
  page,
  product,
  branch,
}) => {
  const sentence = "Ce service n'a pas de code à composer : un agent traitera votre demande.";
  const child = await branch.add('Sans code', { isFinalLevel: true, price: '1 000 FCFA' });
  await enterAs(page, product, { firstName: 'Agent', lastName: 'Sow', phone: '51110205' });
  await drillDown(page, [branch.root.name, child.name]);
  await fillOrder(page, { beneficiary: '70 11 22 33', paymentType: 'Wave', total: /^1.000\sFCFA$/ });
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(success(page)).toContainText(sentence);
  await expect(success(page)).not.toContainText('Votre demande reste en attente de vérification.');
  await success(page).getByRole('button', { name: 'Fermer', exact: true }).click();

  const card = page.getByRole('listitem').filter({ hasText: 'Sans code' });
  const details = card.getByRole('link', { name: /^Détails/ });
  await expect(details).toBeVisible();
  await expect(card).not.toContainText(sentence);
  // What is left to do follows directly below the order's details, and the card's foot below it.
  const paid = await boxOf(card.getByRole('button', { name: /^J'ai payé/ }));
  expect(paid.y - (await boxOf(card.getByText(branch.root.name))).bottom).toBeLessThanOrEqual(10);
  expect((await boxOf(details)).y - paid.bottom).toBeLessThan(8);
  await details.click();
  await expect(page.getByText(sentence)).toBeVisible();
});
