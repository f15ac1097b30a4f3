import type { Locator, Page } from '@playwright/test';
import type { PathStep, Ticket } from '#contract/tickets.ts';
import { findViolations } from './accessibility.ts';
import { countRequests } from './answers.ts';
import { type Branch, expect, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { seeAgain, stopClock } from './clock.ts';
import { anyPhone, makeReference } from './incoming.ts';
import { boxOf, enlarge, expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
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
    /\d\d:\d\d\s· Orange Money.*pour\s\+226\s70(?:\s\d\d){3}.*Télévision.*Payez, puis touchez/,
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
  await expect(card(page, rejected).getByText('Montant différent.', { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 740 });
  await enlarge(page);
  await expectNoSidewaysScroll(page);
  await enlarge(page, false);
  await page.setViewportSize(phoneSize);

  // P9.13, by the clock. Nobody is told of a minute that passes.
  await caller.send('POST', `/api/tickets/${waiting}/payment-declaration`, {});
  await seeAgain(page);
  await expect(card(page, waiting)).toContainText("Un administrateur le vérifie depuis moins d'une minute");
  await stopClock(page);
  await page.clock.runFor(5 * 60_000);
  await expect(card(page, waiting)).toContainText('le vérifie depuis 5\u00a0min');
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: 'depuis' })).toHaveCount(0);
  await page.clock.resume();
  await card(page, waiting)
    .getByRole('link', { name: /^Détails/ })
    .click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'le vérifie depuis 5\u00a0min' })).toBeVisible();
  await page.goBack();
});

test('P9.1, more than a few tickets are rows of one height, filtered by status; Back finds the place, the filter and the open row', async ({
  page,
  product,
  branch,
}) => {
  const caller = await callAs(product, { firstName: 'Filtre', lastName: uniqueName('Sow'), phone: anyPhone() });
  const [rejected, waiting, ...approved] = await fileTickets(caller, 14);
  await branch.admin.send('POST', '/api/admin/ticket-decisions', {
    status: 'approved',
    tickets: approved.map((id) => ({ id })),
  });
  await decide(branch, rejected, 'rejected');
  await enterBy(page, product, caller.entrance, '/tickets');
  const cards = page.locator('[id^=ticket-]');
  await expect(cards).toHaveCount(14);
  const amounts = page.getByText(/^5.100\sFCFA$/);
  const edges = await amounts.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
  expect(new Set(edges)).toEqual(new Set([phoneSize.width - 32]));
  // Once the face of amounts is there.
  for (const id of [rejected, approved.at(-1)])
    await expect.poll(async () => (await boxOf(card(page, id).locator('summary'))).height).toBe(64);
  await expect(card(page, rejected)).toContainText('Aucun motif indiqué. Contactez-nous.');

  const filters = page.getByRole('group', { name: 'Statut' }).getByRole('button');
  await expect(filters).toHaveText(['Tous14', 'En attente1', 'Approuvés12', 'Rejetés1']);
  await filters.filter({ hasText: 'En attente' }).click();
  await expect(cards).toHaveCount(1);
  await expect(card(page, waiting)).toBeVisible();
  await filters.filter({ hasText: 'Approuvés' }).click();
  await expect(cards).toHaveCount(12);
  const row = card(page, approved[1]);
  await row.locator('summary').click();
  const details = row.getByRole('link', { name: /^Détails/ });
  await details.evaluate((each) => each.scrollIntoView({ block: 'center' }));
  const place = () => page.evaluate(() => scrollY);
  const before = await place();
  expect(before).toBeGreaterThan(100);
  await details.click();
  await expect(page.getByRole('heading', { name: `Ticket n° ${approved[1]}` })).toBeVisible();
  await page.goBack();
  await expect(details).toBeVisible();
  await expect(cards).toHaveCount(12);
  await expect(filters.filter({ hasText: 'Approuvés' })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(place).toBe(before);
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
      const code = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
      const [{ id: filed = 0 } = {}] = (await caller.send('GET', `/api/tickets/user/${caller.userId}`)) as Ticket[];
      const sheet = page.getByRole('dialog', { name: 'Demande créée avec succès' });
      await expect(sheet).toContainText('Composez le code');
      // On another phone of the person, say.
      await caller.send('POST', `/api/tickets/${filed}/payment-declaration`, {});
      await seeAgain(page);
      await expectDeclared(sheet, code);

      const [id = 0] = await fileTickets(caller, 1);
      await page.goto(`${product.url}/ticket/${id}`);
      const screen = page.getByRole('main');
      await expect(screen).toContainText('Composez le code');
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
  await expect(shown).not.toContainText('Composez le code');
  await expect(shown.getByRole('link', { name: /^Composer/ })).toHaveCount(0);
  const ussd = shown.getByText(code, { exact: true });
  await expect(ussd).toBeHidden();
  await shown.getByText('Afficher le code').click();
  await expect(ussd).toBeVisible();
  await expect(shown).toContainText('ne payez pas une deuxième fois');
  await shown.getByText('Afficher le code').click();
  await expect(ussd).toBeHidden();
}
