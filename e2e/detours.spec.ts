import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import { choosePayment, drillDown, enterAsGuest, enterCode, fillSignUp } from './steps.ts';

const toFixedPrice = [
  'Télécom et mobile',
  'Burkina Faso',
  'Moov Africa',
  'Forfaits internet',
  'Forfait internet 1 jour',
];

test('a guest who orders is sent to sign up, and comes back to the same order', async ({ page, product }) => {
  await enterAsGuest(page, product);
  await drillDown(page, toFixedPrice);
  await page.getByLabel('Numéro du bénéficiaire').fill('70 22 33 44');
  await choosePayment(page, 'Moov Money');
  await expect(page.getByTestId('total')).toHaveText(/^325\sFCFA$/);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Veuillez vous connecter pour continuer.')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/auth`);
  // Why, and where to begin without an account (P4.18).
  await expect(page.getByText('Il faut un compte pour envoyer une demande.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
  const person = { firstName: 'Issa', lastName: 'Traoré', phone: '70224455' };
  await fillSignUp(page, person);
  const code = await product.readCode('+22670224455');
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(code);
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('70 22 33 44');
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toContainText('*555*4*1*00000000*325#');
});

test('addresses that need something send away: no order, no code under way, no token, no user, no administrator', async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/content-pages/nulle-part');
  const arrivals = {
    '/summary': '/',
    '/otp-verification': '/auth',
    '/forgot-password-otp': '/forgot-password',
    '/reset-password': '/forgot-password',
    '/tickets': '/auth',
    '/ticket/1': '/auth',
    '/notifications': '/auth',
    '/settings': '/auth',
    '/admin': '/',
  };
  for (const [from, to] of Object.entries(arrivals)) {
    await page.goto(product.url + from);
    await expect(page, `from ${from}`).toHaveURL(product.url + to);
  }
  // What does not exist looks the same, and says where one is.
  for (const [address, title] of [
    ['/content/nulle-part', 'Page non trouvée'],
    ['/nulle-part', '404 - Page non trouvée'],
  ] as const) {
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await expect(page.getByRole('main')).toHaveText(
      new RegExp(`^Guichet${title}La page demandée n'existe pas\\..*Retour à l'accueil$`),
    );
    await page.getByRole('link', { name: "Retour à l'accueil" }).click();
    await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  }
});

test('a forged or broken stored user opens nothing', async ({ page, product, provoke }) => {
  // The panel, too, may ask before the server has said who this is.
  provoke('401 /api/');
  await page.goto(product.url);
  const forged = { id: 1, firstName: '<script>alert(1)</script>', lastName: '', isAdmin: true, isGuest: false };
  await page.evaluate((user) => localStorage.setItem('guichet_user', JSON.stringify(user)), forged);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('guichet_user'))).toBeNull();
  for (const broken of ['{"id":', '[]', '"x"', 'null', '{"id":"1"}']) {
    await page.evaluate((text) => localStorage.setItem('guichet_user', text), broken);
    await page.reload();
    await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('guichet_user'))).toBeNull();
  }
});

test('code boxes: digits move on, backspace moves back, a pasted code spreads, a wrong one is told', async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/auth/verify-otp');
  const person = { firstName: 'Ali', lastName: 'Barry', phone: '70889900' };
  await page.goto(product.url);
  await fillSignUp(page, person);
  const right = await product.readCode(`+226${person.phone}`);
  const verify = page.getByRole('button', { name: 'Vérifier' });
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type('12');
  await expect(page.getByLabel('Chiffre 3')).toBeFocused();
  await expect(verify).toBeDisabled();
  await page.keyboard.press('Backspace');
  await expect(page.getByLabel('Chiffre 2')).toBeFocused();
  await page.getByLabel('Chiffre 1').evaluate(
    (box, code) => {
      const data = new DataTransfer();
      data.setData('text', ` ${code.slice(0, 2)} ${code.slice(2)} `);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    right === '1111' ? '2222' : '1111',
  );
  await expect(page.getByText('Erreur de vérification')).toBeVisible();
  await expect(page.getByLabel('Chiffre 1')).toHaveValue('');
  await expect(page.getByRole('button', { name: /Renvoyer le code dans/ })).toBeDisabled();
  await page.reload();
  await page.getByLabel('Chiffre 1').fill(right);
  await expect(page.getByRole('heading', { name: 'Bonjour Ali' })).toBeVisible();
});

test('who signs in before verifying gets the code screen', async ({ page, browser, product, provoke }) => {
  provoke('403 /api/auth/signin');
  const person = { firstName: 'Rokia', lastName: 'Diallo', phone: '70101010' };
  await page.goto(product.url);
  await fillSignUp(page, person);
  const elsewhere = await browser.newPage();
  await elsewhere.goto(product.url);
  await elsewhere.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await elsewhere.getByLabel('Mot de passe', { exact: true }).fill(password);
  await elsewhere.getByRole('button', { name: 'Se connecter' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
  await enterCode(elsewhere, product, person);
  await elsewhere.close();
});
