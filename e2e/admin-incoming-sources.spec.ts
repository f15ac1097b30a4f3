import type { Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import {
  anyPhone,
  enter,
  expectFocusKept,
  expectLegible,
  makeReference,
  openAccount,
  rowOf,
  sms,
  viewAddress,
} from './incoming.ts';
import { expectFailure, expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

test('P18.12, an account is added, a phone is linked, heard of, gets another address and is deleted', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payments/accounts');
  const label = uniqueName('Guichet');
  const number = anyPhone();
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments?section=comptes');
  const creator = page.getByRole('button', { name: 'Nouveau compte', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Nouveau compte' });
  const fillIn = async () => {
    await dialog.getByRole('combobox', { name: 'Type de paiement' }).selectOption({ label: 'Orange Money' });
    await dialog.getByRole('textbox', { name: 'Numéro ou code marchand' }).fill(number);
    await dialog.getByRole('textbox', { name: 'Nom du compte' }).fill(label);
  };
  await creator.click();
  await enter(dialog, 'Ajouter');
  for (const missing of ['Choisissez un type de paiement.', 'numéro du compte est requis', 'nom du compte est requis'])
    await expect(dialog).toContainText(missing);
  await fillIn();
  await enter(dialog, 'Ajouter');
  await expectToast(page, 'Compte ajouté', label);
  await expect(dialog).toHaveCount(0);
  // The same number again is told at its field, and adds nothing.
  await creator.click();
  await fillIn();
  await enter(dialog, 'Ajouter');
  await expect(dialog).toContainText('Ce compte existe déjà.');
  await page.keyboard.press('Escape');
  await enter(page, 'Abandonner');
  const card = rowOf(page, 'Comptes de paiement', label);
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("Rien n'est relié");
  // A wallet other than Wave has no server of Wave.
  await enter(card, `Actions sur le compte ${label}`);
  await expect(page.getByRole('menuitem')).toHaveText(['Relier un téléphone', 'Modifier']);
  await page.keyboard.press('Enter');
  const connect = page.getByRole('dialog', { name: 'Relier un téléphone' });
  await expect(connect.getByRole('region', { name: "1. L'application du téléphone" })).toBeVisible();
  const app = connect.getByRole('combobox', { name: 'Application' });
  await app.selectOption('SMS Gateway');
  await expect(connect.getByRole('textbox', { name: /^Clé de signature/ })).toBeVisible();
  await app.selectOption('Incoming SMS to URL forwarder');
  await enter(connect, 'Créer une adresse');
  const name = connect.getByRole('textbox', { name: 'Nom du téléphone' });
  await expect(name).toHaveAccessibleDescription(/^Donnez-lui un nom/);
  await name.fill('Téléphone de la caisse');
  await enter(connect, 'Créer une adresse');
  const second = connect.getByRole('region', { name: '2. Dans Incoming SMS to URL forwarder' });
  await expect(second.getByRole('code')).toHaveCount(2);
  const [address = '', template = ''] = await second.getByRole('code').allTextContents();
  expect(address).toMatch(new RegExp(`^${product.url}/`));
  expect(Object.keys(JSON.parse(template))).toEqual(['from', 'text', 'sentStamp', 'receivedStamp', 'sim']);
  await expect(second).toContainText("L'adresse ne sera plus montrée");
  await expect(second.getByRole('img', { name: 'Code QR de ces textes' })).toBeVisible();
  // While it is only here, nothing closes without a question.
  await page.keyboard.press('Escape');
  const leaving = page.getByRole('dialog', { name: "Fermer sans avoir copié l'adresse ?" });
  await enter(leaving, 'Rester');
  await expect(leaving).toHaveCount(0);
  const third = connect.getByRole('region', { name: '3. Premier message' });
  await expect(third.getByRole('status')).toContainText('En attente du premier message.');
  await expectLegible(page);
  const body = JSON.stringify({ from: 'Amie', text: 'Essai', sentStamp: 1, receivedStamp: Date.now(), sim: 'SIM1' });
  const post = async (to = address) =>
    (await fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status;
  expect(await post()).toBe(200);
  await expect(third.getByRole('status')).toContainText('Premier message reçu le', { timeout: 40_000 });
  await enter(connect, 'Fermer');
  await expect(connect).toHaveCount(0);
  const source = card.getByRole('list', { name: `Sources de ${label}` }).getByRole('listitem');
  await expect(source).toContainText(/Téléphone de la caisse.*Dernier message/);
  await expect(page.getByRole('main')).not.toContainText(new URL(address).pathname);
  await expectLegible(page);

  const menu = source.getByRole('button', { name: `Actions sur Téléphone de la caisse, ${label}` });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: "Changer l'adresse" }).press('Enter');
  const change = page.getByRole('dialog', { name: "Changer l'adresse" });
  await enter(change, 'Créer une adresse');
  await expect(change).toContainText("L'adresse précédente marche encore 24 heures");
  await expectLegible(page);
  const next = await change.getByRole('code').first().textContent();
  expect(next).not.toBe(address);
  expect([await post(), await post(next ?? '')]).toEqual([200, 200]);
  await enter(change, 'Fermer');
  await enter(leaving, 'Fermer quand même');
  await expect(change).toHaveCount(0);
  await expect(source).toHaveCount(1);

  const remove = async () => {
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Supprimer' }).press('Enter');
  };
  await remove();
  const question = page.getByRole('dialog', { name: 'Supprimer « Téléphone de la caisse » ?' });
  await expect(question).toContainText(`Son adresse ne donnera plus de paiements à ${label}.`);
  await enter(question, 'Annuler');
  await expect(menu).toBeFocused();
  await remove();
  await enter(question, 'Supprimer');
  await expectToast(page, 'Source supprimée');
  await expect(card).toContainText("Rien n'est relié");
  await expectFocusKept(page);
  expect(await post()).toBeGreaterThanOrEqual(400);
});

test("P18.12, Wave's server is linked: the address and the secret that signs are shown once", async ({
  page,
  product,
}) => {
  const { label } = await openAccount(product, { type: 'Wave', country: '+221' });
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, '/admin/payments?section=comptes');
  await enter(page, `Actions sur le compte ${label}`);
  await page.getByRole('menuitem', { name: 'Relier Wave' }).press('Enter');
  const connect = page.getByRole('dialog', { name: 'Relier Wave' });
  await connect.getByRole('textbox', { name: 'Nom de ce compte Wave' }).fill('Wave de la boutique');
  await enter(connect, 'Créer une adresse');
  await expect(connect.getByRole('code')).toHaveCount(2);
  const [address = '', secret = ''] = await connect.getByRole('code').allTextContents();
  expect(address).toMatch(/\/api\/payment-feed\/[\w-]+\/wave$/);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await expect(connect).toContainText("L'adresse et le secret ne seront plus montrés");
  await expectLegible(page);
  await enter(connect, 'Copier le secret de signature');
  await enter(connect, 'Fermer');
  await expect(connect).toHaveCount(0);
  const sources = page.getByRole('list', { name: `Sources de ${label}` });
  await expect(sources).toContainText(/Wave de la boutique.*Signé/);
  await expect(page.getByRole('main')).not.toContainText(secret);
});

test('P18.8, P18.10, pasted SMS are read, then kept; of one that nobody can read a payment is made, by keyboard', async ({
  page,
  product,
}) => {
  const { admin, accountId, label } = await openAccount(product);
  const found = async (reference: string) =>
    (await admin.send('GET', `/api/admin/payments?q=${reference}`)) as { gross: number; inputs: string[] }[];
  const [reference, own] = [makeReference(), makeReference()];
  const readable = sms({ gross: '444.00', payer: anyPhone(), balance: '444.00', reference });
  const [parcel, visit] = [uniqueName('Colis arrive'), uniqueName('Visite demain')];
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('non-lus'));
  const opener = page.getByRole('button', { name: 'Coller un SMS', exact: true });
  await opener.press('Enter');
  const paste = page.getByRole('dialog', { name: 'Coller un SMS' });
  await paste.getByRole('combobox', { name: 'Compte' }).selectOption('');
  await enter(paste, 'Lire');
  await expect(paste).toContainText('Collez un message.');
  await expect(paste).toContainText("Choisissez le compte qui a reçu l'argent.");
  await paste.getByRole('combobox', { name: 'Compte' }).selectOption(String(accountId));
  await paste.getByRole('textbox', { name: 'Un ou plusieurs SMS' }).fill([readable, parcel, visit].join('\n\n'));
  await enter(paste, 'Lire');
  await expect(paste.getByRole('status')).toHaveText('1 paiement, 2 non lus.');
  const items = paste.getByRole('region', { name: 'Messages collés' }).getByRole('listitem');
  await expect(items).toHaveText([/^Paiement.*444.FCFA/, /^Non lu/, /^Non lu/]);
  await expect(items.first()).toContainText(reference);
  await expectLegible(page);
  expect(await found(reference)).toEqual([]);
  await enter(paste, 'Garder');
  await expectToast(page, 'SMS gardés', '1 paiement, 2 non lus.');
  await expect(opener).toBeFocused();
  expect(await found(reference)).toMatchObject([{ gross: 444, inputs: ['paste'] }]);

  const message = (words: string) => rowOf(page, 'Messages non lus', words);
  await expect(message(parcel)).toContainText(label);
  await expectLegible(page);
  await enter(message(parcel), /^C'est un paiement \(message n° \d+\)$/);
  const record = page.getByRole('dialog', { name: "C'est un paiement" });
  await expect(record.getByRole('combobox', { name: 'Compte' })).toHaveValue(String(accountId));
  const amount = record.getByRole('textbox', { name: 'Montant payé (FCFA)' });
  await enter(record, 'Noter le paiement');
  await expect(record).toContainText('Saisissez un montant en francs entiers.');
  await expect(amount).toBeFocused();
  await amount.fill('2750');
  await record.getByRole('textbox', { name: /^Référence/ }).fill(own);
  await page.keyboard.press('Enter');
  await expectToast(page, 'Paiement noté', /2.750.FCFA/);
  await expect(message(parcel)).toHaveCount(0);
  await expectFocusKept(page);
  expect(await found(own)).toMatchObject([{ gross: 2750, inputs: ['person'] }]);
  await enter(message(visit), /^Ce n'est pas un paiement \(message n° \d+\)$/);
  await expectToast(page, 'Message ignoré');
  await expect(message(visit)).toHaveCount(0);
});

const statement = 'server/features/payments/intake/operators/orange-bf/statements/transferts.csv';

/** The dialog that imports statements. */
function statementsOf(page: Page) {
  const opener = page.getByRole('button', { name: 'Importer un relevé', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Importer un relevé' });
  const account = dialog.getByRole('combobox', { name: 'Compte' });
  const open = async (accountId: number) => {
    await opener.click();
    await account.selectOption(String(accountId));
  };
  return { opener, dialog, account, open, input: dialog.getByLabel('Fichier du relevé') };
}

test('P18.8, a statement is read, then imported; again it changes nothing, and another file is refused', async ({
  page,
  product,
  provoke,
}) => {
  provoke('422 /api/admin/payments/imports');
  const { admin, accountId } = await openAccount(product);
  const lines = async () => ((await admin.send('GET', `/api/admin/payments?account=${accountId}`)) as object[]).length;
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, viewAddress('tous'));
  const { opener, dialog, input, open } = statementsOf(page);
  const write = dialog.getByRole('button', { name: 'Importer', exact: true });
  await open(accountId);
  await enter(dialog, 'Lire');
  await expect(dialog).toContainText('Choisissez un fichier.');
  await input.setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('Rendez-vous;midi\n') });
  await expect(dialog).toContainText('notes.csv');
  await enter(dialog, 'Lire');
  await expect(dialog).toContainText("Ce fichier n'est pas un relevé connu");
  await expectLegible(page);
  await expect(write).toHaveCount(0);

  await input.setInputFiles(statement);
  await enter(dialog, 'Lire');
  const read = dialog.getByRole('region', { name: 'Relevé lu' });
  await expect(read).toContainText('Relevé Orange Money');
  await expect(read).not.toContainText(/orange-bf|@| 0 /);
  const first = dialog.getByRole('region', { name: 'Premières lignes, comme elles sont lues' });
  await expect(first.getByRole('listitem').first()).toContainText(/2.000.FCFA/);
  await expect(first).toContainText('OM250806.1012.94900001');
  await expectLegible(page);
  expect(await lines()).toBe(0);
  await write.click();
  await expectToast(page, 'Relevé importé', /[1-9]\d*\spaiements? ajoutés?\.$/);
  await expect(opener).toBeFocused();
  const written = await lines();
  expect(written).toBeGreaterThan(0);

  await open(accountId);
  await input.setInputFiles(statement);
  await enter(dialog, 'Lire');
  await expect(dialog.getByRole('region', { name: 'Relevé lu' })).toContainText('Rien à importer');
  await expect(write).toBeDisabled();
  expect(await lines()).toBe(written);
});

test("P18.18, P18.20, another wallet's statement is refused, and an import is undone once asked", async ({
  page,
  product,
  provoke,
}) => {
  provoke('422 /api/admin/payments/imports');
  const { admin, accountId } = await openAccount(product);
  const other = await openAccount(product, { type: 'Moov Money', country: '+226' });
  const lines = async () => ((await admin.send('GET', `/api/admin/payments?account=${accountId}`)) as object[]).length;
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, viewAddress('tous'));
  const { dialog, input, account, open } = statementsOf(page);
  await open(other.accountId);
  await input.setInputFiles(statement);
  await enter(dialog, 'Lire');
  await expect(dialog).toContainText('Ce fichier est un relevé Orange Money ; ce compte est Moov Money.');
  await expectLegible(page);
  // The chosen file stays where the account changes.
  await account.selectOption(String(accountId));
  await enter(dialog, 'Lire');
  await enter(dialog, 'Importer');
  await expectToast(page, 'Relevé importé');
  expect(await lines()).toBeGreaterThan(0);

  await open(accountId);
  const made = dialog.getByRole('region', { name: 'Déjà importés' }).getByRole('listitem');
  await expect(made).toContainText(/transferts\.csv.*Relevé Orange Money.*par .*paiements? ajoutés?\./s);
  await expectLegible(page);
  await enter(made, 'Annuler cet import (transferts.csv)');
  const question = page.getByRole('dialog', { name: 'Annuler cet import ?' });
  await expect(question).toContainText(/Les \d+ paiements qu'il a ajoutés sont retirés\./);
  await expectLegible(page);
  await enter(question, 'Le garder');
  await expect(question).toHaveCount(0);
  await enter(made, 'Annuler cet import (transferts.csv)');
  await enter(question, "Annuler l'import");
  await expectToast(page, 'Import annulé', /\d+\spaiements? retirés?\.$/);
  await expect(made).toHaveCount(0);
  await expectFocusKept(page);
  expect(await lines()).toBe(0);
});

test('P18.10, the person of a declared request without a payment is reminded once a day', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payments/reminders');
  const { admin } = await openAccount(product);
  const person = await callAs(product, { firstName: 'Relance', lastName: uniqueName('Sana'), phone: anyPhone() });
  const [id = 0] = await fileTickets(person, 1);
  const reference = makeReference();
  await person.send('POST', `/api/tickets/${id}/payment-declaration`, { reference });
  // Declared long enough ago to be missed; a payment of another test may have its amount.
  const db = await product.openDatabase();
  await db.execute(sql`update tickets set payment_declared_at = now() - interval '20 minutes' where id = ${id}`);
  await db.execute(sql`update payment_lines set is_ignored = true`);
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('sans-paiement'));
  const remind = page.getByRole('button', { name: `Relancer la personne du ticket n° ${id}`, exact: true });
  await expect(page.locator('[data-row]').filter({ has: remind })).toContainText(reference);
  await expectLegible(page);
  await remind.press('Enter');
  await expectToast(page, 'Personne relancée', new RegExp(`Ticket n°.${id}`));
  await expect(remind).toBeEnabled();
  await remind.press('Enter');
  await expectFailure(page, 'Erreur', "Cette personne a déjà été relancée aujourd'hui.");
  const all = (await person.send('GET', `/api/notifications/user/${person.userId}`)) as { title: string }[];
  expect(all.filter(({ title }) => title === 'Paiement introuvable')).toMatchObject([
    { message: expect.stringContaining('Vérifiez la référence déclarée.') },
  ]);
  expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'pending' });
});

test('P18.12, what is wrong with a phone stands beside it, and of its two SIMs a person chooses one', async ({
  page,
  product,
}) => {
  const { admin, accountId, label, forward } = await openAccount(product);
  const text = (francs: number) =>
    sms({ gross: `${francs}.00`, payer: anyPhone(), balance: '9000.00', reference: makeReference() });
  const [own, others] = [text(601), text(602)];
  await forward(own);
  await forward(others, 'OrangeMoney', { sim: 'SIM2' });
  await forward('', 'OrangeMoney');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments?section=comptes');
  const source = page
    .getByRole('list', { name: `Sources de ${label}` })
    .getByRole('listitem')
    .first();
  await expect(source).toContainText('Un message est arrivé sans texte lisible.');
  const question = source.getByRole('group', { name: 'Quelle SIM reçoit les paiements de ce compte ?' });
  await expect(question.getByRole('listitem')).toHaveText([/^SIM1.*1.message, le dernier/, /^SIM2.*1.message/]);
  await expectLegible(page);
  await page.setViewportSize(desktopSize);
  await expectLegible(page);
  await page.setViewportSize(phoneSize);
  await enter(question, /^SIM2 reçoit les paiements/);
  await expectToast(page, 'SIM2 choisie', /1.paiement lu\. 1.paiement ignoré de l'autre SIM\.$/);
  await expect(source).toContainText("SIM des paiements : SIM2. Les SMS de l'autre sont ignorés.");
  await expect(question).toHaveCount(0);
  await expectFocusKept(page);
  await forward(text(603), 'OrangeMoney', { sim: 'SIM2' });
  const lines = async () =>
    ((await admin.send('GET', `/api/admin/payments?account=${accountId}`)) as { gross: number; isIgnored: boolean }[])
      .toSorted((a, b) => a.gross - b.gross)
      .map(({ gross, isIgnored }) => [gross, isIgnored]);
  expect(await lines()).toEqual([
    [601, true],
    [602, false],
    [603, false],
  ]);
  await page.setViewportSize(desktopSize);
  await page.reload();
  await expect(source).not.toContainText('sans texte lisible');
  await expectLegible(page);
  await enter(source, 'Changer de SIM');
  await enter(question, /^SIM1 reçoit les paiements/);
  await expectToast(page, 'SIM1 choisie', /1.paiement lu\. 2.paiements ignorés de l'autre SIM\.$/);
  expect((await lines()).map(([, isIgnored]) => isIgnored)).toEqual([false, true, true]);
});
