import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { browserOptions } from '../../e2e/browser.ts';
import type { Rows } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

/**
 * Lighthouse's four marks of the first screen and of a content page, on the product as `npm start` serves it, as on a phone:
 * the median of five, beside what was asked for.
 */
const asked = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof asked;
const categories = Object.keys(asked) as Category[];
const runs = 5;
/** Where the browser listens for Lighthouse. */
const port = 9_333;

export async function measure(stage: Stage): Promise<Rows> {
  const product = await openProduct(stage, makeFolder(stage), { RATE_LIMITS: 'on', LOG_LEVEL: 'error' });
  const { args, ...launchOptions } = browserOptions.launchOptions;
  const browser = await chromium.launch({ ...launchOptions, args: [...args, `--remote-debugging-port=${port}`] });
  stage.ends.add(() => browser.close());
  const rows: Rows = {};
  for (const [name, path] of Object.entries({
    'first screen': '/',
    'content page': '/content/conditions-utilisation',
  })) {
    const marks: Record<Category, number[]> = { performance: [], accessibility: [], 'best-practices': [], seo: [] };
    const missed = new Set<string>();
    for (let run = 0; run < runs; run += 1) {
      const result = await lighthouse(product.url + path, { port, logLevel: 'error', onlyCategories: categories });
      for (const category of categories) {
        const { score, auditRefs } = result?.lhr.categories[category] ?? { score: null, auditRefs: [] };
        marks[category].push(Math.round((score ?? 0) * 100));
        if (category === 'performance') continue;
        for (const { id, weight } of auditRefs) {
          const found = result?.lhr.audits[id];
          if (weight > 0 && found?.score != null && found.score < 1) missed.add(id);
        }
      }
    }
    const median = (of: number[]) => of.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
    rows[name] = Object.fromEntries(categories.map((category) => [category, median(marks[category])]));
    if (missed.size > 0) console.log(`${name}: ${[...missed].join(', ')}`);
  }
  return { ...rows, 'asked for': asked };
}
