import type { Page } from '@playwright/test';
import { installClock, runUntilAnswer, setHidden, stopClock, untilAnswer } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { fillSignUp } from './steps.ts';

const path = /^\/api\/auth\/code-delivery$/;
const person = (phone: string) => ({ firstName: 'Awa', lastName: 'Remise', phone });
const everyMs = 3_000;

/** Fakes a gateway's delivery report. */
const reportDelivery = (page: Page, state: string) =>
  page.route('**/api/auth/code-delivery?*', (route) => route.fulfill({ json: { state } }));

function countAsked(page: Page): () => number {
  let asked = 0;
  page.on('request', (request) => {
    if (path.test(new URL(request.url()).pathname)) asked += 1;
  });
  return () => asked;
}

test('the screen of a code says when its SMS was sent', async ({ page, product }) => {
  await page.goto(product.url);
  await fillSignUp(page, person('77030001'));
  await expect(page.getByText('SMS envoyé', { exact: true })).toBeVisible();
});

for (const [state, phone, sentence] of [
  ['delivered', '77030002', 'SMS remis à votre téléphone'],
  ['failed', '77030003', "L'envoi a échoué. Vérifiez le numéro ou demandez un nouveau code."],
  ['undelivered', '77030004', "L'envoi a échoué. Vérifiez le numéro ou demandez un nouveau code."],
] as const)
  test(`${state}: it says so where nothing moves, and asks no more`, async ({ page, product }) => {
    await installClock(page);
    const asked = countAsked(page);
    await page.goto(product.url);
    await stopClock(page);
    await fillSignUp(page, person(phone));
    await reportDelivery(page, state);
    const button = page.getByRole('button', { name: 'Vérifier' });
    const before = await button.boundingBox();
    await runUntilAnswer(page, path, everyMs);
    await expect(page.getByText(sentence)).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
    const count = asked();
    await page.clock.runFor(60_000);
    expect(asked()).toBe(count);
  });

test('what waits for its gateway is said to wait, and asked for until its code is worth nothing', async ({
  page,
  product,
}) => {
  await installClock(page);
  const asked = countAsked(page);
  await page.goto(product.url);
  await stopClock(page);
  await fillSignUp(page, person('77030012'));
  await reportDelivery(page, 'waiting');
  for (let round = 0; round < 25; round += 1) await runUntilAnswer(page, path, everyMs);
  await expect(page.getByText("L'envoi prend plus de temps que d'habitude.")).toBeVisible();
  expect(asked()).toBeGreaterThanOrEqual(25);
  await reportDelivery(page, 'delivered');
  await runUntilAnswer(page, path, everyMs);
  await expect(page.getByText('SMS remis à votre téléphone')).toBeVisible();
});

test('it goes on after answers that pass, and asks no more after a refusal', async ({ page, product, provoke }) => {
  provoke('503 /api/auth/code-delivery', '429 /api/auth/code-delivery', '400 /api/auth/code-delivery');
  await installClock(page);
  const asked = countAsked(page);
  await page.goto(product.url);
  await stopClock(page);
  const refuse = (status: number, code: string) =>
    page.route('**/api/auth/code-delivery?*', (route) => route.fulfill({ status, json: { code, message: 'Non.' } }));
  await refuse(503, 'BUSY');
  await fillSignUp(page, person('77030010'));
  await runUntilAnswer(page, path, everyMs);
  await refuse(429, 'TOO_MANY');
  await runUntilAnswer(page, path, everyMs);
  await reportDelivery(page, 'sent');
  await runUntilAnswer(page, path, everyMs);
  await expect(page.getByText('SMS envoyé', { exact: true })).toBeVisible();
  await refuse(400, 'INVALID');
  await runUntilAnswer(page, path, everyMs);
  const count = asked();
  await page.clock.runFor(60_000);
  expect(asked()).toBe(count);
});

test('where no code may be sent until midnight, another one can be asked for after a minute', async ({
  page,
  product,
  provoke,
}) => {
  provoke('503 /api/auth/resend-otp');
  await installClock(page);
  await page.goto(product.url);
  await stopClock(page);
  await reportDelivery(page, 'delivered');
  await fillSignUp(page, person('77030011'));
  await page.clock.runFor(60_000);
  const message = 'Nous ne pouvons pas envoyer de code par SMS pour le moment. Réessayez dans 9 heures.';
  await page.route('**/api/auth/resend-otp', (route) =>
    route.fulfill({ status: 503, json: { code: 'SMS_PAUSED', message, retryAfter: 32_400 } }),
  );
  await page.getByRole('button', { name: 'Renvoyer le code' }).click();
  await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Renvoyer le code dans 60 secondes' })).toBeDisabled();
  await page.clock.runFor(60_000);
  await expect(page.getByRole('button', { name: 'Renvoyer le code', exact: true })).toBeEnabled();
});

test('it asks for a minute at most, not while the tab is hidden, and anew for a new code', async ({
  page,
  product,
}) => {
  await installClock(page);
  const asked = countAsked(page);
  await page.goto(product.url);
  await stopClock(page);
  await reportDelivery(page, 'sent');
  await fillSignUp(page, person('77030009'));
  await setHidden(page, true);
  const hidden = asked();
  await page.clock.runFor(30_000);
  expect(asked()).toBe(hidden);
  await untilAnswer(page, path, () => setHidden(page, false));
  for (let round = asked(); round < 20; round += 1) await runUntilAnswer(page, path, everyMs);
  await page.clock.runFor(30_000);
  expect(asked()).toBe(20);
  await page.route('**/api/auth/resend-otp', (route) =>
    route.fulfill({ json: { message: 'Code renvoyé', retryAfter: 120 } }),
  );
  await page.getByRole('button', { name: 'Renvoyer le code' }).click();
  await expect(page.getByText('Un nouveau code vous a été envoyé par SMS.')).toBeVisible();
  await runUntilAnswer(page, path, everyMs);
  expect(asked()).toBe(21);
});
