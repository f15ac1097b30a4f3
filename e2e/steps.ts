import { expect, type Locator, type Page, request } from '@playwright/test';
import { type Entrance, enter, enterPanel, type Person, password } from './people.ts';
import type { Product } from './product.ts';

/** Fills in and sends the sign-up form. */
export async function sendSignUp(page: Page, person: Person): Promise<void> {
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByLabel('Prénom').fill(person.firstName);
  await page.getByLabel('Nom', { exact: true }).fill(person.lastName);
  await page.getByLabel('Téléphone', { exact: true }).fill(person.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByLabel('Confirmer le mot de passe').fill(password);
  await page.getByRole('button', { name: "S'inscrire" }).click();
}

/** `sendSignUp`, then waits for the code screen. */
export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await sendSignUp(page, person);
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
}

/** Types the code of the person's SMS into the boxes; the last digit submits it. */
export async function enterCode(page: Page, product: Product, person: Person): Promise<void> {
  const code = await product.readCode(`+226${person.phone}`);
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(code);
  await expect(page.getByRole('heading', { name: `Bonjour ${person.firstName}` })).toBeVisible();
}

/** Signs a person up on screen, from the first screen to home. */
export async function signUp(page: Page, product: Product, person: Person): Promise<void> {
  await page.goto(product.url);
  await fillSignUp(page, person);
  await enterCode(page, product, person);
}

/** Signs in a new verified person without clicks: with a session cookie and the stored user. */
export async function enterAs(page: Page, product: Product, person: Person): Promise<void> {
  await enterBy(page, product, await enter(product, person));
  await expect(page.getByRole('heading', { name: `Bonjour ${person.firstName}` })).toBeVisible();
}

/** `enterAs` with an existing session, at an address whose title is then drawn. */
export async function enterBy(page: Page, product: Product, { user, cookie }: Entrance, path = '/'): Promise<void> {
  await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
  // A page of the same origin without the app.
  await page.goto(`${product.url}/api/health/live`);
  await page.evaluate((stored) => localStorage.setItem('guichet_user', stored), JSON.stringify(user));
  await page.goto(product.url + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Fills in and sends the sign-in form. */
export async function sendSignIn(page: Page, name: string, secret = password): Promise<void> {
  await page.getByLabel('Téléphone ou e-mail').fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

/** Signs in on screen; `landing` is the heading of the next screen. */
export async function signIn(
  page: Page,
  product: Product,
  name: string,
  secret: string,
  landing: string,
): Promise<void> {
  await page.goto(product.url);
  await sendSignIn(page, name, secret);
  await expect(page.getByRole('heading', { name: landing })).toBeVisible();
}

export const signInAsAdministrator = (page: Page, product: Product) =>
  signIn(page, product, product.administrator.phone, product.administrator.password, 'Tableau de bord');

/** The tabs of the panel, by their names in the menu. */
export type Tab = 'Tableau de bord' | 'Services' | 'Tickets' | 'Utilisateurs' | 'Paiements' | 'Contenu' | 'Paramètres';

/** Opens a tab of the panel by its menu, which is a drawer on a phone. */
export async function openTab(page: Page, tab: Tab): Promise<void> {
  await withMenu(page, (menu) => menu.getByRole('link', { name: new RegExp(`^${tab}`) }).click());
}

/** Acts in the panel's menu. */
export async function withMenu(page: Page, use: (menu: Locator) => Promise<void>): Promise<void> {
  const opener = page.getByRole('button', { name: 'Ouvrir le menu' });
  const menu = page.getByRole('navigation', { name: 'Administration' });
  await opener.or(menu).first().waitFor();
  if (await opener.isVisible()) await opener.click();
  await use(menu);
}

/** Signs in the administrator without clicks, as `enterAs`. */
export async function enterAsAdministrator(page: Page, product: Product, path = '/admin'): Promise<void> {
  await enterBy(page, product, await enterPanel(product), path);
}

/** The services from home to one of the starter catalogue with a fixed price. */
export const toBundle = [
  'Télécom et mobile',
  'Burkina Faso',
  'Orange',
  'Forfaits internet',
  'Forfait internet 7 jours',
];

/** Opens services one after another, from home to the order's summary. */
export async function drillDown(page: Page, names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('main').getByRole('button', { name }).first().click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
}

/** Chooses a payment type, folded or not. */
export async function choosePayment(page: Page, name: string): Promise<void> {
  const types = page.getByRole('group', { name: 'Type de paiement' });
  const type = types.getByRole('radio', { name, exact: true, includeHidden: true });
  await type.waitFor({ state: 'attached' });
  if (!(await type.isVisible())) await types.getByText(/^Autres moyens/).click();
  await type.check();
}

interface Order {
  beneficiary: string;
  amount?: string;
  paymentType?: string;
  total: string | RegExp;
}

/** Fills in an order without confirming it. */
export async function fillOrder(page: Page, order: Order): Promise<void> {
  await page.getByLabel('Numéro du bénéficiaire').fill(order.beneficiary);
  if (order.amount) await page.getByLabel('Entrer la somme').fill(order.amount);
  await choosePayment(page, order.paymentType ?? 'Orange Money');
  await expect(page.getByTestId('total')).toHaveText(order.total);
}

/** Fills in and confirms an order; returns its dial code. */
export async function confirmOrder(page: Page, order: Order): Promise<string> {
  await fillOrder(page, order);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  const dialog = page.getByRole('dialog', { name: 'Demande créée avec succès' });
  await expect(dialog).toBeVisible();
  return (await dialog.locator('.font-mono').textContent()) ?? '';
}

/** Lets the server do its work once, and drops its answer with its cookies. */
export async function loseOneAnswer(page: Page, url: string): Promise<void> {
  await page.route(
    url,
    async (route) => {
      const asked = route.request();
      // Sent by another: a poll of the page meanwhile has the page's own cookies.
      const other = await request.newContext();
      const answer = await other.fetch(asked.url(), {
        method: asked.method(),
        headers: await asked.allHeaders(),
        data: asked.postDataBuffer() ?? undefined,
      });
      expect(answer.ok(), `${asked.url()} answered ${answer.status()}`).toBe(true);
      await other.dispose();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
}

/** Holds requests to an address until released; `held` counts them. */
export async function holdBack(page: Page, url: string): Promise<{ release: () => void; held: () => number }> {
  let release = () => {};
  let held = 0;
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    held += 1;
    await open;
    await route.continue();
  });
  return { release, held: () => held };
}

/** Enters as a guest, on screen. */
export async function enterAsGuest(page: Page, product: Product): Promise<void> {
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
}

/** A history entry before the app's own, to see where the back button leaves it. */
export const outside = 'data:text/html,dehors';

export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);

/** Checks that a password field hides its text except while its toggle is on. */
export async function expectToggle(field: Locator): Promise<void> {
  const around = field.locator('xpath=..');
  await expect(field).toHaveAttribute('type', 'password');
  await around.getByRole('button', { name: 'Afficher le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await around.getByRole('button', { name: 'Masquer le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'password');
}

/** Submits a form despite a disabled button, as a script or an assistive device may: its checks answer. */
export async function sendForm(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .locator('form')
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
}
