import { test } from './branch.ts';
import { expect } from './fixtures.ts';
import { choosePayment, enterAs, enterAsGuest } from './steps.ts';

/** A phone, which has a dialler. */
test.use({ hasTouch: true });

test("a service's text has the size, colour and style it was given, all of it", async ({ page, product, branch }) => {
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

test('P8.9, a free service says so from the summary to the ticket, and asks for no payment', async ({
  page,
  product,
  branch,
}) => {
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
