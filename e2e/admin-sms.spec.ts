import { phoneSize } from './browser.ts';
import { callAsAdministrator } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: phoneSize });

const smsAddress = '/admin/settings?section=sms';

test('an administrator sets the cap, sends a test message, and sees that its gateway took it', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const stored = { perCountryAndDay: 10_000, onDecision: false };
  await admin.send('PUT', '/api/admin/sms/settings', stored);
  await enterAsAdministrator(page, product, smsAddress);
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
    settings: { perCountryAndDay: 9_000, onDecision: true },
  });
  await expect(page.getByText(/sur 9.000/).first()).toBeVisible();

  await page.getByRole('button', { name: "Envoyer un SMS d'essai" }).click();
  await expect(page.getByText('Saisissez un numéro de téléphone.')).toBeVisible();
  await page.getByLabel('Numéro de téléphone').fill('70556688');
  await page.getByRole('button', { name: "Envoyer un SMS d'essai" }).click();
  await expect(page.getByText("SMS d'essai en route")).toBeVisible();
  await expect(page.getByText('En service')).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await admin.send('PUT', '/api/admin/sms/settings', stored);
});

test('a gateway that fails says why, and a cap that is reached stands out; what cannot be read says so, and is read when asked again', async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/sms');
  await page.route('**/api/admin/sms', async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as { today: { countries: object[] } };
    const failed = {
      name: 'orange',
      dialCodes: ['226', '225'],
      lastSentAt: null,
      lastFailedAt: '2026-03-05T10:30:00.000Z',
      failure: 'refus 402',
      failuresInARow: 7,
    };
    const [first, ...others] = state.today.countries;
    const today = { countries: [{ ...first, queued: 500, cap: 500 }, ...others] };
    // Without a tag each answer is read whole.
    await route.fulfill({
      response,
      headers: { ...response.headers(), etag: '' },
      json: { ...state, today, gateways: [failed] },
    });
  });
  await enterAsAdministrator(page, product, smsAddress);
  await expect(page.getByText('7 échecs de suite')).toBeVisible();
  await expect(page.getByText('Dernier échec le 05/03 10:30 : refus 402')).toBeVisible();
  await expect(page.getByText('Plafond atteint · 500 sur 500')).toBeVisible();
  await page.unroute('**/api/admin/sms');
  await page.route('**/api/admin/sms', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Erreur interne' } }),
  );
  await enterAsAdministrator(page, product, smsAddress);
  await expect(page.getByText("Impossible de charger l'état des SMS.")).toBeVisible();
  await page.unroute('**/api/admin/sms');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Passerelles' })).toBeVisible();
});
