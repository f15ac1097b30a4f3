import { type APIResponse, type Browser, expect, type Locator, type Page, request } from '@playwright/test';
import { uniqueName } from './caller.ts';
import { type Person, password } from './people.ts';
import type { Product } from './product.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';

interface User {
  id: number;
  firstName: string;
  lastName: string;
}

/** Calls without a session. */
export async function callAsStranger(product: Product, path: string, data: object = {}): Promise<APIResponse> {
  const stranger = await request.newContext({ baseURL: product.url });
  return stranger.post(path, { data });
}

/** Signs up a person who never enters the code; returns their id. */
export async function signUpOnly(product: Product, person: Person): Promise<number> {
  const form = { ...person, countryCode: '+226', password, confirmPassword: password };
  const answer = await callAsStranger(product, '/api/auth/signup', form);
  expect(answer.ok(), `signup answered ${answer.status()} ${await answer.text()}`).toBe(true);
  return ((await answer.json()) as { user: User }).user.id;
}

/** Tries a password; returns the status. */
export async function trySignIn(product: Product, person: Person, secret: string): Promise<number> {
  const form = { phoneOrEmail: `+226${person.phone}`, password: secret };
  return (await callAsStranger(product, '/api/auth/signin', form)).status();
}

/** A person with a unique family name. */
export const personOf = (firstName: string, phone: string): Person => ({
  firstName,
  lastName: uniqueName('Sana'),
  phone,
});
export const fullName = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`;

/** The row of a named person, or their card on a phone. */
export const rowOf = (page: Page, name: string): Locator =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ has: page.getByRole('link', { name, exact: true }) });
export const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Nom, téléphone ou e-mail' });
const menuOpener = (page: Page, name: string) => page.getByRole('button', { name: `Actions pour ${name}` });

/** Chooses an action for a person in the list. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await menuOpener(page, name).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  await expect(page.getByText(description, { exact: true })).toBeVisible();
}

/** Opens the users tab as an administrator, searched by a person's family name; returns their row. */
export async function enterListOf(page: Page, product: Product, person: Person): Promise<Locator> {
  const search = new URLSearchParams({ recherche: person.lastName });
  await enterAsAdministrator(page, product, `/admin/users?${search}`);
  const row = rowOf(page, fullName(person));
  await expect(row).toBeVisible();
  return row;
}

/** The person's own screen, in a separate browser. */
export async function openAs(browser: Browser, product: Product, person: Person): Promise<Page> {
  const own = await browser.newPage();
  await enterAs(own, product, person);
  return own;
}
