import { expect, type Locator, type Page } from '@playwright/test';
import type { ContentPage } from '#contract/content-pages.ts';
import { type Caller, uniqueName } from './caller.ts';

/** Shared by the tests of the content tab: its pages and their dialog. */

export const address = '/api/admin/content-pages';

/** Creates a page through the API. */
export async function addPage(
  admin: Caller,
  word: string,
  content = 'Un texte.',
  isActive = true,
): Promise<ContentPage> {
  const title = uniqueName(word);
  return (await admin.send('POST', address, { slug: slugOf(title), title, content, isActive })) as ContentPage;
}

export async function readStored(admin: Caller, title: string): Promise<ContentPage | undefined> {
  return ((await admin.send('GET', address)) as ContentPage[]).find((each) => each.title === title);
}

export const slugOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** The page's row on a desktop, or its card on a phone. */
export const lineOf = (page: Page, title: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ has: page.getByRole('button', { name: `Modifier la page ${title}`, exact: true }) });

export const fieldsIn = (dialog: Locator) => ({
  title: dialog.getByLabel('Titre *'),
  slug: dialog.getByLabel('Adresse (slug) *'),
  content: dialog.getByLabel('Contenu *'),
  isActive: dialog.getByRole('switch', { name: 'Active' }),
  preview: dialog.getByRole('region', { name: 'Aperçu' }),
});

export async function openNew(page: Page) {
  await page.getByRole('button', { name: 'Nouvelle Page' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nouvelle Page' });
  await expect(dialog).toBeVisible();
  return { dialog, ...fieldsIn(dialog) };
}

export async function openStored(page: Page, title: string) {
  await page.getByRole('button', { name: `Modifier la page ${title}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifier la page' });
  await expect(dialog).toBeVisible();
  return { dialog, ...fieldsIn(dialog) };
}

/** Answers the question about unsaved text. */
export async function answerLeaving(page: Page, answer: 'Annuler' | 'Abandonner') {
  const question = page.getByRole('dialog', { name: 'Abandonner les modifications ?' });
  await expect(question).toContainText('Ce que vous avez écrit depuis le dernier enregistrement sera perdu.');
  await question.getByRole('button', { name: answer, exact: true }).click();
  await expect(question).toBeHidden();
}
