import { expect, test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { drillDown, enterAs, enterBy, holdBack } from './steps.ts';

test('P3.1 to P3.6, addresses: each address shows what it is for', async ({ page, product, branch }) => {
  const person = { firstName: 'Odette', lastName: 'Lettre', phone: '77000021' };
  const caller = await callAs(product, person);
  const [ticket] = await fileTickets(caller, 1);
  await branch.admin.send('PATCH', `/api/tickets/${ticket}/status`, { status: 'approved' });
  const [notice] = (await caller.send('GET', `/api/notifications/user/${caller.userId}`)) as { id: number }[];
  await enterBy(page, product, caller.entrance);
  await drillDown(page, ['Factures et paiements', 'Scolarité', 'Inscription universitaire']);
  const titles = {
    '/': 'Bonjour Odette',
    '/summary': 'Récapitulatif de la commande',
    '/tickets': 'Mes Tickets',
    '/notifications': 'Notifications',
    [`/notification/${notice?.id}`]: 'Notification',
    '/settings': 'Paramètres',
    '/content/conditions-utilisation': /^Conditions/,
    '/forgot-password': 'Mot de passe oublié',
    '/nulle-part': /404/,
    '/tickets/1/2': /404/,
  };
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(product.url + path);
    await expect(page.getByRole('heading', { level: 1, name: title }), path).toBeVisible();
    await expect(page, path).toHaveURL(product.url + path);
  }
});

test('P2.3, P3.8, while the session loads: a full-screen spinner with Chargement...; then the stored user is who is signed in, before the server has said so', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Yvette', lastName: 'Lettre', phone: '77000022' });
  // Recorded from the first element on: with a stored user the session is read before a second frame.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const text = document.getElementById('root')?.textContent.trim();
      if (text && seen.at(-1) !== text) seen.push(text);
    }).observe(document, { childList: true, subtree: true });
  });
  const me = await holdBack(page, '**/api/auth/me');
  const { release } = await holdBack(page, '**/assets/user-screens-*.js');
  await page.reload({ waitUntil: 'commit' });
  const spinner = page.getByText('Chargement...');
  await expect(spinner).toBeVisible();
  // The document's spinner is replaced by the app's.
  const height = () =>
    page
      .getByRole('status')
      .filter({ has: spinner })
      .evaluate((element) => element.getBoundingClientRect().height / innerHeight);
  await expect.poll(height).toBeGreaterThan(0.95);
  release();
  await expect(page.getByRole('heading', { name: 'Bonjour Yvette' })).toBeVisible();
  await expect(spinner).toBeHidden();
  await expect.poll(me.held).toBe(1);
  me.release();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  // The document may come in two pieces, with a part of it in the first.
  expect(seen.slice(0, 2).join()).toContain('Chargement...');
});
