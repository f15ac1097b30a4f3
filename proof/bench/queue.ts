import { chromium, type Page } from '@playwright/test';
import type { AdminTicket } from '../../contract/tickets.ts';
import { browserOptions, desktopSize } from '../../e2e/browser.ts';
import { administrator } from './administrator.ts';
import { type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

const volume = { users: 5_000, tickets: 100_000 };
const decisions = 20;
/** The decision that is taken back, and given again. */
const takenBack = 10;

/**
 * How long an administrator's browser takes for twenty decisions of the queue by keyboard alone, at a hundred thousand
 * tickets, from the sign-in's first screen to the last decision on the server: every third is a rejection with a reason,
 * one is taken back. The focus must be in the queue before every key.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const folder = makeFolder(stage);
  await fill(stage, folder, volume);
  const { url } = await openProduct(stage, folder, { LOG_LEVEL: 'error' });
  const browser = await chromium.launch(browserOptions.launchOptions);
  stage.ends.add(() => browser.close());
  const page = await browser.newPage({ baseURL: url, viewport: desktopSize });
  await page.goto('/auth');
  await page.getByLabel('Téléphone ou e-mail').fill(administrator.ADMIN_PHONE);
  await page.getByLabel('Mot de passe', { exact: true }).fill(administrator.ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin');
  const oldest = await readOldest(page);

  const start = performance.now();
  await page.goto('/admin/tickets?vue=file');
  let lost = 0;
  const press = async (key: string) => {
    if (await page.evaluate(() => document.activeElement === document.body)) lost += 1;
    await page.keyboard.press(key);
  };
  const show = (id: number | undefined) =>
    page.getByRole('heading', { level: 2, name: `Ticket n° ${id},` }).waitFor({ state: 'visible' });
  await show(oldest[0]);
  const shown = performance.now();
  for (const [place, id] of oldest.slice(0, decisions).entries()) {
    const decide = async () => {
      await show(id);
      if (place % 3 === 2) {
        await press('r');
        await press('1');
      } else await press('a');
    };
    await decide();
    if (place !== takenBack) continue;
    await press('z');
    await decide();
  }
  await show(oldest[decisions]);
  const decided = performance.now();
  // The last ones leave the browser with the page.
  await page.goto('about:blank');
  await page.goto('/admin');
  const rest = await readUntilGone(page, oldest.slice(0, decisions));
  const end = performance.now();
  return {
    'seconds until the first ticket is shown': { measured: round((shown - start) / 1_000), 'asked for': '' },
    [`seconds for ${decisions} decisions and one taken back`]: {
      measured: round((decided - shown) / 1_000),
      'asked for': '',
    },
    'seconds in all, to the last decision on the server': {
      measured: round((end - start) / 1_000),
      'asked for': '< 60',
    },
    'keys pressed without a focus': { measured: lost, 'asked for': '0' },
    'tickets that still wait': { measured: rest, 'asked for': '0' },
  };
}

async function readOldest(page: Page): Promise<number[]> {
  const answer = await page.request.get('/api/admin/tickets?status=pending&order=oldest&limit=50');
  return ((await answer.json()) as AdminTicket[]).map(({ id }) => id);
}

async function readUntilGone(page: Page, ids: number[]): Promise<number> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const waiting = new Set(await readOldest(page));
    const rest = ids.filter((id) => waiting.has(id)).length;
    if (rest === 0 || performance.now() > deadline) return rest;
  }
}
