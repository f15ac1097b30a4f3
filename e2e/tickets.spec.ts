import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { PathStep, Ticket } from '#contract/tickets.ts';
import { findViolations } from './accessibility.ts';
import { type Branch, expect, test } from './branch.ts';
import { phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { stopClock } from './clock.ts';
import { anyPhone, makeReference } from './incoming.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterBy } from './steps.ts';

const card = (page: Page, id: number | undefined) => page.locator(`#ticket-${id}`);
const decide = ({ admin }: Branch, id: number | undefined, status: string, reason?: string) =>
  admin.send('PATCH', `/api/tickets/${id}/status`, { status, reason });

test('tickets stand under their days; those that wait show their code, decided ones are folded', async ({
  page,
  product,
  branch,
}) => {
  const caller = await callAs(product, { firstName: 'Alizèta', lastName: 'Sana', phone: '78000001' });
  const [waiting, approved, rejected] = await fileTickets(caller, 3);
  await decide(branch, approved, 'approved');
  await decide(branch, rejected, 'rejected', 'Montant différent.');
  await page.clock.install();
  await enterBy(page, product, caller.entrance, '/tickets');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(["Aujourd'hui"]);
  await expect(page.locator('[id^=ticket-]')).toHaveCount(3);
  await expect(card(page, waiting).getByText(/^\*[\d*]*5100#$/)).toBeVisible();
  await expect(card(page, waiting)).toContainText(
    /pour\s\+226\s70(?:\s\d\d){3}.*Télévision.*Orange Money\s·.*\d\d:\d\d.*En attente depuis/,
  );
  await expect(card(page, waiting).getByRole('button', { name: /^J'ai payé/ })).toBeVisible();
  for (const [id, action] of [
    [approved, 'Reçu'],
    [rejected, 'Refaire'],
  ] as const) {
    const folded = card(page, id);
    await expect(folded.getByText('Chemin')).toBeHidden();
    await expect(folded.getByRole('button')).toHaveCount(0);
    await folded.locator('summary').click();
    await expect(folded.getByText('Factures et paiements → Télévision → Bouquet Access')).toBeVisible();
    await expect(folded.getByRole('button', { name: action })).toBeVisible();
    await expect(folded.getByRole('button', { name: /payé|Copier/ })).toHaveCount(0);
  }
  await expect(card(page, rejected).getByText('Motif : Montant différent.')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 740 });
  await enlarge(page);
  await expectNoSidewaysScroll(page);
  await enlarge(page, false);
  await page.setViewportSize(phoneSize);

  // P9.13, by the clock. Nobody is told of a minute that passes.
  await stopClock(page);
  await page.clock.runFor(5 * 60_000);
  await expect(card(page, waiting)).toContainText('En attente depuis 5\u00a0min');
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: 'depuis' })).toHaveCount(0);
  await page.clock.resume();
  await card(page, waiting)
    .getByRole('link', { name: /^Détails/ })
    .click();
  const screen = page.getByRole('paragraph').filter({ hasText: 'En attente depuis' });
  await expect(screen).toHaveText(/^En attente depuis 5\u00a0min/);
  await page.goBack();
});

test("an approved order is made again at today's price", async ({ page, product, branch }) => {
  const service = await branch.add('Encore', { isFinalLevel: true, price: '2 000 FCFA', commissionValue: 100 });
  const caller = await callAs(product, { firstName: 'Eugénie', lastName: 'Zio', phone: '78000006' });
  const servicePath = [branch.root, service].map((each) => ({ id: each.id }) as PathStep);
  const ordered = { serviceId: service.id, servicePath, paymentTypeName: 'Wave', totalPrice: '2100' };
  const { id } = (await caller.send('POST', '/api/tickets', {
    ...ordered,
    beneficiaryPhoneNumber: '71 22 33 44',
  })) as Ticket;
  await decide(branch, id, 'approved');
  await branch.change(service, { price: '2 500 FCFA' });
  await enterBy(page, product, caller.entrance, '/tickets');
  const again = page.getByRole('button', { name: `Refaire le ticket n° ${id}` });
  await card(page, id).locator('summary').click();
  await again.click();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue(/71 ?22 ?33 ?44$/);
  await expect(page.getByTestId('total')).toHaveText(/^2.600\sFCFA$/);
  await expect(page.getByRole('button', { name: 'Confirmer la demande' })).toBeEnabled();
  await page.goBack();
  await branch.change(service, { isVisible: false });
  await card(page, id).locator('summary').click();
  await again.click();
  await expect(page.getByText('Service indisponible')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
});

test("P18.14, a payment is declared from one's own number or another", async ({ page, product, branch }) => {
  const phone = anyPhone();
  const person = await callAs(product, { firstName: 'Declare', lastName: uniqueName('Sana'), phone });
  const [id = 0, other = 0] = await fileTickets(person, 2);
  const expectDeclared = async (ticketId: number, paymentReference: string | null, payerPhone: string | null) =>
    expect(await branch.admin.send('GET', `/api/admin/tickets/${ticketId}`)).toMatchObject({
      paymentReference,
      payerPhone,
    });
  await enterBy(page, product, person.entrance, '/tickets');
  const opener = (ticketId: number) =>
    card(page, ticketId).getByRole('button', { name: `J'ai payé (ticket n° ${ticketId})`, exact: true });
  const dialog = page.getByRole('dialog', { name: "J'ai payé" });
  const reference = dialog.getByRole('textbox', { name: /^Référence de la transaction/ });
  const payer = dialog.getByRole('textbox', { name: /^Payé depuis le numéro/ });
  const send = dialog.getByRole('button', { name: 'Déclarer le paiement', exact: true });

  await opener(id).click();
  await expect(payer).toHaveValue((phone.match(/../g) ?? []).join(' '));
  await expect(dialog).toContainText('Chez Orange Money, elle ressemble à PP240512.1234.A12345.');
  await reference.fill('T_46HS5COOWE');
  await send.click();
  await expectToast(page, 'Paiement déclaré', 'Votre demande reste en attente de vérification.');
  await expect(card(page, id)).toContainText('Réf. T_46HS5COOWE');
  await expect(opener(id)).toHaveCount(0);
  await expectDeclared(id, 'T_46HS5COOWE', `+226${phone}`);

  // A number that is none is told at its field, and declares nothing.
  await opener(other).click();
  await payer.fill('70 11');
  await send.click();
  await expect(payer).toHaveAttribute('aria-invalid', 'true');
  // So does a reference whose own date is before the request, until it is given again.
  const payerNumber = anyPhone();
  await payer.fill(payerNumber);
  await reference.fill('PP240512.1234.A12345');
  await send.click();
  await expect(dialog).toContainText('Cette référence est du 12 mai 2024 à 12 h 34, avant votre demande.');
  await expect(dialog.getByRole('button', { name: "Oui, c'est la bonne", exact: true })).toBeVisible();
  await expectDeclared(other, null, null);
  const own = makeReference();
  await reference.fill(own);
  await send.click();
  await expect(card(page, other)).toContainText(`Réf. ${own}`);
  await expectDeclared(other, own, `+226${payerNumber}`);
});

/** A person with an approved ticket, and the code of its receipt. */
async function approve(product: Product, branch: Branch, phone: string) {
  const caller = await callAs(product, { firstName: 'Rokia', lastName: 'Traoré', phone });
  const [id = 0] = await fileTickets(caller, 1);
  await decide(branch, id, 'approved');
  const { code } = (await caller.send('GET', `/api/tickets/${id}/receipt`)) as { code: string };
  return { caller, id, code };
}

interface Drawn {
  words: string;
  shared?: ShareData;
}

/** Records every text that is drawn on a canvas, and what is shared. */
const watchDrawing = (page: Page) =>
  page.addInitScript(() => {
    const seen: Drawn = { words: '' };
    Object.assign(window, { seen });
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      seen.words += `${text} `;
      draw.call(this, text, ...place);
    };
    Object.defineProperty(navigator, 'canShare', { value: () => true });
    Object.defineProperty(navigator, 'share', {
      value: async (shared: ShareData) => void Object.assign(seen, { shared }),
    });
  });

test('a receipt is shared and saved as an image', async ({ page, product, branch }) => {
  const { caller, id, code } = await approve(product, branch, '77000095');
  await watchDrawing(page);
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  await page.getByRole('button', { name: /^Reçu/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Reçu du ticket n° ${id}` });
  const address = await dialog.getByRole('link').getAttribute('href');
  expect(address).toBe(`${product.url}/recu/${code}`);
  await page.getByRole('button', { name: 'Partager' }).press('Enter');
  const read = () =>
    page.evaluate(() => {
      const { words, shared } = (window as unknown as { seen: Drawn }).seen;
      const [file] = shared?.files ?? [];
      return { words, text: shared?.text, name: file?.name, type: file?.type };
    });
  await expect.poll(read).toMatchObject({ name: `recu-${id}.png`, type: 'image/png' });
  const { words, text } = await read();
  expect(text).toContain(`\nÀ vérifier\u00a0: ${address}`);
  for (const part of [
    'Guichet',
    `Reçu du ticket n° ${id}`,
    'Bouquet Access',
    'Orange Money',
    'Approuvé',
    /5.100\sFCFA/,
  ])
    expect(words.replaceAll('\u00a0', ' ')).toMatch(part);
  expect(words.replaceAll(' ', '')).toContain(address);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger' }).press('Enter'),
  ]);
  await expectToast(page, 'Image téléchargée', `recu-${id}.png`);
  const saved = readFileSync(await download.path());
  expect([saved.toString('latin1', 1, 4), saved.readUInt32BE(16)]).toEqual(['PNG', 1080]);
});

test('an address of a receipt shows anyone whether it is authentic', async ({ page, product, branch, provoke }) => {
  provoke('404 /api/receipts/', '400 /api/receipts/');
  const { id, code } = await approve(product, branch, '77000097');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const answer = await page.goto(`${product.url}/recu/${code.toLowerCase()}`);
  expect(answer?.status()).toBe(200);
  expect(answer?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  await expect(heading('Reçu authentique')).toBeVisible();
  const main = page.getByRole('main');
  for (const text of [`n° ${id}`, 'Bouquet Access', 'Orange Money', 'Approuvé', /\+226 XX XX XX \d\d/, /5.100\sFCFA/])
    await expect(main).toContainText(text);
  await expect(main).not.toContainText('Rokia');
  await expect(page.getByRole('navigation')).toHaveCount(0);

  const last = code.endsWith('7') ? '8' : '7';
  for (const wrong of [code.slice(0, -1) + last, '%00']) {
    await page.goto(`${product.url}/recu/${wrong}`);
    await expect(heading('Reçu introuvable')).toBeVisible();
    await expect(main).toContainText("ce reçu n'est pas authentique");
  }
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);

  await decide(branch, id, 'rejected');
  await page.goto(`${product.url}/recu/${code}`);
  await expect(heading('Reçu annulé')).toBeVisible();
  await expect(main).toContainText(/la demande n'est plus approuvée\s: il ne vaut plus/);
  expect(await findViolations(page)).toEqual([]);
});
