import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { AdminService } from '#contract/catalogue.ts';
import { expect, lineOf, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

async function openExchange(page: Page, product: Product) {
  await enterAsAdministrator(page, product, '/admin/services');
  await page.getByRole('button', { name: 'Importer, exporter' }).click();
  return page.getByRole('dialog', { name: 'Importer, exporter' });
}

const fileOf = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
});

test.use({ viewport: desktopSize });

test('the export saves catalogue_{date}.csv, which imported again changes nothing', async ({
  page,
  product,
  branch,
}) => {
  await branch.add('=Formule; et « guillemets »', {
    isFinalLevel: true,
    operatorNote: 'Première ligne\nSeconde "ligne"',
    commissionType: 'range',
    commissionRanges: [{ minPrice: 1, maxPrice: null, commissionType: 'percentage', commissionValue: 1.5 }],
  });
  await page.setViewportSize(phoneSize);
  const dialog = await openExchange(page, product);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Télécharger le CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^catalogue_\d{4}-\d{2}-\d{2}\.csv$/);
  await expect(page.getByText('Export réussi')).toBeVisible();
  const csv = await readFile(await saved.path());
  const all = (await branch.admin.send('GET', '/api/admin/services')) as AdminService[];
  await dialog
    .getByLabel('Fichier CSV')
    .setInputFiles({ name: saved.suggestedFilename(), mimeType: 'text/csv', buffer: csv });
  await expect(dialog.getByText('Rien à importer : le catalogue est déjà ainsi.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Importer', exact: true })).toHaveCount(0);
  await expect(dialog.locator('dl')).toContainText(
    new RegExp(`Services à créer\\s*0\\s*Services à mettre à jour\\s*0\\s*Services inchangés\\s*${all.length}`),
  );
  expect(await branch.admin.send('GET', '/api/admin/services')).toEqual(all);
});

test('a file with errors shows each with its line, and writes nothing; corrected, it creates and updates', async ({
  page,
  product,
  branch,
}) => {
  const known = await branch.add('Connu', { isFinalLevel: true, price: '100 FCFA' });
  const dialog = await openExchange(page, product);
  const input = dialog.getByLabel('Fichier CSV');
  const head = 'id;parent;name;price;isFinalLevel';
  const update = `${known.id};${branch.root.id};Connu;250 FCFA;oui`;
  await input.setInputFiles(
    fileOf('faux.csv', head, update, `;${branch.root.id};;300 FCFA;oui`, `;${branch.root.id};Nouveau;300 FCFA;parfois`),
  );
  await expect(dialog.getByText("faux.csv : 2 erreurs. Rien n'a été importé.")).toBeVisible();
  const errors = dialog.getByRole('list', { name: 'Erreurs du fichier' }).getByRole('listitem');
  await expect(errors).toHaveText([
    'Ligne 3, name : Le nom du service est requis.',
    'Ligne 4, isFinalLevel : Écrivez oui ou non.',
  ]);
  await expect(dialog.getByRole('button', { name: 'Importer', exact: true })).toHaveCount(0);
  expect((await branch.find('Connu'))?.price).toBe('100 FCFA');
  expect(await branch.names()).toEqual(['Connu']);

  await input.setInputFiles(fileOf('juste.csv', head, update, `;${branch.root.id};Nouveau;300 FCFA;oui`));
  await expect(dialog.locator('dl')).toContainText(/Services à créer\s*1\s*Services à mettre à jour\s*1/);
  // A check writes nothing.
  expect(await branch.names()).toEqual(['Connu']);
  await dialog.getByRole('button', { name: 'Importer', exact: true }).click();
  await expect(page.getByText('Catalogue importé')).toBeVisible();
  await expect(page.getByText('1 service(s) créé(s), 1 mis à jour.')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect((await branch.find('Connu'))?.price).toBe('250 FCFA');
  const created = await branch.find('Nouveau');
  expect(created).toMatchObject({ price: '300 FCFA', level: 2, isFinalLevel: true, parentId: branch.root.id });
  await lineOf(page, branch.root).click();
  await expect(lineOf(page, created ?? known)).toContainText('Nouveau');
});
