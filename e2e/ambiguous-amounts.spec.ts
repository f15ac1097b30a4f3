import { expect, test } from './fixtures.ts';
import { drillDown, enterAsGuest } from './steps.ts';

test('what may mean another amount is refused at the field, and has no price', async ({ page, product }) => {
  await enterAsGuest(page, product);
  await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
  const amount = page.getByLabel('Entrer la somme');
  const total = page.getByTestId('total');
  for (const typed of ['1٥00', '1e4', '1/2', '5k', '−500', '2x500']) {
    await amount.fill(typed);
    await expect(amount).toHaveAccessibleDescription('Saisissez un nombre entier, de 1 à 10 000 000.');
    await expect(total).not.toHaveText(/\d/);
  }
  await amount.fill('１２５ 000 F');
  await expect(total).toHaveText(/^126.250\sFCFA$/);
});
