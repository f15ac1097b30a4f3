import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { type Branch, test as base } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { closeMessage, expectToast } from './messages.ts';
import { enterBy } from './steps.ts';

const none = { whatsapp: null, phone: null, email: null };
const save = ({ admin }: Branch, contact: object) => admin.send('PUT', '/api/admin/contact', contact);

/** Other tests of the worker find no contact, as before. */
const test = base.extend<{ withoutContact: undefined }>({
  withoutContact: [
    async ({ branch }, use) => {
      await use(undefined);
      await save(branch, none);
    },
    { auto: true },
  ],
});

const opener = (page: Page) => page.getByRole('button', { name: 'Nous contacter' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Nous contacter' });
const message = /^Bonjour, je vous écris au sujet du ticket n°\s(\d+)\s: Bouquet Access, 5\s100\sFCFA\.$/;

const press = async (page: Page, name: RegExp | string, role: 'button' | 'link' = 'button') => {
  await page.getByRole(role, { name }).focus();
  await page.keyboard.press('Enter');
};

test("'Nous contacter' of a ticket and of a notification leads to the operator, with the ticket's number, service and amount", async ({
  page,
  context,
  product,
  branch,
}) => {
  const person = { firstName: 'Aminata', lastName: 'Diallo', phone: '77000071' };
  const caller = await callAs(product, person);
  const [id] = await fileTickets(caller, 1);
  await save(branch, { whatsapp: '+22670123456', phone: '+33612345678', email: 'aide@exemple.bf' });
  await context.route('https://wa.me/**', (route) => route.fulfill({ contentType: 'text/html', body: 'WhatsApp' }));
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  await press(page, 'Nous contacter');
  const dialog = dialogOf(page);
  await expect(dialog).toContainText(`Au sujet du ticket n° ${id}`);
  const ways = dialog.getByRole('link');
  await expect(ways).toHaveText([/^WhatsApp/, /^Appeler/, /^E-mail/]);
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  for (const way of await ways.all()) expect((await way.boundingBox())?.height).toBeGreaterThanOrEqual(48);

  const opening = page.waitForEvent('popup');
  await press(page, /^WhatsApp/, 'link');
  // Before the other tab, which may take longer to come than the message stays.
  await expectToast(page, 'Support contacté', /WhatsApp s'ouvre avec un message prêt/);
  const tab = await opening;
  await tab.waitForLoadState();
  const address = new URL(tab.url());
  expect(address.origin + address.pathname).toBe('https://wa.me/22670123456');
  expect(message.exec(address.searchParams.get('text') ?? '')?.[1]).toBe(String(id));
  expect(await tab.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
  await tab.close();
  await expect(dialog.getByRole('link', { name: /^Appeler/ })).toHaveAttribute('href', 'tel:+33612345678');
  const mail = new URL((await dialog.getByRole('link', { name: /^E-mail/ }).getAttribute('href')) ?? '');
  expect(mail.pathname).toBe('aide@exemple.bf');
  expect(mail.searchParams.get('subject')).toMatch(new RegExp(`^Ticket n°\\s${id}$`));
  expect(mail.searchParams.get('body')).toMatch(message);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener(page)).toBeFocused();

  await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
  const [notice] = (await caller.send('GET', `/api/notifications/user/${caller.userId}`)) as { id: number }[];
  await save(branch, { ...none, phone: '+22670123456' });
  await page.goto(`${product.url}/notification/${notice?.id}`);
  await press(page, 'Nous contacter');
  await expect(dialog).toContainText(`Au sujet du ticket n° ${id}`);
  await expect(ways).toHaveText([/^Appeler\+226 70 12 34 56$/]);
  await press(page, /^Appeler/, 'link');
  await expectToast(page, 'Support contacté', /compose le \+226 70 12 34 56/);
  await caller.end();
});

test('without a contact, or where it cannot be read, the button says that nothing was sent', async ({
  page,
  product,
}) => {
  const caller = await callAs(product, { firstName: 'Boureima', lastName: 'Sana', phone: '77000073' });
  const [id] = await fileTickets(caller, 1);
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  await opener(page).click();
  await expectToast(page, 'Support contacté', /Rien n'a été envoyé\s: aucun contact n'est encore indiqué/);
  await expect(dialogOf(page)).toHaveCount(0);
  await closeMessage(page);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.includes('/api/contact')) localStorage.removeItem(key);
  });
  await page.route('**/api/contact', (route) => route.abort());
  await page.reload();
  await opener(page).click();
  await expectToast(page, 'Support contacté', /Rien n'a été envoyé\s: le contact n'a pas pu être chargé/);
  await expect(dialogOf(page)).toHaveCount(0);
  await caller.end();
});
