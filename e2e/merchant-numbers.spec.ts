import type { Page } from '@playwright/test';
import type { Service } from '#contract/catalogue.ts';
import type { Dashboard } from '#contract/dashboard.ts';
import type { MerchantNumbers } from '#contract/merchant-numbers.ts';
import { parsePrice } from '#contract/money.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { type CountryCode, countries } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { findFreePort } from '#server/testing/server-process.ts';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAs, callAsAdministrator } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { type Product, startProduct } from './product.ts';
import { choosePayment, drillDown, enterAs, enterAsAdministrator, fillOrder, toBundle } from './steps.ts';

const merchants = { 'Airtel Money': '400100', 'Mixx by Yas': '145200', 'Moov Money': '555300', 'MTN MoMo': '880400' };

/** A shop as `npm start` makes it, at an address of its own, by which the browser comes; calls come by its port. */
async function startShop(): Promise<{ shop: Product; local: Product }> {
  const port = await findFreePort();
  const settings = { PORT: String(port), PUBLIC_URL: `http://shop.localhost:${port}`, RATE_LIMITS: 'off' };
  const shop = await startProduct(undefined, settings);
  return { shop, local: { ...shop, url: `http://127.0.0.1:${port}` } };
}

const numberOf = (page: Page, wallet: string) =>
  page.getByRole('form', { name: `Numéro marchand ${/^[AO]/.test(wallet) ? "d'" : 'de '}${wallet}` });

/** What people of every country get who order, by each payment type of theirs, one service for each code of the catalogue. */
async function orderEverything(local: Product): Promise<Ticket[]> {
  const ordersOf = async ({ code, example }: (typeof countries)[number]) => {
    const person = { firstName: 'Client', lastName: code, phone: example, countryCode: code as CountryCode };
    const caller = await callAs(local, person);
    const catalogue = (await caller.send('GET', '/api/catalogue')) as Service[];
    const types = (await caller.send('GET', '/api/payment-types')) as PaymentType[];
    const byCode = new Map(
      catalogue.filter(({ isFinalLevel }) => isFinalLevel).map((each) => [each.phoneNumber, each]),
    );
    const own = types.filter(({ countries: served }) => served.some((each) => each === code));
    const tickets: Ticket[] = [];
    for (const { name: type } of own)
      for (const service of byCode.values()) tickets.push(await order(caller, { catalogue, service, type }));
    return tickets;
  };
  return (await Promise.all(countries.map(ordersOf))).flat();
}

async function order(
  caller: Caller,
  { catalogue, service, type }: { catalogue: Service[]; service: Service; type: string },
): Promise<Ticket> {
  const path = [service];
  for (let above = service; above.parentId !== null; path.unshift(above))
    above = catalogue.find(({ id }) => id === above.parentId) as Service;
  const amount = service.allowUserPriceInput ? 2_500 : (parsePrice(service.price) ?? 0);
  const { commission } = (await caller.send('GET', `/api/commission/${service.id}?userPrice=${amount}`)) as {
    commission: number;
  };
  return (await caller.send('POST', '/api/tickets', {
    serviceId: service.id,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+22670123456',
    paymentTypeName: type,
    totalPrice: amount + commission,
    ...(service.allowUserPriceInput && { userPrice: amount }),
  })) as Ticket;
}

for (const [where, viewport] of [
  ['a phone', phoneSize],
  ['a desk', desktopSize],
] as const)
  test(`P18.7, P8.13, on ${where} a shop of examples takes no order, and five fields make every code real`, async ({
    browser,
  }) => {
    const { shop, local } = await startShop();
    try {
      const admin = await callAsAdministrator(local);
      const missing = async () => {
        const path = '/api/admin/dashboard?timeZone=Africa/Ouagadougou';
        const { alarms } = (await admin.send('GET', path)) as Dashboard;
        return alarms.find(({ key }) => key === 'merchant')?.message;
      };
      await expect.poll(missing).toContain('Sans numéro marchand, 13 codes ne paient personne');

      const own = await browser.newPage({ viewport });
      await enterAs(own, shop, { firstName: 'Payeuse', lastName: 'Ouattara', phone: '51110601' });
      await drillDown(own, toBundle);
      await own.getByLabel('Numéro du bénéficiaire').fill('76 12 34 56');
      await choosePayment(own, 'Orange Money');
      await expect(own.getByText('Ce service ne peut pas encore être payé ici.')).toBeVisible();
      await expect(own.getByRole('button', { name: 'Confirmer la demande' })).toBeDisabled();
      expect(await findViolations(own)).toEqual([]);
      await expectNoSidewaysScroll(own);

      const page = await browser.newPage({ viewport });
      await enterAsAdministrator(page, shop, '/admin');
      await page.getByRole('alert').getByRole('link', { name: 'Voir Comptes' }).click();
      await expect(page.getByText('Il en manque 13')).toBeVisible();
      const orange = numberOf(page, 'Orange Money');
      const same = orange.getByLabel('Le même dans tous ses pays');
      for (const [wrong, sentence] of [
        ['123', 'Le numéro marchand a de 4 à 12 chiffres.'],
        ['00 00 00 00', "celui de l'exemple"],
      ] as const) {
        await same.fill(wrong);
        await same.press('Enter');
        await expect(orange.getByText(sentence)).toBeVisible();
      }
      expect(await findViolations(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
      await same.fill('144 500');
      await same.press('Enter');
      await expectToast(page, 'Numéro marchand enregistré', 'Orange Money');
      await expect(page.getByText('Il en manque 9')).toBeVisible();
      await orange.getByText('Un numéro par pays').click();
      await orange.getByLabel(/Mali/).fill('646116');
      await expect(same).toHaveValue('');
      await orange.getByRole('button', { name: /^Enregistrer/ }).click();
      for (const [wallet, number] of Object.entries(merchants)) {
        const field = numberOf(page, wallet).getByRole('textbox').first();
        await field.fill(number);
        await field.press('Enter');
        await expect(numberOf(page, wallet).getByText(/^Manque/)).toBeHidden();
      }
      await expect(page.getByText('Tous donnés')).toBeVisible();
      await page.reload();
      await page.getByText('Numéros marchands').click();
      await expect(orange.getByLabel(/Mali/)).toHaveValue('646116');
      await expect(orange.getByLabel(/Sénégal/)).toHaveValue('144500');

      await own.reload();
      await fillOrder(own, { beneficiary: '76 12 34 56', total: /1.050/ });
      await own.getByRole('button', { name: 'Confirmer la demande' }).click();
      await expect(own.locator('.font-mono')).toHaveText('*144*10*144500*1050#');
      await expect(own.getByText("Code d'exemple")).toBeHidden();
      // Else they ask a shop that has stopped.
      await Promise.all([own.close(), page.close()]);
    } finally {
      await shop.stop();
    }
  });

test('P18.7, with a number for each wallet every code of every country is real, by every payment type', async () => {
  const { shop, local } = await startShop();
  try {
    const admin = await callAsAdministrator(local);
    const types = (await admin.send('GET', '/api/payment-types')) as PaymentType[];
    const lists = (await admin.send('GET', '/api/admin/merchant-numbers')) as MerchantNumbers[];
    for (const { id, name, countries: served } of types) {
      const number = Object.entries({ ...merchants, 'Orange Money': '144500' }).find(
        ([wallet]) => wallet === name,
      )?.[1];
      const expectedUpdatedAt = lists.find(({ paymentTypeId }) => paymentTypeId === id)?.updatedAt ?? null;
      const numbers = served.map((country) => ({ country, number }));
      if (number)
        await admin.send('PUT', `/api/admin/payment-types/${id}/merchant-numbers`, { numbers, expectedUpdatedAt });
    }
    const tickets = await orderEverything(local);
    expect(tickets.length).toBeGreaterThan(200);
    for (const { dialCode, paymentTypeName, servicePath } of tickets) {
      const name = `${servicePath.map((each) => each.name).join(' → ')} (${paymentTypeName})`;
      if (paymentTypeName === 'Wave') expect(dialCode, name).toBeNull();
      else expect(dialCode, name).toMatch(/^[*#].*[*](?:144500|400100|145200|555300|880400)[*#]/);
    }
  } finally {
    await shop.stop();
  }
});

test('P8.13, on localhost a code is given, and wherever it is shown it says that it is an example', async ({
  page,
  product,
}) => {
  const mark = page.getByText("Code d'exemple\u00a0: il ne paie personne.");
  await enterAs(page, product, { firstName: 'Essai', lastName: 'Local', phone: '51110602' });
  await drillDown(page, toBundle);
  await fillOrder(page, { beneficiary: '76 12 34 56', total: /1.050/ });
  await expect(mark).toBeVisible();
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  const dialog = page.getByRole('dialog', { name: 'Demande créée avec succès' });
  await expect(dialog.locator('.font-mono')).toHaveText('*144*10*00000000*1050#');
  await expect(dialog.getByText("Code d'exemple")).toBeVisible();
  await dialog.getByRole('button', { name: "Retour à l'accueil" }).click();
  await expect(mark).toBeVisible();
  await page.goto(`${product.url}/tickets`);
  await expect(mark).toBeVisible();
  await page.getByRole('link', { name: /^Détails/ }).click();
  await expect(mark).toBeVisible();
  await page.setViewportSize(desktopSize);
  await expect(mark).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});
