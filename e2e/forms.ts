import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

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
