import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator, openTab } from './steps.ts';

const settings = '/api/admin/background-settings';
const reasonsPath = '/api/admin/reject-reasons';
test.use({ viewport: desktopSize });

const controlsOf = (page: Page) => ({
  file: page.getByLabel('Image de fond'),
  thumbnail: page.getByRole('img', { name: 'Fond de page actuel' }),
  opacity: page.getByRole('slider', { name: 'Opacité' }),
  blur: page.getByRole('slider', { name: 'Flou' }),
  preview: page.getByRole('figure', { name: 'Aperçu' }).locator('[style*="background-image"]'),
  unsaved: page.getByText('Modifications non enregistrées'),
  save: page.getByRole('button', { name: 'Sauvegarder' }),
});

const drawn = (page: Page) => page.getByTestId('page-background');
/** The contrast of a text on its plate, where the picture behind is the worst one of all: black or white. */
const contrastOf = (text: Locator): Promise<number> =>
  text.evaluate((heading) => {
    const { opacity } = getComputedStyle(document.querySelector('.page-background') as HTMLElement);
    const page = getComputedStyle(document.documentElement).backgroundColor;
    const plate = getComputedStyle(heading.closest('main, .on-page') as HTMLElement, '::before').backgroundColor;
    const brush = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
    /** The relative luminance of blended colours: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
    const luminance = (...colours: string[]) => {
      for (const colour of colours) {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
      }
      const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrasts = [255, 0].map((shade) => {
      const ground = [page, `rgb(${shade} ${shade} ${shade} / ${opacity})`, plate];
      const grounds = [luminance(...ground), luminance(...ground, getComputedStyle(heading).color)];
      return (Math.max(...grounds) + 0.05) / (Math.min(...grounds) + 0.05);
    });
    return Math.min(...contrasts);
  });

const expectShown = (page: Page, sentence: string) => expect(page.getByText(sentence, { exact: true })).toBeVisible();

const takePicture = async (page: Page) => ({
  name: 'fond.png',
  mimeType: 'image/png',
  buffer: await page.screenshot(),
});

test('background image upload, preview and delete; a visitor sees it at opacity/100 and blur px, and nothing without an image; what fails loses nothing', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/background-settings', '400 /api/admin/upload-background');
  const admin = await callAsAdministrator(product);
  await enterAsAdministrator(page, product, '/admin/settings');
  const visitor = await browser.newPage();
  await visitor.goto(product.url);
  await expect(visitor.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(drawn(visitor)).toHaveCount(0);

  const { file, thumbnail, opacity, blur, preview, unsaved, save } = controlsOf(page);
  await expect(preview).toHaveCount(0);
  const maximum = 5 * 1024 * 1024;
  const send = (bytes: number, mimeType = 'image/png') =>
    file.setInputFiles({ name: 'fond.png', mimeType, buffer: Buffer.alloc(bytes) });
  await send(maximum + 1);
  await expectShown(page, "L'image ne doit pas dépasser 5MB.");
  await send(100, 'application/pdf');
  await expectShown(page, 'Type de fichier invalide');
  // Small enough, but no picture.
  await send(maximum);
  await expectShown(page, "Erreur lors du téléchargement de l'image.");
  await expect(thumbnail).toHaveCount(0);
  await expect(unsaved).toBeHidden();
  await file.setInputFiles(await takePicture(page));
  await expectShown(page, 'Image téléchargée');
  await expect(thumbnail).toHaveAttribute('src', /^\/uploads\/[a-f0-9]{32}\.webp$/);
  await expect(thumbnail).toHaveJSProperty('complete', true);
  expect(await thumbnail.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/-160\.webp$/);
  await expect(preview).toHaveCSS('opacity', '0.3');
  await expect(preview).toHaveCSS('filter', 'blur(5px)');
  for (const [slider, unit, top] of [
    [opacity, '%', 100],
    [blur, 'px', 20],
  ] as const) {
    const shows = (value: number) => expect(slider).toHaveAttribute('aria-valuetext', `${value} ${unit}`);
    await slider.press('End');
    await slider.press('ArrowRight');
    await shows(top);
    await slider.press('Home');
    await slider.press('ArrowLeft');
    await shows(0);
  }
  await opacity.fill('45');
  await expect(page.getByText('45 %', { exact: true })).toBeVisible();
  await expect(preview).toHaveCSS('opacity', '0.45');
  await blur.fill('7');
  await expect(page.getByText('7 px', { exact: true })).toBeVisible();
  await expect(preview).toHaveCSS('filter', 'blur(7px)');
  await expect(unsaved).toBeVisible();
  // No other user sees it before it is saved.
  await expect(drawn(page)).toHaveCount(0);
  expect(await admin.send('GET', settings)).toMatchObject({ backgroundImage: null, opacity: 30, blur: 5 });
  await page.route(`**${settings}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fulfill({ status: 500, json: { message: 'Erreur interne', code: 'INTERNAL' } });
  });
  await save.click();
  await expectShown(page, 'Erreur lors de la sauvegarde des paramètres.');
  await expect(unsaved).toBeVisible();
  expect(await admin.send('GET', settings)).toMatchObject({ opacity: 30, blur: 5 });
  await page.unroute(`**${settings}`);
  await save.click();
  await expectShown(page, 'Paramètres sauvegardés');
  await expect(unsaved).toBeHidden();

  const name = /\w{32}/.exec((await thumbnail.getAttribute('src')) ?? '')?.[0];
  await visitor.reload();
  await expect(drawn(visitor)).toHaveCSS('opacity', '0.45');
  await expect(drawn(visitor)).toHaveCSS('filter', 'blur(7px)');
  await expect(drawn(visitor)).toHaveCSS('background-image', new RegExp(`/uploads/${name}-\\d+\\.webp`));
  await expect(drawn(visitor)).toHaveCSS('pointer-events', 'none');
  for (const colorScheme of ['dark', 'light'] as const) {
    await visitor.emulateMedia({ colorScheme });
    expect(await contrastOf(visitor.getByText('ou', { exact: true })), colorScheme).toBeGreaterThanOrEqual(4.5);
  }
  // The desk of whoever moves money has none.
  await expect(drawn(page)).toHaveCount(0);
  // A faint picture is seen through the text's plate.
  const plate = visitor.locator('main').evaluate((main) => getComputedStyle(main, '::before').backgroundColor);
  expect(Number(/[\d.]+(?=\)$)/.exec(await plate)?.[0])).toBeLessThan(0.75);
  await visitor.getByRole('tab', { name: 'Inscription' }).click();
  await expect(visitor.getByLabel('Prénom')).toBeVisible();

  await page.getByRole('button', { name: "Supprimer l'image" }).click();
  await expectShown(page, 'Image supprimée');
  await expect(preview).toHaveCount(0);
  await page.getByRole('button', { name: 'Réinitialiser' }).click();
  await expectShown(page, 'Paramètres réinitialisés');
  await save.click();
  await expectShown(page, 'Paramètres sauvegardés');
  await visitor.reload();
  await expect(visitor.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(drawn(visitor)).toHaveCount(0);
  expect(await admin.send('GET', settings)).toMatchObject({ backgroundImage: null, opacity: 30, blur: 5 });
  await visitor.close();
});

test('an image that a proxy finds too large is said so', async ({ page, product, provoke }) => {
  provoke('413 /api/admin/upload-background');
  await enterAsAdministrator(page, product, '/admin/settings');
  const upload = '**/api/admin/upload-background';
  await page.route(upload, (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }),
  );
  await controlsOf(page).file.setInputFiles(await takePicture(page));
  await expect(page.getByText(/^Ce fichier est trop volumineux pour le serveur placé devant Guichet\./)).toBeVisible();
  await expect(page.getByText('Hors connexion')).toHaveCount(0);
});

test('an upload goes on as long as it moves, and ends once it stands still', async ({ page, product }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const { open } = XMLHttpRequest.prototype;
    Object.assign(window, { moved: 0 });
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...given: unknown[]) {
      this.upload.addEventListener('progress', () =>
        Object.assign(window, { moved: Reflect.get(window, 'moved') + 1 }),
      );
      Reflect.apply(open, this, given);
    };
  });
  await enterAsAdministrator(page, product, '/admin/settings');
  const { file } = controlsOf(page);
  const moved = () => page.evaluate(() => Number(Reflect.get(window, 'moved')));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: 400_000 });
  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
  const picture = { width: 1250, height: 1200, channels: 3, background: '#15803d', noise } as const;
  const buffer = await sharp({ create: picture }).png().toBuffer();
  await file.setInputFiles({ name: 'fond.png', mimeType: 'image/png', buffer });
  // Five minutes by the page's clock.
  for (const _ of [1, 2, 3]) {
    const before = await moved();
    await expect.poll(moved).toBeGreaterThan(before);
    await page.clock.fastForward(100_000);
  }
  await devtools.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await expectShown(page, 'Image téléchargée');

  await page.route('**/api/admin/upload-background', () => {});
  const asked = page.waitForRequest('**/api/admin/upload-background');
  await file.setInputFiles({ name: 'fond.png', mimeType: 'image/png', buffer });
  await asked;
  await page.clock.fastForward(125_000);
  await expectShown(page, 'Pas de réponse du réseau. Vérifiez votre connexion et réessayez.');
});

test('reject reasons: one a line, refused where one is twice in the list, offered in the reject dialog', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const before = (await admin.send('GET', reasonsPath)) as { reasons: string[] };
  const user = await callAs(product, { firstName: 'Motif', lastName: 'Lu', phone: '70340180' });
  const [ticket = 0] = await fileTickets(user, 1);
  const reason = uniqueName('Reçu illisible');
  const [first = '', ...others] = before.reasons;
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/settings?section=motifs');
  const field = page.getByLabel('Motifs, un par ligne');
  const save = page.getByRole('button', { name: 'Enregistrer', exact: true });
  await expect(field).toHaveValue(before.reasons.join('\n'));
  await field.fill([...before.reasons, first.toUpperCase()].join('\n'));
  await save.click();
  await expect(field).toHaveAccessibleDescription(`« ${first.toUpperCase()} » est deux fois dans la liste.`);
  expect(await admin.send('GET', reasonsPath)).toMatchObject(before);
  await field.fill(`  ${reason}  \n\n${others.join('\n')}`);
  await save.click();
  await expectShown(page, 'Motifs enregistrés');
  await expect(field).toHaveValue([reason, ...others].join('\n'));

  await page.setViewportSize(desktopSize);
  await openTab(page, 'Tickets');
  await page.getByLabel('Rechercher un ticket ou un service').fill(String(ticket));
  await page.getByRole('button', { name: `Ouvrir le ticket n° ${ticket}`, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rejeter' }).click();
  const dialog = page.getByRole('dialog', { name: `Rejeter le ticket n° ${ticket}` });
  const offered = dialog.getByRole('group', { name: 'Motifs enregistrés' }).getByRole('button');
  await expect(offered).toHaveText([reason, ...others].map((each, n) => `${n + 1}${each}`));
  await dialog.getByRole('button', { name: reason }).click();
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expectShown(page, 'Statut mis à jour');
  const notices = () => user.send('GET', `/api/notifications/user/${user.userId}`) as Promise<{ message: string }[]>;
  await expect.poll(async () => (await notices())[0]?.message, { timeout: 20_000 }).toContain(reason);
  await admin.send('PUT', reasonsPath, before);
});

test('the contact: a wrong address is told at its field, a stale save is refused, and reloaded', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/contact');
  const admin = await callAsAdministrator(product);
  const none = { whatsapp: null, phone: null, email: null };
  const saved = () => admin.send('GET', '/api/contact');
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/settings?section=contact');
  const email = page.getByRole('textbox', { name: 'E-mail' });
  const save = page.getByRole('button', { name: 'Enregistrer', exact: true });
  const question = page.getByRole('dialog', { name: /^Modifié entre-temps par / });
  await email.fill('sans arobase');
  await save.click();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await email.fill('un@exemple.bf');
  await admin.send('PUT', '/api/admin/contact', { ...none, email: 'deux@exemple.bf' });
  await save.click();
  await expect(question).toBeVisible();
  expect(await saved()).toMatchObject({ email: 'deux@exemple.bf' });
  await question.getByRole('button', { name: 'Recharger' }).click();
  await expect(email).toHaveValue('deux@exemple.bf');
  await admin.send('PUT', '/api/admin/contact', none);
});

test('SMS: an administrator sets the cap, sends a test message, and sees that its gateway took it; a failing gateway says why', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const stored = { perCountryAndDay: 10_000, onDecision: false };
  await admin.send('PUT', '/api/admin/sms/settings', stored);
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/settings?section=sms');
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
  const isTaken = async () =>
    ((await admin.send('GET', '/api/admin/sms')) as { gateways: { lastSentAt: string | null }[] }).gateways.some(
      ({ lastSentAt }) => lastSentAt !== null,
    );
  await expect.poll(isTaken).toBe(true);
  await page.reload();
  await expect(page.getByText('En service')).toBeVisible();
  await admin.send('PUT', '/api/admin/sms/settings', stored);

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
    const [country, ...others] = state.today.countries;
    const today = { countries: [{ ...country, queued: 500, cap: 500 }, ...others] };
    // Without a tag each answer is read whole.
    await route.fulfill({
      response,
      headers: { ...response.headers(), etag: '' },
      json: { ...state, today, gateways: [failed] },
    });
  });
  await page.reload();
  await expect(page.getByText('7 échecs de suite')).toBeVisible();
  await expect(page.getByText('Dernier échec le 05/03 10:30 : refus 402')).toBeVisible();
  await expect(page.getByText('Plafond atteint · 500 sur 500')).toBeVisible();
});
