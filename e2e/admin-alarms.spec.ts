import { desktopSize, phoneSize } from './browser.ts';
import { installClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

test('what is to be looked after stands on top in words, and goes when it is over', async ({ page, product }) => {
  await installClock(page);
  const message = "Aucune sauvegarde n'a réussi depuis plus de 36 heures\u00a0: vérifiez BACKUP_DIR et le journal.";
  const since = '2026-03-02T14:05:00.000Z';
  let alarms = [
    { key: 'backup', level: 'critical', message, since },
    {
      key: 'disk',
      level: 'warning',
      message: `Il reste 8 % d'espace sur le disque de /srv/${'tres-long-'.repeat(12)}.`,
      since,
    },
  ];
  await page.route('**/api/admin/dashboard?*', async (route) => {
    const figures = await (await route.fetch()).json();
    await route.fulfill({ json: { ...figures, alarms } });
  });
  await enterAsAdministrator(page, product);
  const urgent = page.getByRole('alert').filter({ hasText: 'À traiter maintenant' });
  const others = page.getByRole('alert').filter({ hasText: 'À surveiller' });
  await expect(urgent.getByRole('listitem')).toHaveText(
    new RegExp(`^${message}Depuis le 2 mars 2026 à \\d\\d:05Voir les sauvegardes$`),
  );
  await expect(others.getByRole('listitem')).toHaveText(/^Il reste 8 %/);
  await expect(urgent.getByRole('link')).toHaveAttribute('href', '/admin/settings?section=sauvegardes');
  for (const size of [phoneSize, desktopSize]) {
    await page.setViewportSize(size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  alarms = [];
  await page.clock.runFor(30_000);
  for (const box of [urgent, others]) await expect(box).toBeHidden();
});
