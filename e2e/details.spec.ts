import { untilAnswered } from './answers.ts';
import { test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect } from './fixtures.ts';
import { password } from './people.ts';
import { startProduct } from './product.ts';
import { choosePayment, enterAs, enterAsGuest, enterBy, fillSignUp } from './steps.ts';

/** A phone, which has a dialler. */
test.use({ hasTouch: true });

test('a code that has no tries left says so, and another one begins in the first box @slow', async ({
  page,
  provoke,
}) => {
  provoke('400 /api/auth/verify-otp');
  const product = await startProduct(undefined, { RATE_LIMITS: 'off' });
  const person = { firstName: 'Lassina', lastName: 'Diabaté', phone: '75000001' };
  await page.clock.install();
  await page.goto(product.url);
  await fillSignUp(page, person);
  const right = await product.readCode(`+226${person.phone}`);
  const [wrong = ''] = ['1111', '2222'].filter((code) => code !== right);
  const spent = page.getByText('Ce code ne peut plus servir : demandez un nouveau code.');
  for (let tries = 3; tries > 0; tries -= 1) {
    await expect(spent).toBeHidden();
    await expect(page.getByLabel('Chiffre 1')).toBeFocused();
    const answered = page.waitForResponse('**/api/auth/verify-otp');
    await page.keyboard.type(wrong);
    expect((await answered).status()).toBe(400);
    await expect(page.getByLabel('Chiffre 4')).toHaveValue('');
  }
  await expect(spent).toBeVisible();
  await page.reload();
  await expect(spent).toBeVisible();
  await page.clock.runFor(61_000);
  await page.getByRole('button', { name: 'Renvoyer le code' }).click();
  await expect(page.getByText('Code renvoyé')).toBeVisible();
  await expect(spent).toBeHidden();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(await product.readCode(`+226${person.phone}`));
  await expect(page.getByRole('heading', { name: 'Bonjour Lassina' })).toBeVisible();
  await page.close();
  await product.stop();
});

test("a service's text has the size, colour and style it was given, all of it @slow", async ({
  page,
  product,
  branch,
}) => {
  const style = { textSize: 'small', textColor: '#A61B1B', textStyle: 'bold italic' } as const;
  const texts = { description: 'Une description.', price: '1 000 FCFA' };
  await branch.change(branch.root, { ...texts, ...style });
  await branch.add('Enfant moyen', { ...texts, textSize: 'medium' });
  await branch.add('Enfant grand', { ...texts, textSize: 'large', textStyle: 'italic' });
  await enterAsGuest(page, product);
  const look = (name: string, text: string) =>
    page
      .getByRole('button', { name })
      .getByText(text, { exact: true })
      .evaluate((element) => {
        const { fontSize, color, fontWeight, fontStyle } = getComputedStyle(element);
        return [fontSize, color, fontWeight, fontStyle].join(' ');
      });
  for (const text of [branch.root.name, texts.description, texts.price])
    expect(await look(branch.root.name, text)).toBe('12px rgb(166, 27, 27) 700 italic');
  await page.getByRole('button', { name: branch.root.name }).click();
  await expect(page.getByRole('button', { name: 'Enfant moyen' })).toBeVisible();
  // A name is bold in any style.
  expect(await look('Enfant moyen', 'Enfant moyen')).toBe('14px rgb(30, 41, 59) 700 normal');
  expect(await look('Enfant grand', 'Enfant grand')).toBe('16px rgb(30, 41, 59) 700 italic');
  for (const text of [texts.description, texts.price]) {
    expect(await look('Enfant moyen', text)).toBe('14px rgb(30, 41, 59) 400 normal');
    expect(await look('Enfant grand', text)).toBe('16px rgb(30, 41, 59) 400 italic');
  }
});

test('a service without a price says that an agent will tell it, from the summary to the ticket @slow', async ({
  page,
  product,
  branch,
}) => {
  const child = await branch.add('Sur demande', { isFinalLevel: true, commissionValue: 500, phoneNumber: '*144*XX#' });
  await enterAs(page, product, { firstName: 'Rasmané', lastName: 'Tapsoba', phone: '75000002' });
  await page.getByRole('button', { name: branch.root.name }).click();
  await page.getByRole('button', { name: child.name }).click();
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  await expect(page.getByText('Un agent vous communiquera le prix de ce service.')).toBeVisible();
  await expect(page.getByText(/\b0\sFCFA/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog')).toContainText('Communiqué par un agent');
  await expect(page.getByText(/\b0\sFCFA/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Ticket n°/ })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Communiqué par un agent');
  await expect(page.getByText(/\b0\sFCFA/)).toHaveCount(0);
});

test('P8.9, a free service says so from the summary to the ticket, and asks for no payment @slow', {
  tag: '@sizes',
}, async ({ page, product, branch }) => {
  const child = await branch.add('Renseignement', { isFinalLevel: true, price: 'Gratuit', commissionValue: 500 });
  await enterAs(page, product, { firstName: 'Rakia', lastName: 'Tapsoba', phone: '75000008' });
  await page.getByRole('button', { name: branch.root.name }).click();
  await page.getByRole('button', { name: child.name }).click();
  await expect(page.getByTestId('total')).toHaveText('Gratuit');
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  const told = page.getByText(/par un agent|agent vous|\b0\sFCFA/);
  await expect(told).toHaveCount(0);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog')).toContainText('total Gratuit');
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  await expect(page.locator('[id^=ticket-]')).toContainText('Gratuit');
  await expect(page.getByRole('button', { name: /^J'ai payé/ })).toHaveCount(0);
  await page.getByRole('link', { name: /^Détails/ }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/^Demande créée/, /^Vérification/]);
  await expect(told).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^J'ai payé/ })).toHaveCount(0);
});

test('a notification without an id is not found, and a stored user that cannot be parsed is told in the console @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/notifications/999999');
  await enterAs(page, product, { firstName: 'Odile', lastName: 'Somé', phone: '75000003' });
  for (const path of ['/notification', '/notification/', '/notification/999999', '/notification/x']) {
    await page.goto(product.url + path);
    await expect(page.getByText('Notification introuvable'), path).toBeVisible();
    await expect(page.getByText('Elle a peut-être été supprimée, ou elle appartient à un autre compte.')).toBeVisible();
  }
  // The answer about who is signed in would store the user again.
  await untilAnswered(page);
  const told = page.waitForEvent('console', (message) => message.text() === 'the stored user cannot be parsed');
  await page.evaluate(() => localStorage.setItem('guichet_user', '{"id":'));
  await page.reload();
  expect((await told).type()).toBe('log');
  await expect(page).toHaveURL(`${product.url}/auth`);
});

test('forms say what password managers and keyboards want to know @slow', async ({ page, product }) => {
  const hints = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((field) =>
        ['autocomplete', 'autocapitalize', 'spellcheck', 'enterkeyhint'].map((name) => field.getAttribute(name)),
      );
  await page.goto(product.url);
  expect(await hints('Téléphone ou e-mail')).toEqual(['username', 'none', 'false', 'next']);
  expect(await hints('Mot de passe')).toEqual(['current-password', 'none', 'false', 'go']);
  await page.getByRole('tab', { name: 'Inscription' }).click();
  expect(await hints('Prénom')).toEqual(['given-name', 'words', 'false', 'next']);
  expect(await hints('Téléphone')).toEqual(['username', null, null, 'next']);
  expect(await hints('E-mail (facultatif)')).toEqual(['email', 'none', 'false', 'next']);
  expect(await hints('Mot de passe')).toEqual(['new-password', 'none', 'false', 'next']);
  expect(await hints('Confirmer le mot de passe')).toEqual(['new-password', 'none', 'false', 'done']);
  await page.getByRole('button', { name: 'Afficher le mot de passe' }).first().click();
  expect(await hints('Mot de passe')).toEqual(['new-password', 'none', 'false', 'next']);
  await page.evaluate(() => {
    localStorage.setItem('resetPasswordToken', 'x'.repeat(43));
    localStorage.setItem('resetPasswordPhone', '+22675000004');
  });
  await page.goto(`${product.url}/reset-password`);
  expect(await hints('Nouveau mot de passe')).toEqual(['new-password', 'none', 'false', 'next']);
  await expect(page.locator('input[autocomplete=username]')).toHaveValue('+226 75 00 00 04');
});

test('the code of each ticket in a list is copied and dialled by a button with its number in its name @slow', async ({
  page,
  product,
}) => {
  const person = { firstName: 'Fati', lastName: 'Sorgho', phone: '75000005' };
  const caller = await callAs(product, person);
  const ids = await fileTickets(caller, 2);
  await caller.end();
  await enterBy(page, product, caller.entrance, '/tickets');
  for (const id of ids) {
    await expect(page.getByRole('button', { name: `Copier le code du ticket n° ${id}`, exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: `Composer le code du ticket n° ${id}`, exact: true })).toBeVisible();
  }
});

test('all notifications are marked read by a call each, four at a time, with progress and one message @slow', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Gaston', lastName: 'Bamogo', phone: '75000006' };
  const caller = await callAs(product, person);
  for (const id of await fileTickets(caller, 6))
    await branch.admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await caller.end();
  await enterBy(page, product, caller.entrance, '/notifications');
  const unread = page.getByRole('button', { name: /\(non lue\)/ });
  await expect(unread).toHaveCount(6);

  const waiting: (() => void)[] = [];
  let open = 0;
  let most = 0;
  let lost = 2;
  await page.route('**/api/notifications/*/read', async (route) => {
    open += 1;
    most = Math.max(most, open);
    await new Promise<void>((resolve) => waiting.push(resolve));
    open -= 1;
    lost -= 1;
    await (lost >= 0 ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: 'Marquer tout comme lu' }).click();
  await expect(page.getByRole('button', { name: '0 sur 6 lues' })).toBeVisible();
  for (let done = 1; done <= 5; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
    await expect(page.getByRole('button', { name: `${done} sur 6 lues` })).toBeVisible();
  }
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  await expect(page.getByText(/^2 sur 6 non marquées comme lues\./)).toBeVisible();
  expect(most).toBe(4);
  await expect(unread).toHaveCount(2);
  await page.unroute('**/api/notifications/*/read');
  await page.getByRole('button', { name: 'Marquer tout comme lu' }).click();
  await expect(page.getByText('2 notifications marquées comme lues.')).toBeVisible();
  await expect(unread).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Marquer tout comme lu' })).toBeHidden();
});

test('somebody whom an administrator let in without a password is led to choose one, with their number @slow', async ({
  page,
  product,
  branch,
  provoke,
}) => {
  provoke('403 /api/auth/signin');
  const phone = '+22675000007';
  const person = { firstName: 'Kady', lastName: 'Tall', phone, countryCode: '+226' };
  const answer = await page.request.post(`${product.url}/api/auth/signup`, {
    data: { ...person, password, confirmPassword: password },
  });
  const { user } = (await answer.json()) as { user: { id: number } };
  await product.readCode(phone);
  await branch.admin.send('PATCH', `/api/admin/users/${user.id}/activate`);
  await page.goto(product.url);
  await page.getByLabel('Téléphone ou e-mail').fill(phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Mot de passe oublié' })).toBeVisible();
  await expect(page.getByText('Choisissez votre mot de passe : un code vous sera envoyé par SMS.')).toBeVisible();
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue('+226 75 00 00 07');
  await page.getByRole('button', { name: 'Envoyer le code' }).click();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(await product.readCode(phone));
  await page.getByLabel('Nouveau mot de passe').fill('choisi-par-moi');
  await page.getByLabel('Confirmer le mot de passe').fill('choisi-par-moi');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('+226 75 00 00 07');
  await page.getByLabel('Mot de passe', { exact: true }).fill('choisi-par-moi');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Kady' })).toBeVisible();
});
