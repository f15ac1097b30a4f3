import { phoneSize } from './browser.ts';
import { uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enter, expectFocusKept, expectLegible, openAccount, rowOf, viewAddress } from './incoming.ts';
import { expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

test('P18.17, a shape is taught from an unread message by its marked text, reads what waits and is retired', async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/admin/payments/messages/');
  const { admin, accountId, forward } = await openAccount(product, { type: 'Orange Money', country: '+227' });
  const word = uniqueName('Encaissement').replaceAll(/[^A-Za-z]/g, '');
  const text = (n: number, name: string) =>
    `${word} ${n} 500 FCFA de ${name} (9012345${n}). Nouveau solde: 2${n} 345 FCFA. Txn ID: CI261128.091${n}.C0001${n}`;
  await forward(text(1, 'AWA EXEMPLE'), 'OM-NE');
  await forward(text(2, 'Issa Exemple'), 'OM-NE');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, viewAddress('non-lus'));
  const waiting = rowOf(page, 'Messages non lus', word);
  await expect(waiting).toHaveCount(2);
  const first = waiting.filter({ hasText: 'AWA EXEMPLE' });
  await enter(first, /^C'est un paiement/);
  const record = page.getByRole('dialog', { name: "C'est un paiement" });
  // Nothing of what stands in the message is to be typed again.
  const amount = record.getByRole('textbox', { name: 'Montant payé (FCFA)' });
  await expect(amount).toHaveValue('1 500');
  await expect(record.getByRole('textbox', { name: /^Référence/ })).toHaveValue('CI261128.0911.C00011');
  await expect(record.getByRole('textbox', { name: /^Payé depuis/ })).toHaveValue('+22790123451');
  await expect(record.getByRole('textbox', { name: /^Solde après/ })).toHaveValue('21 345');
  await amount.fill('1600');
  const learn = record.getByRole('checkbox', { name: 'Lire ainsi les suivants' });
  await learn.check();
  await expect(record).toContainText("Ce montant n'est pas dans le texte");
  await expect(amount).toBeFocused();
  await expectLegible(page);

  await amount.fill('1500');
  await enter(record, 'Voir la forme');
  const shape = record.getByRole('region', { name: 'Forme à garder' });
  await expect(shape.getByRole('status')).toHaveText('1 autre message qui attend sera lu aussitôt.');
  await expect(shape.locator('mark')).toHaveText([
    /^1 500\s?montant$/,
    /^AWA EXEMPLE\s?nom, non gardé$/,
    /^90123451\s?numéro$/,
    /^21 345\s?solde$/,
    /^CI261128\.0911\.C00011\s?référence$/,
  ]);
  await expectLegible(page);
  // A change of what was confirmed is looked at anew.
  await amount.fill('1 600');
  await expect(shape).toHaveCount(0);
  await amount.fill('1 500');
  await enter(record, 'Voir la forme');
  await shape.getByRole('checkbox', { name: /^Accepter aussi les SMS de «.OM-NE.»$/ }).check();
  await enter(record, 'Noter et lire ainsi');
  await expectToast(page, 'Paiement noté', /1.500.FCFA · 1.autre paiement lu$/);
  await expect(waiting).toHaveCount(0);
  await expectFocusKept(page);
  const found = (await admin.send('GET', `/api/admin/payments?account=${accountId}`)) as { gross: number }[];
  expect(found.map(({ gross }) => gross).sort()).toEqual([1_500, 2_500]);

  await page.goto(`${product.url}/admin/payments?section=comptes`);
  const card = rowOf(page, 'Formes apprises', word);
  await expect(card).toContainText(/Orange Money.*Niger/);
  await expect(card).toContainText(/1.message, le dernier/);
  await expect(card).toContainText(/0.confirmé sur 10/);
  await expectLegible(page);
  await enter(card, /^Retirer la forme n°.\d+$/);
  const question = page.getByRole('dialog', { name: 'Retirer cette forme ?' });
  await expect(question).toContainText('Les paiements déjà lus restent.');
  await enter(question, 'Retirer');
  await expectToast(page, 'Forme retirée');
  await expect(card).toHaveCount(0);
  await expectFocusKept(page);
  await forward(text(3, 'Fanta Exemple'), 'OM-NE');
  await page.goto(product.url + viewAddress('non-lus'));
  await expect(waiting).toHaveCount(1);
});
