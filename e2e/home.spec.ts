import type { Page } from '@playwright/test';
import { expect, test } from './branch.ts';
import { boxOf, enlarge, expectNoSidewaysScroll } from './layout.ts';
import { enterAsGuest } from './steps.ts';

const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
const hits = (page: Page) => page.getByRole('main').getByRole('listitem');

/** The lines of a text, as drawn. */
const linesOf = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByText(text, { exact: true })
    .evaluate((element) => {
      const { lineHeight } = getComputedStyle(element);
      return Math.round(element.getBoundingClientRect().height / Number.parseFloat(lineHeight));
    });

test('P6.12, a search without an exact match shows the nearest services: a word too many, a wrong letter', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  const field = page.getByRole('searchbox', { name: 'Rechercher un service' });
  const status = page.getByRole('main').getByRole('status');
  for (const [typed, first] of [
    ['transfert orange vers moov', 'Orange Money'],
    ['eletricité', 'Électricité'],
    ['SONABLE', 'SONABEL'],
  ] as const) {
    await field.fill(typed);
    await expect(status).toHaveText('Aucun résultat exact. Les plus proches :');
    await expect(hits(page).first()).toContainText(first);
  }
  await field.fill('sonabel');
  await expect(status).toHaveText(/^\d+ résultats?$/);
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

test('P1.5, with text twice as large the names of the tabs and of the search are whole', async ({ page, product }) => {
  await enterAsGuest(page, product);
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await enlarge(page);
    for (const tab of ['Accueil', 'Tickets', 'Notifications', 'Paramètres']) {
      const label = page.getByRole('navigation').getByText(tab, { exact: true });
      const { height, right, x } = await boxOf(label);
      const lineHeight = await label.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight));
      expect(height, tab).toBeLessThan(1.5 * lineHeight);
      expect(x, tab).toBeGreaterThanOrEqual(0);
      expect(right, tab).toBeLessThanOrEqual(width);
    }
    // The placeholder has no box: its width is that of its text.
    const isWhole = await page.getByRole('searchbox').evaluate((field: HTMLInputElement) => {
      const style = getComputedStyle(field, '::placeholder');
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return pen.measureText(field.placeholder).width <= room;
    });
    expect(isWhole, `the placeholder at ${width} px`).toBe(true);
    await expectNoSidewaysScroll(page);
  }
});
