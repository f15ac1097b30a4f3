import type { Page } from '@playwright/test';
import { expect, test } from './branch.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import { enterAsGuest } from './steps.ts';

const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });

/** The lines of a text, as drawn. */
const linesOf = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByText(text, { exact: true })
    .evaluate((element) => {
      const { lineHeight } = getComputedStyle(element);
      return Math.round(element.getBoundingClientRect().height / Number.parseFloat(lineHeight));
    });

test('P6.4, a long name has three lines at most on its card and row, and all of it on its own screen', async ({
  page,
  product,
  branch,
}) => {
  const name = `Paiement des frais d'inscription et de scolarité de l'établissement d'enseignement supérieur ${branch.root.name}`;
  const description =
    'Pour toutes les écoles, tous les instituts et toutes les universités du pays, en une ou plusieurs fois.';
  await branch.change(branch.root, { name, description });
  const child = await branch.add(`Un niveau au nom tout aussi long, ${'plus long encore, '.repeat(4)}et le voici`, {
    description,
  });
  await enterAsGuest(page, product);
  for (const [width, large] of [
    [360, false],
    [320, false],
    [360, true],
    [1280, false],
  ] as const)
    await test.step(`at ${width} px${large ? ' with text twice as large' : ''}`, async () => {
      await page.setViewportSize({ width, height: 740 });
      await enlarge(page, large);
      await expect(inMain(page, name)).toBeVisible();
      expect(await linesOf(page, name)).toBe(3);
      expect(await linesOf(page, description)).toBe(2);
      await expectNoSidewaysScroll(page);
    });
  await page.setViewportSize({ width: 360, height: 740 });
  await enlarge(page, false);
  await inMain(page, name).click();
  const heading = page.getByRole('heading', { name: `${name} - Services` });
  await expect(heading).toBeVisible();
  expect(await heading.evaluate((element) => element.scrollHeight <= element.clientHeight + 1)).toBe(true);
  await expect(inMain(page, child.name)).toBeVisible();
  expect(await linesOf(page, child.name)).toBe(3);
});
