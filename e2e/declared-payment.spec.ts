import { findViolations } from './accessibility.ts';
import { callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, makeReference } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterBy } from './steps.ts';

test("P18.14, a payment is declared from one's own number or another, with the form of the wallet's reference", async ({
  page,
  product,
}) => {
  const phone = anyPhone();
  const person = await callAs(product, { firstName: 'Declare', lastName: uniqueName('Sana'), phone });
  const [id = 0, other = 0] = await fileTickets(person, 2);
  const admin = await callAsAdministrator(product);
  const declared = async (ticketId: number) => {
    const { paymentReference, payerPhone } = (await admin.send('GET', `/api/admin/tickets/${ticketId}`)) as {
      paymentReference: string | null;
      payerPhone: string | null;
    };
    return { paymentReference, payerPhone };
  };
  await enterBy(page, product, person.entrance, '/tickets');
  const card = (ticketId: number) => page.locator(`#ticket-${ticketId}`);
  const opener = (ticketId: number) =>
    card(ticketId).getByRole('button', { name: `J'ai payé (ticket n° ${ticketId})`, exact: true });
  const dialog = page.getByRole('dialog', { name: "J'ai payé" });
  const reference = dialog.getByRole('textbox', { name: /^Référence de la transaction/ });
  const payer = dialog.getByRole('textbox', { name: /^Payé depuis le numéro/ });
  const send = dialog.getByRole('button', { name: 'Déclarer le paiement', exact: true });

  await opener(id).click();
  await expect(payer).toHaveValue((phone.match(/../g) ?? []).join(' '));
  await expect(dialog).toContainText('Chez Wave, elle ressemble à T_46HS5COOWE.');
  expect(await findViolations(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await reference.fill('T_46HS5COOWE');
  await send.click();
  await expectToast(page, 'Paiement déclaré', 'Votre demande reste en attente de vérification.');
  await expect(card(id)).toContainText('Paiement déclaré');
  await expect(card(id)).toContainText('Réf. T_46HS5COOWE');
  await expect(opener(id)).toHaveCount(0);
  expect(await declared(id)).toEqual({ paymentReference: 'T_46HS5COOWE', payerPhone: `+226${phone}` });

  // A number that is none is told at its field, and declares nothing.
  await opener(other).click();
  await payer.fill('70 11');
  await send.click();
  await expect(payer).toHaveAttribute('aria-invalid', 'true');
  expect(await declared(other)).toEqual({ paymentReference: null, payerPhone: null });
  const payerNumber = anyPhone();
  await payer.fill(payerNumber);
  const own = makeReference();
  await reference.fill(own);
  await send.click();
  await expect(card(other)).toContainText(`Réf. ${own}`);
  expect(await declared(other)).toEqual({ paymentReference: own, payerPhone: `+226${payerNumber}` });
  await page.reload();
  await expect(card(other)).toContainText(`Réf. ${own}`);
  await admin.end();
  await person.end();
});
