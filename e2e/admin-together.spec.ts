import type { Page } from '@playwright/test';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator, holdBack } from './steps.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const rowOf = (page: Page, id: number) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Ouvrir le ticket n° ${id}`, exact: true }) });

test("two administrators in two browsers see each other's decisions within a poll, and overwrite none", async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('409 /api/tickets/');
  const user = await callAs(product, { firstName: 'Ensemble', lastName: 'Sanogo', phone: '70350001' });
  const [first = 0, second = 0, third = 0] = await fileTickets(user, 3);
  const elsewhere = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await enterAsAdministrator(elsewhere, product, `/admin/tickets?utilisateur=${user.userId}`);
  for (const each of [page, elsewhere]) await expect(rowOf(each, first)).toContainText('En attente');

  // The other administrator's page shows the decision by itself, marked as new.
  await rowOf(elsewhere, first)
    .getByRole('button', { name: /^Approuver/ })
    .click();
  await expect(rowOf(page, first)).toContainText('Approuvé');
  await expect(rowOf(page, first)).toContainText("Décidé à l'instant");
  await expect(rowOf(elsewhere, first)).not.toContainText("Décidé à l'instant");

  // The reject dialog reports a concurrent decision, and keeps its text.
  await rowOf(page, second)
    .getByRole('button', { name: /^Rejeter/ })
    .click();
  const dialog = page.getByRole('dialog', { name: `Rejeter le ticket n° ${second}` });
  await dialog.getByLabel('Motif (facultatif)').fill('Numéro injoignable');
  await rowOf(elsewhere, second)
    .getByRole('button', { name: /^Approuver/ })
    .click();
  await expect(dialog.getByRole('alert')).toHaveText(
    `Un autre administrateur vient de décider : ticket n° ${second}, approuvé.`,
  );
  await expect(dialog.getByLabel('Motif (facultatif)')).toHaveValue('Numéro injoignable');
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(page.getByText('Un autre administrateur vient de modifier ce ticket.')).toBeVisible();
  await expect(rowOf(page, second)).toContainText('Approuvé');

  // Concurrent decisions: one stands, and both pages show it.
  const decision = `**/api/tickets/${third}/status`;
  const holds = [await holdBack(page, decision), await holdBack(elsewhere, decision)];
  for (const each of [page, elsewhere])
    await rowOf(each, third)
      .getByRole('button', { name: /^Approuver/ })
      .click();
  // Neither page has learnt of the other's when it sends its own.
  await expect.poll(() => holds.map(({ held }) => held())).toEqual([1, 1]);
  for (const { release } of holds) release();
  for (const each of [page, elsewhere]) await expect(rowOf(each, third)).toContainText('Approuvé');
  await page.goto(`${product.url}/admin/tickets?ticket=${third}`);
  await expect(page.getByRole('dialog', { name: `Ticket n° ${third}` }).getByRole('listitem')).toHaveCount(2);
  await elsewhere.close();
});

/** A section of the settings, and a change to it. */
const sections = [
  {
    title: 'the settings of SMS',
    section: 'sms',
    path: '/api/admin/sms/settings',
    read: async (admin: Caller) => ((await admin.send('GET', '/api/admin/sms')) as { settings: object }).settings,
    field: (page: Page) => page.getByLabel('SMS par jour et par pays'),
    save: 'Enregistrer',
    values: ['701', '702'],
    stored: (value: string) => ({ perCountryAndDay: Number(value) }),
    done: 'Réglages enregistrés',
  },
  {
    title: 'the reasons for a rejection',
    section: 'motifs',
    path: '/api/admin/reject-reasons',
    read: (admin: Caller) => admin.send('GET', '/api/admin/reject-reasons'),
    field: (page: Page) => page.getByRole('textbox', { name: 'Motif 1', exact: true }),
    save: 'Enregistrer',
    values: ['Le premier motif', 'Le second motif'],
    stored: (value: string) => ({ reasons: expect.arrayContaining([value]) }),
    done: 'Motifs enregistrés',
  },
  {
    title: "the operator's contact",
    section: 'contact',
    path: '/api/admin/contact',
    read: async (admin: Caller) => {
      const contact = (await admin.send('GET', '/api/contact')) as { updatedAt: string };
      return { ...contact, updatedAt: undefined };
    },
    field: (page: Page) => page.getByRole('textbox', { name: 'E-mail' }),
    save: 'Enregistrer',
    values: ['un@exemple.bf', 'deux@exemple.bf'],
    stored: (value: string) => ({ email: value }),
    done: 'Contact enregistré',
  },
  {
    title: 'the page background',
    section: 'fond',
    path: '/api/admin/background-settings',
    read: (admin: Caller) => admin.send('GET', '/api/admin/background-settings'),
    field: (page: Page) => page.getByRole('slider', { name: 'Opacité' }),
    save: 'Sauvegarder',
    values: ['41', '42'],
    stored: (value: string) => ({ opacity: Number(value) }),
    done: 'Paramètres sauvegardés',
  },
] as const;

for (const { title, section, path, read, field, save, values, stored, done } of sections)
  test(`two administrators at ${title}: what one saved is not overwritten unseen, what the other typed stays`, async ({
    page,
    browser,
    product,
    provoke,
  }) => {
    provoke(`409 ${path}`);
    const admin = await callAsAdministrator(product);
    const before = (await read(admin)) as object;
    const [mine, theirs] = values;
    const elsewhere = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const address = `/admin/settings?section=${section}`;
    await enterAsAdministrator(page, product, address);
    await enterAsAdministrator(elsewhere, product, address);
    const button = (on: Page) => on.getByRole('button', { name: save, exact: true });
    await field(page).fill(mine);
    await field(elsewhere).fill(theirs);
    await button(elsewhere).click();
    await expect(elsewhere.getByText(done)).toBeVisible();

    await button(page).click();
    await expect(page.getByText(/^Non (enregistré|sauvegardé)$/)).toBeVisible();
    const notice = page
      .getByRole('alert')
      .filter({ hasText: 'Un autre administrateur vient de modifier cet élément.' });
    await expect(notice.getByText(theirs)).toBeVisible();
    await expect(field(page)).toHaveValue(mine);
    expect(await read(admin)).toMatchObject(stored(theirs));

    await notice.getByRole('button', { name: 'Garder la mienne' }).click();
    await button(page).click();
    await expect(page.getByText(done)).toBeVisible();
    expect(await read(admin)).toMatchObject(stored(mine));
    await admin.send(section === 'fond' ? 'POST' : 'PUT', path, before);
    await elsewhere.close();
  });

test('older tickets come by pages and stay while the first page is polled', async ({ page, product }) => {
  // Two pages of a hundred; a person may file sixty tickets an hour.
  const people = await Promise.all(
    ['70350002', '70350003', '70350004'].map((phone) =>
      callAs(product, { firstName: 'Pages', lastName: 'Coulibaly', phone }),
    ),
  );
  const ids = (await Promise.all(people.map((person) => fileTickets(person, 37)))).flat().sort((a, b) => a - b);
  await enterAsAdministrator(page, product, '/admin/tickets?recherche=bouquet');
  const opener = (id: number) => page.getByRole('button', { name: `Ouvrir le ticket n° ${id}`, exact: true });
  await expect(page.getByText(/^Affichage de 100 ticket\(s\) sur \d+ au total$/)).toBeVisible();
  await expect(opener(ids[0] ?? 0)).toHaveCount(0);
  await page.getByRole('button', { name: 'Afficher plus' }).click();
  await expect(opener(ids[0] ?? 0)).toHaveCount(1);
  const [person] = people;
  const [fresh = 0] = person ? await fileTickets(person, 1) : [];
  await expect(opener(fresh)).toHaveCount(1);
  await expect(opener(ids[0] ?? 0)).toHaveCount(1);
  // A ticket below the polled page changes in place.
  await rowOf(page, ids[0] ?? 0)
    .getByRole('button', { name: /^Approuver/ })
    .click();
  await expect(rowOf(page, ids[0] ?? 0)).toContainText('Approuvé');
});
