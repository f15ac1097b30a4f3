import type { Page } from '@playwright/test';
import { expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs } from './caller.ts';
import { expectNoSidewaysScroll, findUnreadable } from './layout.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator, enterBy } from './steps.ts';

const sizes = { 'a small phone': { width: 320, height: 640 }, 'a phone': phoneSize, 'a desk': desktopSize };

/** 106 characters. */
const longName =
  "Paiement des frais d'inscription et de scolarité de l'établissement d'enseignement supérieur de Bobo-Diou".padEnd(
    106,
    'l',
  );
const description =
  'Pour toutes les écoles, tous les instituts et toutes les universités du pays, en une ou plusieurs fois.';

async function expectReadable(page: Page, screen: string): Promise<void> {
  for (const [where, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    expect(await findUnreadable(page), `${screen} on ${where}`).toEqual([]);
    await expectNoSidewaysScroll(page);
  }
}

/** Forty types for this page alone: the product is also other tests'. */
async function offerManyTypes(page: Page): Promise<void> {
  await page.route('**/api/payment-types', async (route) => {
    const types = (await (await route.fetch()).json()) as object[];
    const more = Array.from({ length: 40 - types.length }, (_, nth) => ({
      ...types[0],
      id: 9_000 + nth,
      name: `Établissement de microfinance numéro ${nth + 1}`,
    }));
    await route.fulfill({ json: [...types, ...more] });
  });
}

async function fileOrder(product: Product, path: { id: number }[], total: number) {
  const caller = await callAs(product, {
    firstName: 'Kouadio-Emmanuel',
    lastName: "N'Guessan-Kouakou",
    phone: '79000301',
  });
  const ticket = (await caller.send('POST', '/api/tickets', {
    userId: caller.userId,
    serviceId: path.at(-1)?.id,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '+2250701234567',
    paymentTypeName: 'Orange Money',
    totalPrice: String(total),
    status: 'pending',
  })) as { id: number };
  return { caller, id: ticket.id };
}

test('300 services of a level, 40 payment types, names of 106 characters, prices of seven digits: all of it is read', async ({
  page,
  product,
  branch,
}) => {
  test.setTimeout(300_000);
  await branch.change(branch.root, { name: longName, description });
  const final = await branch.add(longName.replace('Paiement', 'Versement'), {
    isFinalLevel: true,
    price: '1 246 913 FCFA',
    phoneNumber: '*144*10*0123456789*XX#',
    description,
  });
  for (let count = 1; count < 300; count += 1)
    await branch.add(`Établissement numéro ${count}`, { isFinalLevel: true, price: `${count} 000 FCFA` });
  const { caller, id } = await fileOrder(product, [branch.root, final], 1_246_913);
  await offerManyTypes(page);
  await enterBy(page, product, caller.entrance);
  await expect(page.getByRole('region', { name: 'Votre demande en attente' })).toBeVisible();
  await expectReadable(page, 'home');

  await page.goto(`${product.url}/?dans=${branch.root.id}`);
  const rows = page.getByRole('main').getByRole('button', { name: /^(?:Établissement numéro|Versement)/ });
  await expect(rows).toHaveCount(300);
  await expectReadable(page, 'a level');
  await rows.first().click();
  await page.getByLabel('Numéro du bénéficiaire').fill('+225 07 01 23 45 67');
  await expect(page.getByRole('group', { name: 'Type de paiement' }).getByRole('radio')).toHaveCount(40);
  await expectReadable(page, 'the summary');

  for (const address of ['/tickets', `/ticket/${id}`]) {
    await page.goto(product.url + address);
    await expect(page.getByText(/1.246.913\sFCFA/).first()).toBeVisible();
    await expectReadable(page, address);
  }
  await caller.end();

  await enterAsAdministrator(page, product, '/admin/tickets?statut=pending');
  for (const [address, screen] of [
    ['/admin/tickets', 'the table'],
    ['/admin/tickets?vue=file', 'the queue'],
    ['/admin/services', 'the services'],
  ] as const) {
    await page.goto(product.url + address);
    await expect(page.getByText(/supérieur de Bobo/).first()).toBeVisible();
    await expectReadable(page, screen);
  }
});
