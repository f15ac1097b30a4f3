import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { PathStep, Ticket } from '#contract/tickets.ts';
import { findViolations } from './accessibility.ts';
import { countRequests } from './answers.ts';
import { type Branch, expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { seeAgain, stopClock } from './clock.ts';
import { anyPhone, makeReference } from './incoming.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterBy, toBundle } from './steps.ts';

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
  const reference = dialog.getByRole('textbox', { name: /^Collez le SMS ou la référence/ });
  const payer = dialog.getByRole('textbox', { name: /^Payé depuis le numéro/ });
  const changePayer = dialog.getByRole('button', { name: 'Changer le numéro du paiement' });
  const send = dialog.getByRole('button', { name: 'Déclarer le paiement', exact: true });

  await opener(id).click();
  await changePayer.click();
  await expect(payer).toBeFocused();
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
  await changePayer.click();
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

for (const [device, viewport] of Object.entries({ phone: phoneSize, desk: desktopSize }))
  test.describe(`on a ${device}`, () => {
    test.use({ viewport, hasTouch: device === 'phone' });

    test('P9.17, the SMS is pasted whole, what is read is shown, and the reference alone is sent', async ({
      page,
      product,
    }) => {
      const phone = anyPhone();
      const person = await callAs(product, { firstName: 'Colle', lastName: uniqueName('Sana'), phone });
      const [id = 0, other = 0] = await fileTickets(person, 2);
      await enterBy(page, product, person.entrance, '/tickets');
      const dialog = page.getByRole('dialog', { name: "J'ai payé" });
      const field = dialog.getByRole('textbox', { name: /^Collez le SMS ou la référence/ });
      const send = dialog.getByRole('button', { name: 'Déclarer le paiement', exact: true });
      const declared = countRequests(page, 'POST', /payment-declaration$/);
      await card(page, id)
        .getByRole('button', { name: /^J'ai payé/ })
        .click();
      // No keyboard of a phone covers the dialog before one asks for it.
      await expect(dialog.getByRole('heading', { name: "J'ai payé" })).toBeFocused();
      expect(await findViolations(page)).toEqual([]);

      await field.fill('Vous avez recu un depot de 5001 FCFA de 0700000015');
      const problem = 'Aucune référence dans ce texte. Copiez le numéro de transaction, ou laissez vide.';
      await expect(field).toHaveAccessibleDescription(problem);
      await send.click();
      await expect(field).toBeFocused();
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      expect(declared.count()).toBe(0);

      const reference = makeReference();
      await field.fill(`Transfert de 1256250 FCFA reussi.\nID: ${reference}. Nouveau solde 12 000 FCFA`);
      await expect(field).not.toHaveAttribute('aria-invalid');
      const read = dialog.getByRole('status').filter({ hasText: 'Référence lue' });
      await expect(read).toContainText(`Référence lue : ${reference}`);
      await expect(read).toContainText(/Le SMS dit 1.256.250.F, la demande 5.100.F/);
      await field.fill(`Vous avez envoyé 5 100 FCFA. Trans ID: ${reference}. Solde: 99 FCFA`);
      await expect(read).toContainText(/Montant\s: 5.100\sFCFA/);
      await expect(read).not.toContainText('Le SMS dit');
      expect(await findViolations(page)).toEqual([]);
      const sending = page.waitForRequest(/payment-declaration$/);
      await send.click();
      expect((await sending).postDataJSON()).toEqual({ reference, payerPhone: `+226${phone}` });
      await expect(card(page, id)).toContainText(`Réf. ${reference}`);

      await card(page, other)
        .getByRole('button', { name: /^J'ai payé/ })
        .click();
      await dialog.getByRole('button', { name: "Je n'ai pas la référence" }).click();
      await expect(card(page, other)).toContainText(/Paiement déclaré à\s\d\d:\d\d/);
    });

    test('P9.16, once a payment is declared no screen asks for it again, and nothing looks otherwise after a reload', async ({
      page,
      product,
    }) => {
      const caller = await callAs(product, { firstName: 'Payé', lastName: uniqueName('Sana'), phone: anyPhone() });
      await enterBy(page, product, caller.entrance);
      await drillDown(page, toBundle);
      const code = await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
      const [{ id: filed = 0 } = {}] = (await caller.send('GET', `/api/tickets/user/${caller.userId}`)) as Ticket[];
      const sheet = page.getByRole('dialog', { name: 'Demande créée avec succès' });
      await expect(sheet).toContainText('Composez ce code');
      // On another phone of the person, say.
      await caller.send('POST', `/api/tickets/${filed}/payment-declaration`, {});
      await seeAgain(page);
      await expectDeclared(sheet, code);

      const [id = 0] = await fileTickets(caller, 1);
      await page.goto(`${product.url}/ticket/${id}`);
      const screen = page.getByRole('main');
      await expect(screen).toContainText('Composez ce code');
      const ussd = (await screen.locator('.font-mono').textContent()) ?? '';
      await screen.getByRole('button', { name: /^J'ai payé/ }).click();
      await page.getByRole('button', { name: "Je n'ai pas la référence" }).click();
      await expectDeclared(screen, ussd);
      const look = async () => (await page.locator('main .ticket').boundingBox())?.height;
      const height = await look();
      await page.reload();
      await expect(screen).toContainText('Paiement déclaré');
      // Late fonts move a line by a pixel.
      expect(Math.abs(((await look()) ?? 0) - (height ?? 0))).toBeLessThan(2);
      await expectDeclared(screen, ussd);
      expect(await findViolations(page)).toEqual([]);
      await expectNoSidewaysScroll(page);

      await page.goto(`${product.url}/tickets`);
      for (const each of [filed, id]) await expectDeclared(card(page, each), each === id ? ussd : code);
      await page.goto(product.url);
      await expect(page.getByRole('link', { name: /^2\spaiements déclarés/ })).toBeVisible();
      await expect(screen.locator('.font-mono')).toHaveCount(0);
    });
  });

/** Checks that a declared ticket's code is folded, and that what unfolds it warns of a second payment. */
async function expectDeclared(shown: Locator, code: string): Promise<void> {
  await expect(shown).toContainText(/Paiement déclaré à\s\d\d:\d\d/);
  await expect(shown).toContainText('Un administrateur le vérifie');
  await expect(shown).not.toContainText('Composez ce code');
  await expect(shown.getByRole('link', { name: /^Composer/ })).toHaveCount(0);
  const ussd = shown.getByText(code, { exact: true });
  await expect(ussd).toBeHidden();
  await shown.getByText('Voir le code').click();
  await expect(ussd).toBeVisible();
  await expect(shown).toContainText('ne payez pas une deuxième fois');
  await shown.getByText('Voir le code').click();
  await expect(ussd).toBeHidden();
}

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
