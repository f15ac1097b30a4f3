import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { phoneSize } from './browser.ts';
import { approveWaiting, callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, expectFocusKept, makeReference, openAccount, sizes, sms, viewAddress, viewOf } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

/** On a phone a view is judged in both themes. */
async function expectLegible(page: Page, size: { width: number }): Promise<void> {
  for (const colorScheme of size === phoneSize ? (['dark', 'light'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
}

for (const [where, size] of sizes) {
  test(`P18.8, P18.10, on ${where} pasted SMS are read, then kept; of one that nobody can read a payment is made, by keyboard`, async ({
    page,
    product,
  }) => {
    const { admin, accountId, label } = await openAccount(product);
    const found = async (reference: string) =>
      (await admin.send('GET', `/api/admin/payments?q=${reference}`)) as { gross: number; inputs: string[] }[];
    const unread = async () => ((await admin.send('GET', '/api/admin/payments/count')) as { unread: number }).unread;
    const before = await unread();
    const reference = makeReference();
    const readable = sms({ gross: '444.00', payer: anyPhone(), balance: '444.00', reference });
    const [parcel, visit] = [uniqueName('Colis arrive'), uniqueName('Visite demain')];
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('non-lus'));
    const opener = page.getByRole('button', { name: 'Coller un SMS', exact: true });
    await opener.press('Enter');
    const paste = page.getByRole('dialog', { name: 'Coller un SMS' });
    const read = paste.getByRole('button', { name: 'Lire', exact: true });
    const keep = paste.getByRole('button', { name: 'Garder', exact: true });
    const text = paste.getByRole('textbox', { name: 'Un ou plusieurs SMS' });
    await read.press('Enter');
    await expect(paste).toContainText('Collez un message.');
    await expect(text).toBeFocused();
    await text.fill([readable, parcel, visit].join('\n\n'));
    await expect(keep).toHaveCount(0);
    await read.press('Enter');
    await expect(paste.getByRole('status')).toHaveText('3 message(s) lu(s)');
    const items = paste.getByRole('list', { name: 'Messages lus' }).getByRole('listitem');
    await expect(items).toHaveText([/^Paiement.*444.FCFA/, /^Non lu/, /^Non lu/]);
    await expect(items.first()).toContainText(reference);
    expect(await findViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    // Reading keeps nothing, and without its account nothing can be kept.
    expect(await found(reference)).toEqual([]);
    expect(await unread()).toBe(before);
    await paste.getByRole('combobox', { name: 'Compte' }).selectOption('');
    await read.press('Enter');
    await keep.press('Enter');
    await expect(paste).toContainText('Choisissez le compte qui a reçu ces SMS.');
    await expect(paste.getByRole('combobox', { name: 'Compte' })).toBeFocused();
    expect(await unread()).toBe(before);
    await paste.getByRole('combobox', { name: 'Compte' }).selectOption(String(accountId));
    await expect(keep).toHaveCount(0);
    await read.press('Enter');
    await keep.press('Enter');
    await expectToast(page, 'SMS gardés', '1 paiement(s), 0 déjà connu(s), 0 ignoré(s), 2 non lu(s).');
    await expect(paste).toHaveCount(0);
    await expect(opener).toBeFocused();
    expect(await found(reference)).toMatchObject([{ gross: 444, inputs: ['paste'] }]);

    const list = page.getByRole('list', { name: 'Messages non lus' });
    const message = (words: string) => list.getByRole('listitem').filter({ hasText: words });
    await expect(message(parcel)).toContainText(label);
    await expectLegible(page, size);
    await message(parcel)
      .getByRole('button', { name: /^C'est un paiement \(message n° \d+\)$/ })
      .press('Enter');
    const record = page.getByRole('dialog', { name: "C'est un paiement" });
    await expect(record).toContainText(parcel);
    await expect(record.getByRole('combobox', { name: 'Compte' })).toHaveValue(String(accountId));
    const amount = record.getByRole('textbox', { name: 'Montant payé (FCFA)' });
    const note = record.getByRole('button', { name: 'Noter le paiement', exact: true });
    await note.press('Enter');
    await expect(record).toContainText('Saisissez un montant en francs entiers.');
    await expect(amount).toBeFocused();
    const own = makeReference();
    await amount.fill('2750');
    await record.getByRole('textbox', { name: /^Référence/ }).fill(own);
    await page.keyboard.press('Enter');
    await expect(record).toHaveCount(0);
    await expectToast(page, 'Paiement noté', /2.750.FCFA/);
    await expect(message(parcel)).toHaveCount(0);
    await expectFocusKept(page);
    expect(await found(own)).toMatchObject([{ gross: 2750, inputs: ['person'] }]);

    await message(visit)
      .getByRole('button', { name: /^Ce n'est pas un paiement \(message n° \d+\)$/ })
      .press('Enter');
    await expectToast(page, 'Message ignoré');
    await expect(message(visit)).toHaveCount(0);
    await expectFocusKept(page);
    expect(await unread()).toBe(before);
    await admin.end();
  });

  test(`P18.10, P18.11, on ${where} a payment without a request is related to a ticket, taken from it again, and ignored, by keyboard`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('404 /api/admin/payments/lines', '409 /api/admin/payments/lines');
    const { admin, forward } = await openAccount(product);
    const person = await callAs(product, { firstName: 'Relie', lastName: uniqueName('Sana'), phone: anyPhone() });
    await approveWaiting(admin);
    const [id = 0] = await fileTickets(person, 1);
    await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
    const [reference, small] = [makeReference(), makeReference()];
    await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '5100.00', reference }));
    await forward(sms({ gross: '777.00', payer: anyPhone(), balance: '5877.00', reference: small }));
    const payment = async () => {
      const path = `/api/admin/payments/tickets/${id}`;
      return ((await admin.send('GET', path)) as { payment: { isMatched: boolean } | null }).payment;
    };
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('sans-demande'));
    const row = (words: string) => viewOf(page, 'Sans demande').locator('[data-row]').filter({ hasText: words });
    await expect(row(small)).toBeVisible();
    await expectLegible(page, size);
    const relate = (words: string) => row(words).getByRole('button', { name: /^Relier à un ticket \([\d\s]+FCFA\)$/ });
    const dialog = page.getByRole('dialog', { name: 'Relier à un ticket' });
    const field = dialog.getByRole('textbox', { name: 'Numéro du ticket' });

    // What is no number, no ticket, or of another amount is refused, and pairs nothing.
    await relate(small).press('Enter');
    await expect(dialog).toContainText(small);
    await dialog.getByRole('button', { name: 'Relier', exact: true }).press('Enter');
    await expect(dialog).toContainText('Saisissez le numéro du ticket, par exemple 418.');
    await expect(field).toBeFocused();
    await field.fill('999999');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'Ticket introuvable.' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Relier', exact: true })).toBeEnabled();
    await field.fill(String(id));
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('alert').filter({ hasText: 'Le montant du paiement et celui du ticket diffèrent.' }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(relate(small)).toBeFocused();
    expect(await payment()).toBeNull();

    const ignore = (words: string) => row(words).getByRole('button', { name: /^Ignorer \([\d\s]+FCFA\)$/ });
    await ignore(small).press('Enter');
    await expectToast(page, 'Paiement ignoré', /777.FCFA/);
    await expect(row(small)).toHaveCount(0);
    await expectFocusKept(page);
    // The question after the last one stays when the list is empty.
    const { withoutTicket } = (await admin.send('GET', '/api/admin/payments/proposals')) as {
      withoutTicket: { id: number; reference: string }[];
    };
    for (const line of withoutTicket)
      if (line.reference !== reference)
        await admin.send('POST', `/api/admin/payments/lines/${line.id}/ignore`, { ignored: true });
    await relate(reference).press('Enter');
    await field.fill(`n° ${id}`);
    await page.keyboard.press('Enter');
    const related = page.getByRole('dialog', { name: 'Paiement relié au ticket' });
    await expect(related).toContainText(new RegExp(`Le statut de la demande n°.${id} n'a pas changé`));
    await expect(page.getByText('Aucun paiement sans demande')).toBeVisible();
    await related.getByRole('button', { name: 'Plus tard', exact: true }).press('Enter');
    await expect(row(reference)).toHaveCount(0);
    await expectFocusKept(page);
    expect(await payment()).toMatchObject({ isMatched: true });

    await page.goto(`${product.url + viewAddress('tous')}&recherche=${reference}`);
    const all = viewOf(page, 'Tous les paiements').locator('[data-row]').filter({ hasText: reference });
    await expect(all.getByRole('link', { name: new RegExp(`^Ouvrir le ticket n°.${id},`) })).toBeVisible();
    await all.getByRole('button', { name: /^Retirer du ticket \(5.100.FCFA\)$/ }).press('Enter');
    const taken = page.getByRole('dialog', { name: 'Paiement retiré du ticket' });
    await expect(taken).toContainText(new RegExp(`La demande n°.${id} reste approuvée\\. Voulez-vous la rejeter`));
    await taken.getByRole('button', { name: 'La laisser approuvée', exact: true }).press('Enter');
    await expect(taken).toHaveCount(0);
    await expectFocusKept(page);
    expect(await payment()).toBeNull();
    expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'approved' });

    await page.goto(product.url + viewAddress('sans-demande'));
    await ignore(reference).press('Enter');
    await expectToast(page, 'Paiement ignoré', /5.100.FCFA/);
    await expect(page.getByText('Aucun paiement sans demande')).toBeVisible();
    await expectFocusKept(page);
    expect(await admin.send('GET', `/api/admin/payments?q=${reference}`)).toMatchObject([{ isIgnored: true }]);
    await admin.end();
  });
}
