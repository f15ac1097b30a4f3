import type { Page } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage } from './messages.ts';
import { enterAs, enterAsAdministrator, openTab } from './steps.ts';

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
const expectShown = (page: Page, sentence: string) => expect(page.getByText(sentence, { exact: true })).toBeVisible();

const takePicture = async (page: Page) => ({
  name: 'fond.png',
  mimeType: 'image/png',
  buffer: await page.screenshot(),
});

/** Sets a page background through the API; returns a function that removes it. */
async function setBackground(page: Page, admin: Caller, look: { opacity: number; blur: number }) {
  const upload = await page.request.post(new URL('/api/admin/upload-background', page.url()).href, {
    multipart: { background: await takePicture(page) },
  });
  const { url } = (await upload.json()) as { url: string };
  await admin.send('POST', settings, { backgroundImage: url, ...look });
  return () => admin.send('POST', settings, {});
}

test('background image upload, preview and delete; a visitor sees it at opacity/100 and blur px, and nothing without an image; a failed save loses nothing', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/background-settings');
  const admin = await callAsAdministrator(product);
  await enterAsAdministrator(page, product, '/admin/settings');
  const visitor = await browser.newPage();
  await visitor.goto(product.url);
  await expect(visitor.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(drawn(visitor)).toHaveCount(0);

  const { file, thumbnail, opacity, blur, preview, unsaved, save } = controlsOf(page);
  await expect(preview).toHaveCount(0);
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
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${settings}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await held;
    await route.fulfill({ status: 500, json: { message: 'Erreur interne', code: 'INTERNAL' } });
  });
  await save.click();
  await expect(page.getByRole('button', { name: 'Sauvegarde...' })).toBeVisible();
  release();
  await expectShown(page, 'Erreur lors de la sauvegarde des paramètres.');
  await expect(unsaved).toBeVisible();
  expect(await admin.send('GET', settings)).toMatchObject({ opacity: 30, blur: 5 });
  await page.unroute(`**${settings}`);
  await save.click();
  await expectShown(page, 'Paramètres sauvegardés');
  await expect(unsaved).toBeHidden();

  const name = /\w{32}/.exec((await thumbnail.getAttribute('src')) ?? '')?.[0];
  await visitor.reload();
  for (const screen of [page, visitor]) {
    await expect(drawn(screen)).toHaveCSS('opacity', '0.45');
    await expect(drawn(screen)).toHaveCSS('filter', 'blur(7px)');
    await expect(drawn(screen)).toHaveCSS('background-image', new RegExp(`/uploads/${name}-\\d+\\.webp`));
    await expect(drawn(screen)).toHaveCSS('pointer-events', 'none');
  }
  await visitor.getByRole('tab', { name: 'Inscription' }).click();
  await expect(visitor.getByLabel('Prénom')).toBeVisible();

  await page.getByRole('button', { name: "Supprimer l'image" }).click();
  await expectShown(page, 'Image supprimée');
  await expect(preview).toHaveCount(0);
  await expect(drawn(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Réinitialiser' }).click();
  await expectShown(page, 'Paramètres réinitialisés');
  await save.click();
  await expectShown(page, 'Paramètres sauvegardés');
  await expect(drawn(page)).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(drawn(visitor)).toHaveCount(0);
  expect(await admin.send('GET', settings)).toMatchObject({ backgroundImage: null, opacity: 30, blur: 5 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await visitor.close();
});

test('over a picture at 100 % every title is readable: on a plate, with a contrast of 4.5 over any colour', async ({
  page,
  browser,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  await enterAsAdministrator(page, product, '/admin/settings');
  const takeAway = await setBackground(page, admin, { opacity: 100, blur: 0 });
  const visitor = await browser.newPage();
  await expectReadable(visitor, `${product.url}/forgot-password`);
  await enterAs(visitor, product, { firstName: 'Titre', lastName: 'Lu', phone: '70340080' });
  for (const path of ['/', '/tickets']) await expectReadable(visitor, product.url + path);
  await expectReadable(page, `${product.url}/admin/tickets`);
  await visitor.close();
  await takeAway();
});

/** Checks in both themes that a screen's title has enough contrast on the plate, over white and over black. */
async function expectReadable(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(drawn(page)).toHaveCSS('opacity', '1');
  const title = page.getByRole('heading', { level: 1 });
  const measure = (heading: Element) => {
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
    const contrasts = ['white', 'black'].map((behind) => {
      const grounds = [luminance(behind, plate), luminance(behind, plate, getComputedStyle(heading).color)];
      return (Math.max(...grounds) + 0.05) / (Math.min(...grounds) + 0.05);
    });
    return Math.min(...contrasts);
  };
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(title).toBeVisible();
    expect(await title.evaluate(measure), `${address} ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
  }
}

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
  await expect(offered).toHaveText([reason, ...others]);
  await dialog.getByRole('button', { name: reason }).click();
  await dialog.getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expectShown(page, 'Statut mis à jour');
  const [notice] = (await user.send('GET', `/api/notifications/user/${user.userId}`)) as { message: string }[];
  expect(notice?.message).toContain(reason);
  await admin.send('PUT', reasonsPath, before);
});

test("“L”image ne doit pas dépasser 5MB.', “Erreur lors du téléchargement de l”image.', and what stood there stays", async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/admin/upload-background');
  await enterAsAdministrator(page, product, '/admin/settings');
  let sent = 0;
  page.on('request', (each) => {
    if (each.url().endsWith('/upload-background')) sent += 1;
  });
  const { file, thumbnail, unsaved } = controlsOf(page);
  const maximum = 5 * 1024 * 1024;
  const send = (bytes: number, mimeType = 'image/png') =>
    file.setInputFiles({ name: 'fond.png', mimeType, buffer: Buffer.alloc(bytes) });
  await send(maximum + 1);
  await expectShown(page, "L'image ne doit pas dépasser 5MB.");
  await send(100, 'application/pdf');
  await expectShown(page, 'Type de fichier invalide');
  expect(sent).toBe(0);
  // Small enough, but no picture.
  await send(maximum);
  await expectShown(page, "Erreur lors du téléchargement de l'image.");
  expect(sent).toBe(1);
  await closeMessage(page);
  await page.route('**/api/admin/upload-background', (route) => route.abort());
  await file.setInputFiles(await takePicture(page));
  await expectShown(page, "Erreur lors du téléchargement de l'image.");
  await expect(thumbnail).toHaveCount(0);
  await expect(unsaved).toBeHidden();
  await page.unroute('**/api/admin/upload-background');
  await file.setInputFiles(await takePicture(page));
  await expectShown(page, 'Image téléchargée');
  await expect(thumbnail).toBeVisible();
});

test('the contact, of two administrators: a wrong address is told at its field, a stale save is refused, and its author decides', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/contact');
  const admin = await callAsAdministrator(product);
  const none = { whatsapp: null, phone: null, email: null };
  const saved = () => admin.send('GET', '/api/contact');
  const saveTheirs = (phone: string) =>
    admin.send('PUT', '/api/admin/contact', { ...none, phone, email: 'deux@exemple.bf' });
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/settings?section=contact');
  const email = page.getByRole('textbox', { name: 'E-mail' });
  const save = page.getByRole('button', { name: 'Enregistrer', exact: true });
  const question = page.getByRole('dialog', { name: /^Modifié entre-temps par / });
  await email.fill('sans arobase');
  await save.click();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await email.fill('un@exemple.bf');
  await saveTheirs('+22670000001');
  await save.click();
  await expect(question).toBeVisible();
  expect(await saved()).toMatchObject({ email: 'deux@exemple.bf' });
  await question.getByRole('button', { name: 'Recharger' }).click();
  await expect(email).toHaveValue('deux@exemple.bf');

  await email.fill('un@exemple.bf');
  await saveTheirs('+22670000002');
  await save.click();
  await question.getByRole('button', { name: 'Enregistrer quand même' }).click();
  await expect(page.getByText('Contact enregistré')).toBeVisible();
  await expect(email).toHaveValue('un@exemple.bf');
  expect(await saved()).toMatchObject({ email: 'un@exemple.bf' });
  await admin.send('PUT', '/api/admin/contact', none);
});
