import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** Runs axe in the page's own document; returns each violated rule with its elements. */
async function run(page: Page, options: RunOptions): Promise<string[]> {
  // Once for a document: half a megabyte of script.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run({ ...given, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`);
  }, options);
}

/** The violations of WCAG 2.2 AA that axe finds. */
export const findViolations = (page: Page): Promise<string[]> =>
  run(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });

/** The same of contrast alone, which is all that another theme can change, in a document that `findViolations` judged. */
export const findFaintText = (page: Page): Promise<string[]> => run(page, { runOnly: ['color-contrast'] });
