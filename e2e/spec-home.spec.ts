import { findFaintText } from './accessibility.ts';
import { expect, test } from './branch.ts';
import { linesOf } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterAs, enterAsGuest, holdBack } from './steps.ts';

test('P6.3, home: the greeting by first name or Invité, its question, Nos Services in 2, 3 or 4 columns', async ({
  page,
  product,
  branch,
}) => {
  await enterAsGuest(page, product);
  await enterAs(page, product, { firstName: 'Salimata', lastName: 'Lettre', phone: '77000031' });
  await expect(page.getByText("Que souhaitez-vous faire aujourd'hui ?")).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nos Services' })).toBeVisible();
  await expect(page.getByRole('button', { name: branch.root.name })).toBeVisible();
  const cards = page.getByRole('main').getByRole('button', { name: /Explorer les services/ });
  const columns = async () => {
    const lefts = await cards.evaluateAll((all) => all.map((card) => Math.round(card.getBoundingClientRect().left)));
    return new Set(lefts).size;
  };
  for (const [width, count] of [
    [360, 2],
    [800, 3],
    [1280, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(columns, `at ${width} px`).toBe(count);
  }
  // Seven countries, of which a desk's card has room for four.
  await page.getByRole('button', { name: 'Tout voir (7)' }).click();
  await expect(page.getByRole('heading', { name: 'Télécom et mobile - Services' })).toBeVisible();
});

test('P6.4, service card: an emoji by default, name, two lines of description, price, Explorer les services unless it is final', async ({
  page,
  product,
  branch,
}) => {
  const description = 'Une description bien trop longue pour la carte. '.repeat(8).trim();
  await branch.change(branch.root, { description, price: 'À partir de 500 FCFA' });
  await enterAsGuest(page, product);
  const card = page.getByRole('main').getByRole('button', { name: branch.root.name });
  for (const text of [branch.root.name, 'À partir de 500 FCFA', 'Explorer les services', '🛎️'])
    await expect(card.getByText(text)).toBeVisible();
  await expect(card.getByText('Explorer les services').locator('svg')).toBeVisible();
  expect(await linesOf(card.getByText(description))).toBeLessThanOrEqual(2);

  // A colour that was chosen for white is read in the dark too.
  await branch.change(branch.root, { isFinalLevel: true, textColor: '#7F1D1D' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(card).toHaveCSS('color', 'rgb(127, 29, 29)');
  expect(await findFaintText(page)).toEqual([]);
  await expect(card.getByText('À partir de 500 FCFA')).toBeVisible();
  await expect(card.getByText('Explorer les services')).toBeHidden();
  await card.click();
  await expect(page).toHaveURL(`${product.url}/summary`);
  await branch.change(branch.root, { isFinalLevel: false });
});

test('P6.5 to P6.7, after drilling down: breadcrumb, “<name> - Services” with a back arrow, rows; an empty level; Chargement des services...; a final service: its path is stored, Service sélectionné, /summary', async ({
  page,
  product,
  branch,
}) => {
  const { name } = branch.root;
  const child = await branch.add('Recharges', { description: 'Pour tous les réseaux.', price: '1 000 FCFA' });
  const final = await branch.add('Forfait', { isFinalLevel: true, price: '1 500 FCFA' });
  const { release } = await holdBack(page, '**/api/catalogue');
  await enterAsGuest(page, product);
  await page.getByRole('main').getByRole('button', { name }).click();
  await expect(page.getByText('Chargement des services...')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: `${name} - Services` })).toBeVisible();
  const row = page.getByRole('main').getByRole('button', { name: 'Recharges' });
  for (const text of ['Recharges', 'Pour tous les réseaux.', '1 000 FCFA', '📲'])
    await expect(row.getByText(text)).toBeVisible();

  await row.click();
  await expect(page.getByRole('heading', { name: `${child.name} - Services` })).toBeVisible();
  const trail = page.getByRole('navigation', { name: "Fil d'Ariane" });
  await expect(trail.getByRole('listitem')).toHaveText([/Accueil/, new RegExp(name)]);
  await expect(page.getByText('Aucun service disponible à ce niveau.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Retour' }).last().click();
  await expect(page.getByRole('heading', { name: `${name} - Services` })).toBeVisible();
  await page.getByRole('button', { name: 'Retour' }).first().click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  await page.goForward();
  const order = () => page.evaluate(() => sessionStorage.getItem('guichet_order'));
  expect(await order()).toBeNull();
  await page.getByRole('main').getByRole('button', { name: final.name }).click();
  await expectToast(page, 'Service sélectionné');
  await expect(page).toHaveURL(`${product.url}/summary`);
  const ids = async () => {
    const { services } = JSON.parse((await order()) ?? '') as { services: { id: number }[] };
    return services.map(({ id }) => id);
  };
  expect(await ids()).toEqual([branch.root.id, final.id]);
  // Its own address leads to its order too.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${product.url}/?dans=${branch.root.id},${final.id}`);
  await expect(page).toHaveURL(`${product.url}/summary`);
  expect(await ids()).toEqual([branch.root.id, final.id]);
});

test('P10.6, navigation: four tabs, and a red dot while anything is unread', async ({ page, product }) => {
  let count = 0;
  await page.route('**/api/notifications/user/*/unread-count', (route) => route.fulfill({ json: { count } }));
  const answered = page.waitForResponse('**/api/notifications/user/*/unread-count');
  await enterAs(page, product, { firstName: 'Rosine', lastName: 'Lettre', phone: '77000032' });
  const bar = page.getByRole('navigation', { name: 'Navigation principale' });
  const tabs = { Accueil: '/', Tickets: '/tickets', Notifications: '/notifications', Paramètres: '/settings' };
  await expect(bar.getByRole('link')).toHaveCount(4);
  for (const [name, address] of Object.entries(tabs))
    await expect(bar.getByRole('link', { name })).toHaveAttribute('href', address);
  await (await answered).finished();
  const dot = bar.getByRole('link', { name: 'Notifications' }).getByTestId('unread-dot');
  await expect(dot).toBeHidden();
  count = 1;
  await page.reload();
  await expect(dot).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Notifications, non lues', exact: true })).toBeVisible();
  const [red = 0, green = 0, blue = 0] = await dot.evaluate((element) =>
    [...getComputedStyle(element).backgroundColor.matchAll(/\d+/g)].map(Number),
  );
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));
});
