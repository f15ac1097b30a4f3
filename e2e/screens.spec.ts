import type { Page } from '@playwright/test';
import { findFaintText, findViolations } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { findFaults, panelSizes, personSizes } from './looks.ts';
import type { Person } from './people.ts';
import { tours } from './tour.ts';

/** So tall that nothing is hidden under the navigation, which axe would take for text without contrast. */
const height = 2_400;

/** Axe's rules in the light; in the dark what can differ there. */
async function findBarriers(page: Page): Promise<string[]> {
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findFaintText(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((fault) => `in the dark ${fault}`)];
}

const names = { firstName: 'Wendkuuni Marie-Antoinette', lastName: 'Ouédraogo-Kaboré' };

/** A walk is some thirty screens. */
test.describe.configure({ timeout: 400_000 });
// As phones have it: a code is dialled.
test.use({ hasTouch: true });

for (const [place, { whose, screens, isPanel, walk }] of tours.entries())
  test(`each screen and dialog of ${whose} can be read and used, on phones, laptops and desks, with large text`, async ({
    page,
    product,
    provoke,
  }) => {
    // The tour looks at a receipt that is none.
    provoke('404 /api/receipts/');
    // A step that finds nothing is named, instead of the test's end.
    page.setDefaultTimeout(30_000);
    await page.setViewportSize({ width: isPanel ? 1280 : 320, height });
    const seen: string[] = [];
    const faults: string[] = [];
    const phone = `7611111${place}`;
    const person: Person = isPanel ? { ...names, phone } : { ...names, countryCode: '+225', phone: `07${phone}` };
    await walk(page, product, person, async (name) => {
      seen.push(name);
      const found = [...(await findBarriers(page)), ...(await findFaults(page, isPanel ? panelSizes : personSizes))];
      faults.push(...found.map((fault) => `${name} · ${fault}`));
    });
    expect(faults).toEqual([]);
    expect(seen.length).toBeGreaterThanOrEqual(screens);
  });

test('each kind of fault is found, in the sizes that have it', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(page.getByRole('button', { name: 'Se connecter' })).toBeVisible();
  await page.evaluate(() => {
    const plant = (
      name: string,
      text: string,
      style: Partial<CSSStyleDeclaration>,
      within = document.querySelector('main'),
    ) => {
      const planted = Object.assign(document.createElement(name), { textContent: text });
      Object.assign(planted.style, style);
      within?.prepend(planted);
      return planted;
    };
    plant('p', 'Large', { width: '600px' });
    plant('p', 'Petit', { fontSize: '10px' });
    plant('p', 'Minuscule', { fontSize: '5px' });
    plant('p', 'Étroit', { width: '10px', wordBreak: 'break-all' });
    plant('p', 'Haut', { position: 'sticky', bottom: '0', height: '200px' });
    const row = plant('div', '', { position: 'relative' });
    plant('button', 'Sous', {}, row);
    plant('i', 'Devant', { position: 'absolute', inset: '0' }, row);
  });
  const everywhere = [
    "small text · p 'Minuscule' 5px",
    "one sign a line · p 'Étroit'",
    "covered · button 'Sous' under i 'Devant'",
  ];
  const found = await findFaults(page, personSizes);
  for (const { name, width, height } of personSizes) {
    const here = found.filter((fault) => fault.startsWith(`${name} · `)).map((fault) => fault.slice(name.length + 3));
    expect(here, name).toEqual(expect.arrayContaining(everywhere));
    expect(here.includes("small text · p 'Petit' 10px")).toBe(width > 180);
    expect(here.some((fault) => fault.startsWith("sideways · p 'Large' by "))).toBe(width <= 600);
    expect(here.includes(`tall bar · p 'Haut' 200 of ${height} px`)).toBe(width < 800);
  }
});
