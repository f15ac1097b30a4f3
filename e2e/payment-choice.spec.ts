import type { Locator, Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import { choosePayment, drillDown, enterAs, fillOrder, toBundle } from './steps.ts';

const toSending = ["Transfert d'argent", 'Orange Money', 'Envoi national'];
const beneficiary = (page: Page) => page.getByLabel('Numéro du bénéficiaire');
const amount = (page: Page) => page.getByLabel('Entrer la somme');
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmer la demande' });
const payments = (page: Page) => page.getByRole('group', { name: 'Type de paiement' });
const success = (page: Page) => page.getByRole('dialog', { name: 'Demande créée avec succès' });

interface Type {
  id: number;
  name: string;
}

/** Offers these payment types, whatever other tests add. */
const offer = (page: Page, choose: (all: Type[]) => Type[]) =>
  page.route('**/api/payment-types', async (route) =>
    route.fulfill({ json: choose((await (await route.fetch()).json()) as Type[]) }),
  );

test('the wallets of the country come first, by keyboard too', async ({ page, product }) => {
  const offered = ['Moov Money', 'Orange Money', 'Wave', 'Airtel Money', 'Mixx by Yas', 'MTN MoMo'];
  await offer(page, (all) => all.filter(({ name }) => offered.includes(name)));
  await enterAs(page, product, { firstName: 'Clavier', lastName: 'Kam', phone: '51110002' });
  await drillDown(page, toBundle);
  await expect(page.getByTestId('total')).toHaveText(/^1.050\sFCFA$/);
  await expect(page.getByText(/^Prix 1.000\sFCFA \+ commission\s50\sFCFA$/).locator('visible=true')).toBeVisible();
  const names = payments(page).locator('[id$=-name]');
  await expect(names.locator('visible=true')).toHaveText(['Orange Money', 'Moov Money']);
  await expect(names).toHaveText(['Orange Money', 'Moov Money', 'Wave']);
  await beneficiary(page).focus();
  await page.keyboard.press('Tab');
  const chosen = (name: string) => payments(page).getByRole('radio', { name, exact: true, checked: true });
  await page.keyboard.press('Space');
  await expect(chosen('Orange Money')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(chosen('Moov Money')).toHaveAccessibleDescription(/Depuis votre SIM Moov$/);
  await page.keyboard.press('Tab');
  await expect(page.getByText('Autres moyens (1)')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  // The service's own code is another wallet's.
  await expect(chosen('Wave')).toHaveAccessibleDescription(/^Wave\s: pas de code pour ce service\. Vous pouvez/);
  await page.reload();
  await expect(chosen('Wave'), 'the fold is open where what one chose is in it').toBeVisible();
});

for (const viewport of [phoneSize, desktopSize]) {
  test.describe(`P8.10, ${viewport.width} pixels wide`, () => {
    test.use({ viewport });

    test("who pays by a wallet without a code gets no other wallet's, but a sentence and the contact", async ({
      page,
      product,
    }) => {
      const phone = `7799${String(viewport.width).padStart(5, '0')}`;
      await enterAs(page, product, { firstName: 'Awa', lastName: 'Ndiaye', phone, countryCode: '+221' });
      await drillDown(page, toSending);
      const all = payments(page).locator('label');
      await expect(all.filter({ hasText: 'Wave' })).toHaveCount(1);
      // These are of other countries.
      await expect(all.filter({ hasText: /^(?:Moov|MTN|Airtel)/ })).toHaveCount(0);
      await beneficiary(page).fill('77 123 45 67');
      await amount(page).fill('3000');
      await choosePayment(page, 'Orange Money');
      /** Below the top of the group, wherever the page is scrolled to. */
      const places = () =>
        payments(page).evaluate((group) =>
          [...group.querySelectorAll('label')].map(
            (row) => row.getBoundingClientRect().y - group.getBoundingClientRect().y,
          ),
        );
      const before = await places();
      await choosePayment(page, 'Wave');
      expect(await places()).toEqual(before);
      const told = payments(page).getByRole('status');
      await expect(told).toHaveText(
        'Wave : pas de code pour ce service. Vous pouvez envoyer la demande, puis nous contacter pour payer.',
      );
      await expect(payments(page).getByRole('button', { name: 'Nous contacter' })).toBeVisible();
      expect(await findViolations(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await confirm(page).click();
      const sentence = 'Wave : pas de code pour ce service. Contactez-nous pour payer.';
      const expectNoCode = async (within: Locator) => {
        await expect(within.getByText(sentence)).toBeVisible();
        await expect(within.getByRole('button', { name: 'Nous contacter' })).toBeVisible();
        await expect(within.locator('.font-mono')).toHaveCount(0);
        await expect(within.getByText(/Compose[rz]/)).toHaveCount(0);
      };
      await expectNoCode(success(page));
      expect(await places(), 'nothing moves behind it').toEqual(before);
      await success(page).getByRole('button', { name: 'Fermer', exact: true }).click();
      await expectNoCode(page.getByRole('listitem').filter({ hasText: 'Envoi national' }));
      await page.getByRole('link', { name: /^Détails/ }).click();
      await expect(page.getByRole('heading', { name: 'Historique' })).toBeVisible();
      await expectNoCode(page.getByRole('main'));
      await page.goto(product.url);
      await expect(page.getByRole('region', { name: 'Suivi de vos demandes' })).toContainText(
        'Pas de code : contactez-nous pour payer',
      );
      await expect(page.getByText(/Compose[rz]/)).toHaveCount(0);
      expect(await findViolations(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
    });
  });
}

test('P7.5, no payment type moves on an open screen: a new one is last, one that is gone keeps its place', async ({
  page,
  product,
  provoke,
}) => {
  provoke('422 /api/tickets');
  let choose = (all: Type[]) => all.filter(({ name }) => ['Orange Money', 'Moov Money', 'Wave'].includes(name));
  await offer(page, (all) => choose(all));
  await enterAs(page, product, { firstName: 'Stable', lastName: 'Sow', phone: '51115360' });
  await drillDown(page, toBundle);
  await fillOrder(page, { beneficiary: '76 11 22 33', paymentType: 'Moov Money', total: /FCFA$/ });
  const names = payments(page).locator('[id$=-name]');
  await expect(names).toHaveText(['Orange Money', 'Moov Money', 'Wave']);
  choose = (all) =>
    all
      .filter(({ name }) => ['Airtel Money', 'Orange Money', 'Wave'].includes(name))
      .map((type) => ({ ...type, countries: [] }));
  await page.route('**/api/tickets', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 'PAYMENT_TYPE_UNAVAILABLE', message: "Ce type de paiement n'est plus disponible." },
    }),
  );
  await confirm(page).click();
  await expect(names).toHaveText(['Orange Money', 'Moov Money', 'Wave', 'Airtel Money']);
  await expect(payments(page).getByRole('radio', { name: 'Moov Money' })).toBeDisabled();
  await expect(payments(page)).toContainText("N'est plus proposé");
  await expect(confirm(page)).toHaveAccessibleDescription('Choisissez un type de paiement.');
});

test('40 payment types with long names are searched, and fit with twice the text', async ({ page, product }) => {
  const long = 'Portefeuille électronique de la Caisse populaire '.repeat(3).slice(0, 103);
  await offer(page, ([first, ...others]) => [
    ...others,
    ...Array.from({ length: 40 }, (_, place) => ({
      ...first,
      id: 900_000 + place,
      name: `${long} ${10 + place}`,
      countries: [],
    })),
  ]);
  await enterAs(page, product, { firstName: 'Quarante', lastName: 'Sow', phone: '51110001' });
  await drillDown(page, toBundle);
  await page.getByLabel('Numéro du bénéficiaire').fill('70 11 22 33');
  await payments(page).getByRole('searchbox').fill('caisse 49');
  await expect(payments(page).getByRole('radio')).toHaveCount(1);
  await choosePayment(page, `${long} 49`);
  await enlarge(page);
  await expectNoSidewaysScroll(page);
  await expect(confirm(page)).toBeEnabled();
});
