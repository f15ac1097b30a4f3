import type { Page } from '@playwright/test';
import { test } from './branch.ts';
import { landscapeSize, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect } from './fixtures.ts';
import { boxOf, enlarge, expectNoSidewaysScroll } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import { confirmOrder, drillDown, enterAs, enterBy, fillOrder, toBundle } from './steps.ts';

const success = (page: Page) => page.getByRole('dialog', { name: 'Demande créée avec succès' });

const longCodes = [
  // 40 characters each, once filled.
  { template: '*144*10*123456789012345*70123456*1*XX#', of: 'numbers of all lengths' },
  { template: '*111*2*3*4*5*6*7*8*9*10*11*12*13*4*XX#', of: 'many short numbers' },
  { template: '*999*12345678901234567890123456789*XX#', of: 'a number of thirty digits' },
  { template: '#144#211#123456789012345678901234#XX#', of: 'no * to break after' },
];

test.describe('the code', () => {
  test.use({ hasTouch: true });

  test('breaks after a * alone, and is never cut @slow', async ({ page, product, branch }) => {
    await enterAs(page, product, { firstName: 'Code', lastName: 'Sow', phone: '51110100' });
    for (const { template, of } of longCodes) {
      const child = await branch.add(`Long, ${of}`, {
        isFinalLevel: true,
        price: '1 000 FCFA',
        phoneNumber: template,
      });
      await page.goto(product.url);
      await drillDown(page, [branch.root.name, child.name]);
      // A wallet without a template of its own takes the service's, whatever its network.
      const code = await confirmOrder(page, {
        beneficiary: '70 11 22 33',
        paymentType: 'Wave',
        total: /^1.000\sFCFA$/,
      });
      expect(code).toBe(template.replace('XX', '1000'));
      const shown = success(page).locator('.font-mono');
      for (const width of [360, 320])
        for (const large of [false, true]) {
          await page.setViewportSize({ width, height: 640 });
          await page.evaluate(
            (size) => {
              document.documentElement.style.fontSize = size;
            },
            large ? '200%' : '',
          );
          const lines = await shown.evaluate((element) => {
            const { left, right } = element.getBoundingClientRect();
            const lines: { text: string; top: number }[] = [];
            const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const range = document.createRange();
            while (texts.nextNode())
              for (let at = 0; at < (texts.currentNode.nodeValue ?? '').length; at += 1) {
                range.setStart(texts.currentNode, at);
                range.setEnd(texts.currentNode, at + 1);
                const box = range.getBoundingClientRect();
                if (box.left < left - 0.5 || box.right > right + 0.5) throw new Error(`${range} is cut`);
                const line = lines.at(-1);
                if (line && Math.abs(line.top - box.top) < 2) line.text += range.toString();
                else lines.push({ text: range.toString(), top: box.top });
              }
            return lines.map(({ text }) => text);
          });
          expect(lines.join('')).toBe(code);
          for (const line of lines.slice(0, -1)) expect(line).toMatch(/\*$/);
          await expectNoSidewaysScroll(page);
        }
    }
  });

  test('is the largest text of its screen, selected by one touch, and dialled by a button as wide as the screen @slow', async ({
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

  test('that could not be copied is said to be selected, and is @slow', async ({ page, product }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
      document.execCommand = () => false;
    });
    await enterAs(page, product, { firstName: 'Refus', lastName: 'Sow', phone: '51110202' });
    await drillDown(page, toBundle);
    const code = await confirmOrder(page, { beneficiary: '70 11 22 33', paymentType: 'Wave', total: /^1.050\sFCFA$/ });
    // Wave has no code: the service's own is another wallet's, and says whose SIM knows it.
    await expect(success(page)).toContainText('Composez ce code depuis votre SIM Orange pour payer.');
    await success(page).getByRole('button', { name: 'Copier' }).click();
    await expectFailure(page, 'Copie impossible', 'Le code est sélectionné');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(code);
    // The toast covers neither the code nor its buttons.
    for (const size of [
      { width: 360, height: 740 },
      { width: 740, height: 360 },
    ]) {
      await page.setViewportSize(size);
      await success(page).getByRole('button', { name: 'Copier' }).click();
      const toast = await boxOf(page.getByRole('alert').locator('> div'));
      for (const part of [success(page).locator('.font-mono'), success(page).getByRole('link', { name: 'Composer' })])
        expect((await boxOf(part)).y).toBeGreaterThanOrEqual(toast.bottom);
    }
  });

  test('is copied the old way where the clipboard is refused @slow', async ({ page, product }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await enterAs(page, product, { firstName: 'Ancien', lastName: 'Sow', phone: '51110203' });
    await drillDown(page, toBundle);
    const code = await confirmOrder(page, { beneficiary: '70 11 22 33', total: /^1.050\sFCFA$/ });
    await success(page).getByRole('button', { name: 'Copier' }).click();
    await expectToast(page, 'Code copié');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });
});

test('a device with a mouse and nothing to touch has no dialler: the code is copied @slow', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Bureau', lastName: 'Sow', phone: '51110204' });
  await drillDown(page, toBundle);
  await confirmOrder(page, { beneficiary: '70 11 22 33', total: /^1.050\sFCFA$/ });
  await expect(success(page).getByRole('button', { name: 'Copier' })).toBeVisible();
  await expect(success(page).getByRole('link', { name: 'Composer' })).toHaveCount(0);
});

test('a service without a code says so once ordered and on its ticket; its card has neither the sentence nor a gap @slow', async ({
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

test("on a ticket's own screen a code is dialled and copied in one row @slow", async ({ browser, product }) => {
  const caller = await callAs(product, { firstName: 'Rang', lastName: 'Sow', phone: '51110206' });
  const [id] = await fileTickets(caller, 1);
  await caller.end();
  const page = await browser.newPage({ viewport: phoneSize, hasTouch: true });
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  const [dial, copy] = [page.getByRole('link', { name: 'Composer' }), page.getByRole('button', { name: 'Copier' })];
  expect((await boxOf(dial)).y).toBe((await boxOf(copy)).y);
  await enlarge(page);
  await expectNoSidewaysScroll(page);
  await enlarge(page, false);
  for (const path of [`/ticket/${id}`, '/tickets', '/'])
    for (const size of [phoneSize, landscapeSize, { width: 320, height: 640 }]) {
      await page.setViewportSize(size);
      await page.goto(product.url + path);
      expect((await boxOf(page.getByRole('link', { name: /^Composer/ }).locator('svg'))).width, path).toBe(20);
      // Also on a phone on its side, whole and above what one would scroll for.
      if (path !== '/tickets') await expect(dial).toBeInViewport({ ratio: 1 });
    }
  await page.close();
});
