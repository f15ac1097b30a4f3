import { untilAnswered } from './answers.ts';
import { phoneSize } from './browser.ts';
import { callAsAdministrator } from './caller.ts';
import { installClock, runUntilAnswer, stopClock } from './clock.ts';
import { watchEtags } from './etags.ts';
import { expect, test } from './fixtures.ts';
import { changedDuring } from './renders.ts';
import { enterAsAdministrator } from './steps.ts';

const address = '/admin/settings?section=sms';
test.use({ viewport: phoneSize });

test('an administrator sets the caps, sends a test message, and sees what became of it, its number masked', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/sms/settings');
  const admin = await callAsAdministrator(product);
  const stored = { perDay: 10_000, perCountryAndDay: 10_000, onDecision: false };
  await admin.send('PUT', '/api/admin/sms/settings', stored);
  await enterAsAdministrator(page, product, address);
  const form = page.locator('form').filter({ has: page.getByLabel('SMS par jour et par pays') });
  const perCountry = form.getByLabel('SMS par jour et par pays');
  const save = form.getByRole('button', { name: 'Enregistrer' });
  await expect(perCountry).toHaveValue('10000');
  await perCountry.fill('beaucoup');
  await save.click();
  await expect(form.getByText('Un nombre entier de 0 à 1 000 000.')).toBeVisible();
  await perCountry.fill('9 000');
  await expect(page.getByText('Modifications non enregistrées')).toBeVisible();
  await form.getByLabel('Prévenir par SMS quand une demande est traitée').check();
  await save.click();
  await expect(page.getByText('Réglages enregistrés')).toBeVisible();
  await expect(page.getByText('Modifications non enregistrées')).toBeHidden();
  await expect(perCountry).toHaveValue('9000');
  expect(await admin.send('GET', '/api/admin/sms')).toMatchObject({
    settings: { perDay: 10_000, perCountryAndDay: 9_000, onDecision: true },
  });
  await expect(page.getByText(/sur 9.000/).first()).toBeVisible();

  await page.getByRole('button', { name: "Envoyer un SMS d'essai" }).click();
  await expect(page.getByText('Saisissez un numéro de téléphone.')).toBeVisible();
  await page.getByLabel('Numéro de téléphone').fill('70556688');
  await page.getByRole('button', { name: "Envoyer un SMS d'essai" }).click();
  await expect(page.getByText("SMS d'essai en route")).toBeVisible();
  const row = page.getByRole('list', { name: 'Derniers SMS' }).getByRole('listitem').first();
  await expect(row).toContainText('+226 XX XX XX 88');
  await expect(row).toContainText('Essai');
  await expect(row).toContainText('Envoyé', { timeout: 30_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  // A colleague's unseen save is not overwritten.
  await perCountry.fill('8000');
  await admin.send('PUT', '/api/admin/sms/settings', stored);
  await save.click();
  await page
    .getByRole('dialog', { name: /^Modifié entre-temps par / })
    .getByRole('button', { name: 'Recharger' })
    .click();
  await expect(perCountry).toHaveValue('10000');
});

test("a gateway's units are told; what it answers and nobody can read leaves them unknown, and says the last known", async ({
  page,
  product,
}) => {
  const balance = { balance: 12, balanceAt: '2026-03-05T10:30:00.000Z' };
  const told = { balanceFailure: null as string | null };
  await page.route('**/api/admin/sms', async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as { gateways: object[] };
    const gateways = state.gateways.map((gateway) => ({ ...gateway, ...balance, ...told }));
    // Without a tag each answer is read whole.
    await route.fulfill({ response, headers: { ...response.headers(), etag: '' }, json: { ...state, gateways } });
  });
  await enterAsAdministrator(page, product, address);
  const units = page.getByRole('term').filter({ hasText: 'Solde' }).locator('xpath=following-sibling::dd[1]');
  await expect(units).toHaveText(/^12\sSMSle 05\/03 10:30$/);
  told.balanceFailure = 'réponse illisible';
  await page.reload();
  await expect(units).toHaveText(/^Inconnuréponse illisible12\sSMS le 05\/03 10:30$/);
});

test('where the state of the messages cannot be read it says so, and reads it when asked again', async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/sms');
  await page.route('**/api/admin/sms', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Erreur interne' } }),
  );
  await enterAsAdministrator(page, product, address);
  await expect(page.getByText("Impossible de charger l'état des SMS.")).toBeVisible();
  await page.unroute('**/api/admin/sms');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Passerelles' })).toBeVisible();
});

test('polls that bring the same leave the screen as it is', async ({ page, product }) => {
  await installClock(page);
  const path = /^\/api\/admin\/sms\/deliveries$/;
  const asked = watchEtags(page, path);
  await enterAsAdministrator(page, product, address);
  await expect(page.getByRole('heading', { name: 'Derniers SMS' })).toBeVisible();
  await untilAnswered(page);
  await stopClock(page);
  const poll = () => changedDuring(page, () => runUntilAnswer(page, path, 10_100));
  // Messages of other tests may be pending: their outcomes are drawn first.
  await expect.poll(poll).toEqual([]);
  for (let round = 0; round < 2; round += 1) expect(await poll()).toEqual([]);
  expect(asked.slice(-2).map(({ status }) => status)).toEqual([304, 304]);
});
