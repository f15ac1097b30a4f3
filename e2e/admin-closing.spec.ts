import { desktopSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import {
  anyPhone,
  enter,
  expectFocusKept,
  expectLegible,
  makeReference,
  openAccount,
  sms,
  viewAddress,
} from './incoming.ts';
import { expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

test('P18.15, a day shows its gap between two messages, is signed by keyboard once asked, says what changed since in its month, and is printed alone', async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/admin/payments/closings');
  const { admin, accountId, label, forward } = await openAccount(product);
  // All of one minute, and so of one day, whatever the clock does meanwhile.
  const at = new Date();
  const tell = (gross: number, balance: number) =>
    forward(sms({ gross: `${gross}.00`, payer: anyPhone(), balance: `${balance}.00`, reference: makeReference(at) }));
  const expectLines = (count: number) =>
    expect.poll(() => admin.send('GET', `/api/admin/payments?account=${accountId}`)).toHaveLength(count);
  for (const [gross, balance] of [
    [1_000, 10_000],
    [2_000, 12_000],
    [5_000, 19_500],
  ] as const)
    await tell(gross, balance);
  await expectLines(3);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.setViewportSize(desktopSize);
  const day = at.toISOString().slice(0, 10);
  await enterAsAdministrator(page, product, `${viewAddress('cloture')}&compte=${accountId}&jour=${day}`);
  const view = page.getByRole('region', { name: /^Clôture du / });
  await expect(view).toContainText('La suite des soldes a 1 lacune.');
  const gap = view.getByRole('heading', { name: /^Il manque 2\s500\sFCFA (?:à|entre) \d\d:\d\d/ });
  await expect(gap).toBeVisible();
  await expect(view).toContainText(/Avant · .*Solde\s:\s12\s000\sFCFA.*Après · .*Solde\s:\s19\s500\sFCFA/s);
  await expectLegible(page);

  // It begins with what the day's first payment found, and adds up.
  await expect(view).toContainText(/Solde de départ\s*9\s000\sFCFA\s*Entrées\s*\+\s8\s000\sFCFA/);
  const end = view.getByText('19 500 FCFA').first();
  expect(await end.textContent()).not.toContain('\u202f');

  // Its month says how it stands; a gap and an unfinished day are signed with a reason each.
  const month = page.getByRole('list', { name: new RegExp(`^${label}, `) });
  const cell = month.getByRole('button', { name: new RegExp(` ${Number(day.slice(8))}(?:er)? `) });
  await expect(cell).toHaveAccessibleName(/\s: lacune$/);
  await expect(view).toContainText('À signer, avec lacune');
  await enter(view, 'Signer la journée');
  const dialog = page.getByRole('dialog', { name: /^Signer le / });
  const reason = dialog.getByLabel(/^Il manque 2\s500\sFCFA .*\s: pourquoi\s\?$/);
  const unfinished = dialog.getByLabel("La journée n'est pas finie : pourquoi la signer ?");
  await enter(dialog, 'Signer');
  await expect(reason).toHaveAccessibleDescription('Dites pourquoi il manque un message.');
  await expect(unfinished).toHaveAccessibleDescription('Dites pourquoi vous signez avant la fin de la journée.');
  await expect(reason).toBeFocused();
  await reason.fill('Téléphone éteint de midi à une heure');
  await unfinished.fill('La boutique ferme à midi');
  await expectLegible(page);
  await enter(dialog, 'Signer');
  await expectToast(page, 'Journée signée');
  await expect(view).toContainText(/Signée par .+, le /);
  await expect(view).toContainText('Téléphone éteint de midi à une heure');
  await expect(view.getByRole('button', { name: /^Signer/ })).toHaveCount(0);
  await expectFocusKept(page);
  await expect(cell).toHaveAccessibleName(/\s: signée$/);
  await tell(2_500, 14_500);
  await expectLines(4);
  await page.reload();
  await expect(view).toContainText('La suite des soldes est entière.');
  await expect(gap).toHaveCount(0);
  await expect(view).toContainText('A changé depuis la signature');
  await expect(cell).toHaveAccessibleName(/\s: a changé$/);
  await expect(view).toContainText(/Entrées\s: \+\s8\s000\sFCFA à la signature, \+\s10\s500\sFCFA maintenant/);
  await expectLegible(page);

  const saving = page.waitForEvent('download');
  await enter(view, 'Exporter Excel');
  expect((await saving).suggestedFilename()).toMatch(/^cloture_.+_\d{4}-\d\d-01_\d{4}-\d\d-(?:28|29|30|31)\.xlsx$/);
  await expectToast(page, 'Export réussi');

  await enter(view, 'Imprimer');
  await expect(page.locator('html[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(view).toBeVisible();
  await expect(view.getByRole('row')).toHaveCount(5);
  await expect(view.getByText('Nom et signature')).toBeVisible();
  for (const hidden of [page.getByRole('button', { name: 'Imprimer' }), month, page.getByRole('navigation')])
    await expect(hidden.locator('visible=true')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });

  await enter(view, 'Signer à nouveau');
  await dialog.getByRole('textbox').fill('La boutique ferme à midi');
  await enter(dialog, 'Signer');
  await expect(view).not.toContainText('A changé depuis la signature');
  await expect(view).toContainText(/Signatures d'avant.*solde de fin 19\s500\sFCFA/s);
  // A day without a movement is signed by nobody who did not mean to.
  await enter(page, 'Mois précédent');
  await expect(page).toHaveURL(/jour=/);
  await expect(view).toContainText('Aucun mouvement ce jour-là.');
  const last = month.getByRole('button', { name: /\s: sans mouvement$/ }).last();
  await expect(last).toHaveAttribute('aria-current', 'date');
  await last.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(month.locator('[aria-current]')).toBeFocused();
  await expect(last).not.toHaveAttribute('aria-current');
  await enter(view, 'Signer la journée');
  await expect(dialog).toContainText("rien n'est entré, rien n'est sorti");
  await enter(dialog, 'Annuler');
  await expect(view).not.toContainText('Signée');
});
