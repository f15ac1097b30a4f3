import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The violations of WCAG 2.2 AA that axe finds, of all rules or of one: each rule, with its elements. */
export async function findViolations(page: Page, rule?: 'color-contrast'): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // All rules run on all elements; reporting the passes would double the time.
    .options({ resultTypes: ['violations'] })
    // Runs in the page itself: without frames of other sites, a second page is not needed.
    .setLegacyMode();
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await (rule ? axe.withRules(rule) : axe.withTags(tags)).analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.html)}`);
}
