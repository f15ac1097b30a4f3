import { sql } from 'drizzle-orm';
import { findViolations } from './accessibility.ts';
import { callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, expectFocusKept, makeReference, openAccount, sizes, sms, viewAddress, viewOf } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

const accountsAddress = '/admin/payments?section=comptes';

for (const [where, size] of sizes) {
  test(`P18.12, on ${where} an account is added, a phone is linked, heard of, given another address and deleted`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('409 /api/admin/payments/accounts');
    const label = uniqueName('Guichet');
    const number = anyPhone();
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, accountsAddress);
    const creator = page.getByRole('button', { name: 'Nouveau compte', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Nouveau compte' });
    const add = dialog.getByRole('button', { name: 'Ajouter', exact: true });
    const fillIn = async () => {
      await dialog.getByRole('combobox', { name: 'Type de paiement' }).selectOption({ label: 'Orange Money' });
      await dialog.getByRole('textbox', { name: 'Numéro ou code marchand' }).fill(number);
      await dialog.getByRole('textbox', { name: 'Nom du compte' }).fill(label);
    };
    await creator.click();
    await add.click();
    for (const words of [
      'Choisissez un type de paiement.',
      'Le numéro du compte est requis.',
      'Le nom du compte est requis.',
    ])
      await expect(dialog).toContainText(words);
    await fillIn();
    await add.click();
    await expectToast(page, 'Compte ajouté', label);
    await expect(dialog).toHaveCount(0);
    // The same number again is told at its field, and adds nothing.
    await creator.click();
    await fillIn();
    await add.click();
    await expect(dialog).toContainText('Ce compte existe déjà.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Abandonner', exact: true }).click();
    const card = page.getByRole('list', { name: 'Comptes de paiement' }).locator('> li').filter({ hasText: label });
    await expect(card).toHaveCount(1);
    await expect(card).toContainText("Rien n'est relié");
    // A wallet other than Wave has no server of Wave.
    await expect(card.getByRole('button', { name: /^Relier Wave/ })).toHaveCount(0);

    await card.getByRole('button', { name: `Relier un téléphone à ${label}`, exact: true }).click();
    const connect = page.getByRole('dialog', { name: 'Relier un téléphone' });
    await expect(connect.getByRole('region', { name: "1. L'application du téléphone" })).toBeVisible();
    await expect(connect.getByRole('radio', { name: /^Incoming SMS to URL forwarder/ })).toBeChecked();
    await connect.getByRole('button', { name: 'Créer une adresse', exact: true }).click();
    const second = connect.getByRole('region', { name: '2. Dans Incoming SMS to URL forwarder' });
    await expect(second.getByRole('code')).toHaveCount(2);
    const [opened = '', template = ''] = await second.getByRole('code').allTextContents();
    expect(opened).toMatch(new RegExp(`^${product.url}/`));
    expect(Object.keys(JSON.parse(template))).toEqual(['from', 'text', 'sentStamp', 'receivedStamp', 'sim']);
    await expect(second).toContainText("L'adresse ne sera plus montrée");
    const third = connect.getByRole('region', { name: '3. Premier message' });
    await expect(third.getByRole('status')).toContainText('En attente du premier message.');
    expect(await findViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    const body = JSON.stringify({ from: 'Amie', text: 'Essai', sentStamp: 1, receivedStamp: Date.now(), sim: 'SIM1' });
    const post = (address: string) =>
      fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect((await post(opened)).status).toBe(200);
    await expect(third.getByRole('status')).toContainText('Premier message reçu le', { timeout: 40_000 });
    await connect.getByRole('button', { name: 'Fermer', exact: true }).click();
    await expect(connect).toHaveCount(0);
    const source = card.getByRole('list', { name: `Sources de ${label}` }).getByRole('listitem');
    await expect(source).toContainText(/Téléphone.*Dernier message/);
    await expect(page.getByRole('main')).not.toContainText(new URL(opened).pathname);

    await source.getByRole('button', { name: /^Changer l'adresse de la source n° \d+$/ }).click();
    const rotate = page.getByRole('dialog', { name: "Changer l'adresse" });
    await rotate.getByRole('button', { name: 'Créer une autre adresse', exact: true }).click();
    await expect(rotate).toContainText("L'ancienne adresse marche encore 24 heures.");
    const [other = ''] = await rotate.getByRole('code').allTextContents();
    expect(other).not.toBe(opened);
    for (const address of [opened, other]) expect((await post(address)).status).toBe(200);
    await rotate.getByRole('button', { name: 'Fermer', exact: true }).click();

    const remove = source.getByRole('button', { name: /^Supprimer.* de la source n° \d+$/ });
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Supprimer cette source ?' });
    await expect(question).toContainText('Les paiements déjà reçus restent.');
    await question.getByRole('button', { name: 'Annuler', exact: true }).click();
    await expect(remove).toBeFocused();
    await remove.click();
    await question.getByRole('button', { name: 'Supprimer', exact: true }).click();
    await expectToast(page, 'Source supprimée');
    await expect(card).toContainText("Rien n'est relié");
    await expectFocusKept(page);
    for (const address of [opened, other]) expect((await post(address)).ok).toBe(false);
  });

  test(`P18.8, P18.10, on ${where} pasted SMS are read, then kept; of one that nobody can read a payment is made, by keyboard`, async ({
    page,
    product,
  }) => {
    const { admin, accountId, label } = await openAccount(product);
    const found = async (reference: string) =>
      (await admin.send('GET', `/api/admin/payments?q=${reference}`)) as { gross: number; inputs: string[] }[];
    const reference = makeReference();
    const readable = sms({ gross: '444.00', payer: anyPhone(), balance: '444.00', reference });
    const [parcel, visit] = [uniqueName('Colis arrive'), uniqueName('Visite demain')];
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('non-lus'));
    const opener = page.getByRole('button', { name: 'Coller un SMS', exact: true });
    await opener.press('Enter');
    const paste = page.getByRole('dialog', { name: 'Coller un SMS' });
    const text = paste.getByRole('textbox', { name: 'Un ou plusieurs SMS' });
    await paste.getByRole('combobox', { name: 'Compte' }).selectOption('');
    await paste.getByRole('button', { name: 'Lire', exact: true }).press('Enter');
    await expect(paste).toContainText('Collez un message.');
    await expect(paste).toContainText("Choisissez le compte qui a reçu l'argent.");
    await paste.getByRole('combobox', { name: 'Compte' }).selectOption(String(accountId));
    await text.fill([readable, parcel, visit].join('\n\n'));
    await paste.getByRole('button', { name: 'Lire', exact: true }).press('Enter');
    await expect(paste.getByRole('status')).toHaveText('3 message(s) lu(s)');
    const items = paste.getByRole('region', { name: 'Messages lus' }).getByRole('listitem');
    await expect(items).toHaveText([/^Paiement.*444.FCFA/, /^Non lu/, /^Non lu/]);
    await expect(items.first()).toContainText(reference);
    expect(await findViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    expect(await found(reference)).toEqual([]);
    await paste.getByRole('button', { name: 'Garder', exact: true }).press('Enter');
    await expectToast(page, 'SMS gardés', '1 paiement(s), 0 déjà connu(s), 0 ignoré(s), 2 non lu(s).');
    await expect(opener).toBeFocused();
    expect(await found(reference)).toMatchObject([{ gross: 444, inputs: ['paste'] }]);

    const rows = viewOf(page, 'Messages non lus').locator('[data-row]');
    const message = (words: string) => rows.filter({ hasText: words });
    await expect(message(parcel)).toContainText(label);
    await message(parcel)
      .getByRole('button', { name: /^C'est un paiement \(message n° \d+\)$/ })
      .press('Enter');
    const record = page.getByRole('dialog', { name: "C'est un paiement" });
    await expect(record.getByRole('combobox', { name: 'Compte' })).toHaveValue(String(accountId));
    const amount = record.getByRole('textbox', { name: 'Montant payé (FCFA)' });
    await record.getByRole('button', { name: 'Noter le paiement', exact: true }).press('Enter');
    await expect(record).toContainText('Saisissez un montant en francs entiers.');
    await expect(amount).toBeFocused();
    const own = makeReference();
    await amount.fill('2750');
    await record.getByRole('textbox', { name: /^Référence/ }).fill(own);
    await page.keyboard.press('Enter');
    await expectToast(page, 'Paiement noté', /2.750.FCFA/);
    await expect(message(parcel)).toHaveCount(0);
    await expectFocusKept(page);
    expect(await found(own)).toMatchObject([{ gross: 2750, inputs: ['person'] }]);
    await message(visit)
      .getByRole('button', { name: /^Ce n'est pas un paiement \(message n° \d+\)$/ })
      .press('Enter');
    await expectToast(page, 'Message ignoré');
    await expect(message(visit)).toHaveCount(0);
    await admin.end();
  });

  test(`P18.8, on ${where} a statement is read, then imported; again it changes nothing, and another file is refused`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('422 /api/admin/payments/imports');
    const { admin, accountId } = await openAccount(product);
    const lines = async () =>
      ((await admin.send('GET', `/api/admin/payments?account=${accountId}`)) as object[]).length;
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('tous'));
    const opener = page.getByRole('button', { name: 'Importer un relevé', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Importer un relevé' });
    const input = dialog.getByLabel('Fichier du relevé');
    const read = dialog.getByRole('button', { name: 'Lire', exact: true });
    const write = dialog.getByRole('button', { name: 'Importer', exact: true });
    const statement = 'server/features/payment-feed/operators/orange-bf/statements/transferts.csv';
    await opener.click();
    await dialog.getByRole('combobox', { name: 'Compte' }).selectOption(String(accountId));
    await read.click();
    await expect(dialog).toContainText('Choisissez un fichier.');
    await input.setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('Rendez-vous;midi\n') });
    await read.click();
    await expect(dialog).toContainText("Ce fichier n'est pas un relevé connu");
    await expect(write).toHaveCount(0);

    await input.setInputFiles(statement);
    await read.click();
    const first = dialog.getByRole('region', { name: 'Premières lignes, comme elles sont lues' });
    await expect(first.getByRole('listitem').first()).toContainText(/2.000.FCFA/);
    await expect(first).toContainText('OM250806.1012.94900001');
    expect(await findViolations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    expect(await lines()).toBe(0);
    await write.click();
    await expectToast(page, 'Relevé importé', /^.*[1-9]\d* paiement\(s\) ajouté\(s\), 0 complété\(s\)\.$/);
    await expect(opener).toBeFocused();
    const written = await lines();
    expect(written).toBeGreaterThan(0);

    await opener.click();
    await dialog.getByRole('combobox', { name: 'Compte' }).selectOption(String(accountId));
    await input.setInputFiles(statement);
    await read.click();
    await expect(dialog.getByRole('region', { name: 'Relevé lu' })).toContainText('Rien à importer');
    await expect(write).toBeDisabled();
    expect(await lines()).toBe(written);
    await admin.end();
  });

  test(`P18.10, on ${where} the person of a declared request without a payment is reminded once a day`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('409 /api/admin/payments/reminders');
    await openAccount(product);
    const person = await callAs(product, { firstName: 'Relance', lastName: uniqueName('Sana'), phone: anyPhone() });
    const [id = 0] = await fileTickets(person, 1);
    const reference = makeReference();
    await person.send('POST', `/api/tickets/${id}/payment-declaration`, { reference });
    // Declared long enough ago to be missed.
    const db = await product.openDatabase();
    await db.execute(sql`update tickets set payment_declared_at = now() - interval '20 minutes' where id = ${id}`);
    // A payment of another test may have its amount.
    await db.execute(sql`update payment_lines set is_ignored = true`);
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('sans-paiement'));
    const remind = page.getByRole('button', { name: `Relancer la personne du ticket n° ${id}`, exact: true });
    await expect(page.locator('[data-row]').filter({ has: remind })).toContainText(reference);
    expect(await findViolations(page)).toEqual([]);
    await remind.press('Enter');
    await expectToast(page, 'Personne relancée', new RegExp(`Ticket n°.${id}`));
    const news = async () =>
      (
        (await person.send('GET', `/api/notifications/user/${person.userId}`)) as { title: string; message: string }[]
      ).filter(({ title }) => title === 'Paiement introuvable');
    const [told, ...more] = await news();
    expect(told?.message).toContain('Vérifiez la référence déclarée.');
    expect(more).toEqual([]);
    await expect(remind).toBeEnabled();
    await remind.press('Enter');
    await expectFailure(page, 'Erreur', "Cette personne a déjà été relancée aujourd'hui.");
    expect(await news()).toHaveLength(1);
    const admin = await callAsAdministrator(product);
    expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'pending' });
    await admin.end();
  });
}
