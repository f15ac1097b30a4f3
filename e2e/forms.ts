import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** A password field hides what is typed until its toggle shows it, and hides it again. */
export async function expectToggle(field: Locator): Promise<void> {
  const around = field.locator('xpath=..');
  await expect(field).toHaveAttribute('type', 'password');
  await around.getByRole('button', { name: 'Afficher le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await around.getByRole('button', { name: 'Masquer le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'password');
}

/** Sends a form whose button is disabled, as a script or an assistive device may: its checks answer. */
export async function sendForm(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .locator('form')
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
}
