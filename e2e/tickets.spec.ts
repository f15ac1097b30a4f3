import type { Page } from '@playwright/test';
import type { OwnTicketDetail, PathStep, Ticket } from '#contract/tickets.ts';
import { type Branch, expect, test } from './branch.ts';
import { landscapeSize } from './browser.ts';
import { type Caller, callAs, fileTickets } from './caller.ts';
import { boxOf } from './layout.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterAsAdministrator, enterAsGuest, enterBy, loseOneAnswer } from './steps.ts';

/** A signed-in person on the tickets screen, and their API client. */
async function openTickets(page: Page, product: Product, person: Person, file: (caller: Caller) => Promise<unknown>) {
  const caller = await callAs(product, person);
  await file(caller);
  await enterBy(page, product, caller.entrance, '/tickets');
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
  return caller;
}

const card = (page: Page, id: number | undefined) => page.locator(`#ticket-${id}`);
const decide = ({ admin }: Branch, id: number | undefined, status: string, reason?: string) =>
  admin.send('PATCH', `/api/tickets/${id}/status`, { status, reason });
const read = async (caller: Caller, id: number | undefined) =>
  (await caller.send('GET', `/api/tickets/${id}`)) as OwnTicketDetail;

test('tickets stand under their days; those that wait show their code, the decided ones are folded', {
  tag: '@sizes',
}, async ({ page, product, branch }) => {
  const person = { firstName: 'Alizèta', lastName: 'Sana', phone: '78000001' };
  let [waiting, approved, rejected]: (number | undefined)[] = [];
  await page.clock.install();
  await openTickets(page, product, person, async (caller) => {
    [waiting, approved, rejected] = await fileTickets(caller, 3);
    await decide(branch, approved, 'approved');
    await decide(branch, rejected, 'rejected', 'Montant différent.');
    await caller.end();
  });
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(["Aujourd'hui"]);
  await expect(page.locator('[id^=ticket-]')).toHaveCount(3);
  await expect(card(page, waiting).getByText(/^\*[\d*]*5100#$/)).toBeVisible();
  await expect(card(page, waiting)).toContainText(
    /Pour\s\+226\s70(?:\s\d\d){3}.*Télévision.*Wave\s·.*\d\d:\d\d.*En attente depuis/,
  );
  await expect(card(page, waiting).getByRole('button', { name: /^J'ai payé/ })).toBeVisible();

  for (const [id, action] of [
    [approved, 'Reçu'],
    [rejected, 'Recommencer'],
  ] as const) {
    const folded = card(page, id);
    await expect(folded.getByText('Chemin')).toBeHidden();
    await expect(folded.getByRole('button', { name: /^Recommencer/ })).toBeVisible();
    await folded.locator('summary').click();
    await expect(folded.getByText('Factures et paiements → Télévision → Bouquet Access')).toBeVisible();
    await expect(folded.getByText('Wave')).toBeVisible();
    await expect(folded.getByRole('button', { name: action })).toBeVisible();
    const details = await boxOf(folded.getByRole('link', { name: /^Détails/ }));
    expect(details.y).toBe((await boxOf(folded.getByRole('button', { name: /^Recommencer/ }))).y);
    await expect(folded.getByRole('button', { name: /payé|Copier/ })).toHaveCount(0);
  }
  // What waits and what is decided has its status and total at one edge.
  const ends = await page.getByText(/^(?:5.100\sFCFA|En attente|Approuvé|Rejeté)$/).all();
  expect(ends).toHaveLength(6);
  expect(new Set(await Promise.all(ends.map(async (each) => Math.round((await boxOf(each)).right)))).size).toBe(1);
  await expect(card(page, rejected).getByText('Motif : Montant différent.')).toBeVisible();
  await expect(card(page, approved).getByRole('button', { name: /^Recommencer/ })).toBeVisible();
  await expect(card(page, rejected).getByRole('button', { name: /^Reçu/ })).toHaveCount(0);

  // Days pass without news from a poll.
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 86_400_000);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Hier']);
  await page.clock.pauseAt(now + 5 * 86_400_000);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^\w+di \d|^dimanche \d|\d{4}$/]);
});

test('a payment whose declaration lost its answer is declared again, and once; the ticket waits on', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Bibata', lastName: 'Yago', phone: '78000002' };
  let id: number | undefined;
  const caller = await openTickets(page, product, person, async (each) => {
    [id] = await fileTickets(each, 1);
  });
  await card(page, id)
    .getByRole('button', { name: /^J'ai payé/ })
    .click();
  const dialog = page.getByRole('dialog', { name: "J'ai payé" });
  const reference = dialog.getByLabel('Référence de la transaction (facultatif)');
  const send = dialog.getByRole('button', { name: 'Déclarer le paiement' });
  await reference.fill('Reçu 12 !');
  await send.click();
  await expect(reference).toBeFocused();
  await expect(dialog.getByText(/^La référence a des lettres/)).toBeVisible();

  await reference.fill('mpa40512.1234.b77001');
  await loseOneAnswer(page, `**/api/tickets/${id}/payment-declaration`);
  await send.click();
  await expect(page.getByText('Pas de réponse du réseau.')).toBeVisible();
  await expect(reference).toHaveValue('mpa40512.1234.b77001');
  const first = await read(caller, id);
  expect(first).toMatchObject({ status: 'pending', paymentReference: 'MPA40512.1234.B77001' });

  await send.click();
  await expect(dialog).toBeHidden();
  await expect(card(page, id)).toContainText('Paiement déclaré');
  await expect(card(page, id)).toContainText('Réf. MPA40512.1234.B77001');
  await expect(card(page, id)).toContainText('En attente');
  await expect(card(page, id).getByRole('button', { name: /^J'ai payé/ })).toHaveCount(0);
  expect(await read(caller, id)).toEqual(first);

  await page.getByRole('link', { name: `Détails du ticket n° ${id}` }).click();
  await expect(page.getByText(/^Pour \+226/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    /^Demande créée/,
    /^Paiement déclaré.*MPA40512\.1234\.B77001$/,
    /^Vérification par un administrateur/,
  ]);
  await page.getByRole('button', { name: /^Modifier la référence/ }).click();
  await expect(reference).toHaveValue('MPA40512.1234.B77001');
  await reference.fill('MPA40512.1234.B77002');
  await send.click();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'B77002' })).toBeVisible();
  expect((await read(caller, id)).paymentDeclaredAt).toBe(first.paymentDeclaredAt);

  const steps = page.getByRole('main').getByRole('listitem');
  await decide(branch, id, 'rejected', 'Paiement introuvable.');
  await expect(steps.last()).toHaveText(/^Demande rejetée.*\d\d:\d\d$/);
  // Its reason stands once, above its only action; an earlier one stays in the history.
  await expect(page.getByText('Motif : Paiement introuvable.')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Recommencer/ })).toHaveCSS('background-color', 'rgb(11, 107, 58)');
  await decide(branch, id, 'approved');
  await expect(steps.last()).toHaveText(/^Demande approuvée/);
  await expect(steps.nth(-2)).toHaveText(/^Demande rejetée.*Motif : Paiement introuvable\.$/);
  await decide(branch, id, 'rejected');
  await expect(page.getByRole('button', { name: /référence/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(card(page, id)).toContainText('Rejeté');
  await caller.end();
});

test('administrators see which payments were declared, by which reference, and that it was used before', async ({
  page,
  product,
}) => {
  const [first, second] = await Promise.all(
    ['78000004', '78000005'].map(async (phone) => {
      const caller = await callAs(product, { firstName: 'Drissa', lastName: 'Ky', phone });
      const [id] = await fileTickets(caller, 1);
      return { caller, id };
    }),
  );
  const declare = (each: typeof first, reference: string) =>
    each?.caller.send('POST', `/api/tickets/${each.id}/payment-declaration`, { reference });
  await declare(first, 'CI 2405/77-b');
  await enterAsAdministrator(page, product, `/admin/tickets?recherche=${first?.id}`);
  const opener = page.getByRole('button', { name: `Ouvrir le ticket n° ${first?.id}`, exact: true });
  // A search for a number also finds numbers that contain it.
  const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ has: opener });
  await expect(row).toContainText('Paiement déclaré');
  await expect(row).not.toContainText('Référence déjà utilisée');
  await declare(second, 'ci2405/77-B');
  await expect(row).toContainText('Référence déjà utilisée');
  await opener.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Référence déjà utilisée (1 autre ticket)')).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Paiement déclaré' })).toContainText('CI2405/77-B');
  await dialog.getByRole('button', { name: 'Approuver' }).click();
  await expect(dialog.getByText('Approuvé', { exact: true }).first()).toBeVisible();
  for (const each of [first, second]) await each?.caller.end();
});

test("an approved order is made again at today's price; where its service is gone, one is told", async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Encore', { isFinalLevel: true, price: '2 000 FCFA', commissionValue: 100 });
  const person = { firstName: 'Eugénie', lastName: 'Zio', phone: '78000006' };
  let id: number | undefined;
  await openTickets(page, product, person, async (caller) => {
    const servicePath = [branch.root, service].map((each) => ({ id: each.id }) as PathStep);
    const ordered = { serviceId: service.id, servicePath, paymentTypeName: 'Wave', totalPrice: '2100' };
    const filed = await caller.send('POST', '/api/tickets', { ...ordered, beneficiaryPhoneNumber: '71 22 33 44' });
    id = (filed as Ticket).id;
    await decide(branch, id, 'approved');
    await caller.end();
  });
  await branch.change(service, { ...service, price: '2 500 FCFA' });
  const again = page.getByRole('button', { name: `Recommencer le ticket n° ${id}` });
  await again.click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue(/71 ?22 ?33 ?44$/);
  await expect(page.getByTestId('total')).toHaveText(/^2.600\sFCFA$/);
  await expect(page.getByRole('button', { name: 'Confirmer la demande' })).toBeEnabled();
  await page.goBack();
  await branch.change(service, { ...service, isVisible: false });
  await again.click();
  await expect(page.getByText('Service indisponible')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
});

test('a receipt is handed to the phone to share, copied where it cannot, and printed alone', {
  tag: '@sizes',
}, async ({ page, product, branch }) => {
  const person = { firstName: 'Fousséni', lastName: 'Aw', phone: '78000007' };
  let id: number | undefined;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'share', { configurable: true, value: undefined });
    Reflect.deleteProperty(Navigator.prototype, 'share');
    window.print = () => void document.body.setAttribute('data-printed', '');
  });
  await openTickets(page, product, person, async (caller) => {
    [id] = await fileTickets(caller, 1);
    await caller.send('POST', `/api/tickets/${id}/payment-declaration`, { reference: 'r 1' });
    await decide(branch, id, 'approved');
    await caller.end();
  });
  // A phone in landscape, lower than the receipt: reading starts at its title.
  await page.setViewportSize(landscapeSize);
  await card(page, id).getByRole('button', { name: /^Reçu/ }).click();
  const dialog = page.getByRole('dialog', { name: `Reçu du ticket n° ${id}` });
  await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 });
  for (const text of ['Bouquet Access', 'R1', 'Approuvé', /5.000\sFCFA/, /100\sFCFA/, /5.100\sFCFA/])
    await expect(dialog).toContainText(text);

  const share = dialog.getByRole('button', { name: 'Partager' });
  await share.click();
  await expect(page.getByText('Reçu copié')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(
    new RegExp(
      `^Guichet · Reçu du ticket n° ${id}\\n.*Bouquet Access\\n.*Référence : R1\\n.*Total : 5.100\\sFCFA\\nÀ vérifier : ${product.url}/recu/${id}-\\w{12}$`,
      's',
    ),
  );
  await page.evaluate(() => {
    const shared = async (data?: ShareData) => document.body.setAttribute('data-shared', data?.text ?? '');
    Object.defineProperty(navigator, 'share', { configurable: true, value: shared });
  });
  await share.click();
  await expect(page.locator('body')).toHaveAttribute('data-shared', copied);

  await dialog.getByRole('button', { name: 'Imprimer' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', '');
  const receipt = page.locator('.receipt');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(receipt).toHaveCSS('color', 'rgb(241, 237, 230)');
  // Paper is light in any theme.
  await page.emulateMedia({ media: 'print' });
  await expect(receipt).toHaveCSS('color', 'rgb(30, 41, 59)');
  for (const printed of ['Bouquet Access', `/recu/${id}-`]) await expect(receipt.getByText(printed)).toBeVisible();
  for (const hidden of [share, page.getByRole('heading', { name: 'Mes Tickets' })]) await expect(hidden).toBeHidden();
});

test('a ticket of somebody else, one that is none, and any to a guest are not found', async ({
  page,
  product,
  provoke,
}) => {
  const stranger = await callAs(product, { firstName: 'Guy', lastName: 'Somé', phone: '78000008' });
  const [id] = await fileTickets(stranger, 1);
  await stranger.end();
  provoke('404 /api/tickets/');
  await enterAsGuest(page, product);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Créer un compte' })).toBeVisible();
  await page.goto(`${product.url}/ticket/${id}`);
  await expect(page.getByText('Ticket introuvable')).toBeVisible();
  const own = await callAs(product, { firstName: 'Hawa', lastName: 'Ba', phone: '78000009' });
  await own.end();
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();
  await enterBy(page, product, own.entrance);
  for (const wrong of [id, 2_000_000_000, 'abc']) {
    await page.goto(`${product.url}/ticket/${wrong}`);
    await expect(page.getByText('Ticket introuvable')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Retour aux tickets' }).click();
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
});

for (const [name, width, percent] of [
  ['on 320 px', 320, 100],
  ['with text twice as large', 360, 200],
] as const)
  test(`${name} nothing of the tickets is cut off sideways`, async ({ page, product, branch }) => {
    await page.setViewportSize({ width, height: 640 });
    const phone = `7810${width}0`;
    const caller = await callAs(product, { firstName: 'Inoussa', lastName: 'Dao', phone });
    const [approved, rejected] = await fileTickets(caller, 3);
    await decide(branch, approved, 'approved');
    await decide(branch, rejected, 'rejected', 'Le numéro du bénéficiaire ne répond pas.');
    await caller.end();
    await enterBy(page, product, caller.entrance);
    await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
    await confirmOrder(page, { beneficiary: '+225 07 01 23 45 67', amount: '25 000', total: /^25.500\sFCFA$/ });
    await page.getByRole('button', { name: 'Fermer', exact: true }).click();
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), percent);
    const fits = async (what: string) => {
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('main *, dialog *')]
          .filter((element) => {
            const box = (element.closest('dialog') ?? document.documentElement).getBoundingClientRect();
            return element.getBoundingClientRect().right > Math.min(innerWidth, box.right) + 1;
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      expect(cut, what).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), what).toBeLessThanOrEqual(0);
    };
    await expect(page.locator('[id^=ticket-]')).toHaveCount(4);
    for (const folded of await page.locator('summary').all()) await folded.click();
    await fits('the list');
    await page.getByRole('button', { name: /^Reçu/ }).click();
    await fits('a receipt');
    await page.getByRole('button', { name: 'Fermer', exact: true }).click();
    await page
      .getByRole('link', { name: /^Détails/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Historique' })).toBeVisible();
    const { x, height } = await boxOf(page.getByRole('button', { name: 'Ce code ne marche pas' }));
    await page.getByRole('button', { name: /^J'ai payé/ }).click();
    await page.getByLabel(/^Référence/).fill('PPA40512.1234.A12345.PPA40512.1234.A1234');
    await fits('a declaration');
    await page.getByRole('button', { name: 'Déclarer le paiement' }).click();
    await expect(page.getByRole('button', { name: /^Modifier la référence/ })).toBeVisible();
    await fits('a ticket');
    expect(await boxOf(page.getByRole('button', { name: 'Ce code ne marche pas' }))).toMatchObject({ x, height });
  });
