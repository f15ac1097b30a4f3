import type { Locator, Page, Request } from '@playwright/test';
import type { AdminService } from '#contract/catalogue.ts';
import type { NewService } from '#contract/catalogue-edits.ts';
import { type Caller, callAsAdministrator, uniqueName } from './caller.ts';
import { test as base, expect } from './fixtures.ts';
import type { Product } from './product.ts';

/** A root of the catalogue that belongs to one test, with its services and an administrator. */
export interface Branch {
  admin: Caller;
  root: AdminService;
  /** Adds a service, by default a child of the root. */
  add(name: string, fields?: Partial<NewService>): Promise<AdminService>;
  /** Changes a service as another administrator. */
  change(service: AdminService, fields: Partial<NewService>): Promise<AdminService>;
  /** All services of the branch with the root, in the catalogue's order. */
  read(): Promise<AdminService[]>;
  find(name: string): Promise<AdminService | undefined>;
  /** The names of the children of a service, or of the root, in order. */
  names(parent?: AdminService): Promise<string[]>;
}

/** A test with its own branch, deleted at the end. */
export const test = base.extend<{ branch: Branch }>({
  branch: async ({ page, product }, use) => {
    const admin = await callAsAdministrator(product);
    const create = async (fields: Partial<NewService>) =>
      (await admin.sendForm('POST', '/api/services', fields)) as AdminService;
    const root = await create({ name: uniqueName('Racine') });
    let order = 0;
    const read = async () => {
      const all = (await admin.send('GET', '/api/admin/services')) as AdminService[];
      const ids = new Set([root.id]);
      // Parents come before their children.
      for (const { id, parentId } of all) if (ids.has(parentId ?? 0)) ids.add(id);
      return all.filter(({ id }) => ids.has(id));
    };
    await use({
      admin,
      root,
      add: (name, fields) => {
        order += 10;
        return create({ name, parentId: root.id, sortOrder: order, ...fields });
      },
      change: async ({ id }, fields) =>
        (await admin.sendForm('PUT', `/api/admin/services/${id}`, fields)) as AdminService,
      read,
      find: async (name) => (await read()).find((service) => service.name === name),
      names: async (parent = root) =>
        (await read()).filter(({ parentId }) => parentId === parent.id).map(({ name }) => name),
    });
    // It would ask for services that are gone.
    await page.close();
    for (const { id } of (await read()).toReversed()) await admin.send('DELETE', `/api/admin/services/${id}`);
  },
});

/** A service's row. */
export const lineOf = (page: Page, { id }: { id: number }): Locator =>
  page.getByRole('list', { name: 'Services' }).locator(`[data-service="${id}"]`);

/** What opens a service: the services that it contains, or its form. */
export const openerOf = (page: Page, service: { id: number }): Locator =>
  lineOf(page, service).getByRole('button').first();

/** Opens services, each contained by the previous one. */
export async function expand(page: Page, ...services: { id: number }[]): Promise<void> {
  for (const service of services) {
    await openerOf(page, service).click();
    await expect(openerOf(page, service)).toHaveAttribute('aria-expanded', 'true');
  }
}

/** Chooses an action for a service: by a button of its row, or on a phone by its menu. */
export async function choose(
  page: Page,
  service: { id: number; name: string },
  action: 'Modifier' | 'Supprimer' | 'Déplacer',
): Promise<void> {
  const line = lineOf(page, service);
  const menu = line.getByRole('button', { name: `Actions pour ${service.name}`, exact: true });
  const button = line.getByRole('button', { name: `${action} ${service.name}`, exact: true });
  await menu.or(button).waitFor();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** The form of a service. */
export const editorOf = (page: Page, title: 'Modifier le service' | 'Nouveau service'): Locator =>
  page.getByRole('dialog', { name: title });

/** Opens the form of the branch's root, or of one of its children. */
export async function edit(page: Page, { root }: Branch, service: AdminService): Promise<Locator> {
  await lineOf(page, service).or(lineOf(page, root)).first().waitFor();
  if (service.id !== root.id && !(await lineOf(page, service).isVisible())) await expand(page, root);
  await choose(page, service, 'Modifier');
  const form = editorOf(page, 'Modifier le service');
  await expect(form.getByLabel('Nom du service *')).toHaveValue(service.name);
  return form;
}

export const save = (form: Locator) => form.getByRole('button', { name: 'Enregistrer', exact: true }).click();

/** Saves the service in the form; returns the request's parts and data, without the expected version. */
export async function saveChange(page: Page, form: Locator): Promise<{ parts: string[]; data: object }> {
  const sending = page.waitForRequest((request) => request.method() === 'PUT');
  await save(form);
  const { parts, data } = readForm(await sending);
  const { expectedUpdatedAt, ...changes } = data;
  if (parts.length === 1) expect(Date.parse(`${expectedUpdatedAt}`)).toBeGreaterThan(0);
  await expect(page.getByText('Service mis à jour')).toBeVisible();
  await expect(form).toBeHidden();
  return { parts, data: changes };
}

/**
 * The parts of a multipart form and its `data` field; `undefined` with a file, whose bytes the browser does not expose.
 */
function readForm(request: Request): { parts: string[]; data: Record<string, unknown> } {
  const text = request.postDataBuffer()?.toString('latin1') ?? '';
  const [, data = ''] = /name="data"\r\n\r\n(.*?)\r\n--/s.exec(text) ?? [];
  return {
    parts: [...text.matchAll(/form-data; name="(\w+)"/g)].map(([, name = '']) => name),
    data: JSON.parse(Buffer.from(data, 'latin1').toString() || '{}'),
  };
}

/** Opens a service of the first level on a visitor's phone. */
export async function visit(page: Page, product: Product, root: { name: string }): Promise<Page> {
  const visitor = await page
    .context()
    .browser()
    ?.newPage({ viewport: { width: 360, height: 740 }, locale: 'fr-FR' });
  if (!visitor) throw new Error('no browser');
  await visitor.goto(product.url);
  await visitor.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await visitor.getByRole('main').getByRole('button', { name: root.name }).click();
  await expect(visitor.getByRole('heading', { name: `${root.name} - Services` })).toBeVisible();
  return visitor;
}

export { expect };
