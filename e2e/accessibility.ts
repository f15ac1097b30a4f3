import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What of WCAG 2.2 AA a machine sees that the page breaks: each rule, with the elements. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Every rule is held to every element, but what passes is not written up: that took as long again.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // In the page itself: there are no frames of other sites, for which it would open a second page each time.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.html)}`);
}
