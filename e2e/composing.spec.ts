import type { Page } from '@playwright/test';
import type { AdminTicket } from '#contract/tickets.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAsAdministrator, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, enter, openAccount, rowOf, viewAddress } from './incoming.ts';
import { choosePayment, drillDown, enterAs, enterAsAdministrator, fillSignUp } from './steps.ts';

/** Types into the focused field as keyboards do that compose: each digit by itself, or all of them before they commit. */
async function compose(page: Page, text: string, whole = false): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const show = (part: string) =>
    devtools.send('Input.imeSetComposition', { text: part, selectionStart: part.length, selectionEnd: part.length });
  for (const [place, digit] of [...text].entries()) {
    await show(whole ? text.slice(0, place + 1) : digit);
    if (!whole) await devtools.send('Input.insertText', { text: digit });
  }
  if (whole) await devtools.send('Input.insertText', { text });
  await devtools.detach();
}

const spaced = (phone: string) => (phone.match(/../g) ?? []).join(' ');

for (const viewport of [phoneSize, desktopSize]) {
  test.describe(`${viewport.width} pixels wide, a keyboard that composes`, () => {
    test.use({ viewport });

    test('writes an order as it was typed: amount, number, ticket and code', async ({ page, product }) => {
      await enterAs(page, product, { firstName: 'Compose', lastName: uniqueName('Sana'), phone: anyPhone() });
      const admin = await callAsAdministrator(product);
      const amount = page.getByLabel('Entrer la somme');
      const beneficiary = page.getByLabel('Numéro du bénéficiaire');
      for (const whole of [false, true]) {
        const number = anyPhone();
        await page.goto(product.url);
        await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
        await beneficiary.focus();
        await compose(page, number, whole);
        await expect(beneficiary).toHaveValue(spaced(number));
        await amount.focus();
        await compose(page, '1500', whole);
        await expect(amount).toHaveValue('1 500');
        await choosePayment(page, 'Orange Money');
        await expect(page.getByTestId('total')).toHaveText(/^1.600\sFCFA$/);
        await page.getByRole('button', { name: 'Confirmer la demande' }).click();
        await expect(page.getByRole('dialog').locator('.font-mono')).toHaveText(/^\*144\*[\d*]*\*1600#$/);
        const [ticket] = (await admin.send('GET', `/api/admin/tickets?search=${number}`)) as AdminTicket[];
        expect(ticket).toMatchObject({ totalPrice: '1600', beneficiaryPhoneNumber: `+226${number}` });
      }
      await page.getByRole('button', { name: 'Fermer', exact: true }).click();
      const payer = anyPhone();
      await page
        .getByRole('button', { name: /^J'ai payé/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Changer le numéro du paiement' }).click();
      const field = page.getByRole('textbox', { name: /^Payé depuis le numéro/ });
      await field.fill('');
      await compose(page, payer);
      await expect(field).toHaveValue(spaced(payer));
    });

    test('signs up: the number, then the digits of the code', async ({ page, product }) => {
      const phone = anyPhone();
      await page.goto(product.url);
      await page.getByRole('tab', { name: 'Inscription' }).click();
      const field = page.getByLabel('Téléphone', { exact: true });
      await field.focus();
      await compose(page, phone);
      await expect(field).toHaveValue(spaced(phone));
      await fillSignUp(page, { firstName: 'Samsung', lastName: 'Sow', phone });
      const code = await product.readCode(`+226${phone}`);
      await expect(page.getByLabel('Chiffre 1')).toBeFocused();
      await compose(page, code.slice(0, 3));
      for (const place of [0, 1, 2])
        await expect(page.getByLabel(`Chiffre ${place + 1}`)).toHaveValue(code[place] ?? '');
      await compose(page, code.slice(3));
      await expect(page.getByRole('heading', { name: 'Bonjour Samsung' })).toBeVisible();
    });

    test("writes the panel's amounts", async ({ page, product }) => {
      const { forward } = await openAccount(product);
      // Without a digit, which would be proposed.
      const words = uniqueName('Colis').replaceAll(/\d/g, '');
      await forward(`${words} arrive au depot.`);
      await enterAsAdministrator(page, product, viewAddress('non-lus'));
      await enter(rowOf(page, 'Messages non lus', words), /^C'est un paiement/);
      const amount = page.getByRole('textbox', { name: 'Montant payé (FCFA)' });
      await amount.focus();
      await compose(page, '1500');
      await expect(amount).toHaveValue('1 500');
    });
  });
}
