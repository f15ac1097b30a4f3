import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

interface Violation {
  id: string;
  nodes: { html: string }[];
}

const spell = (violations: Violation[]) =>
  violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`);

/** The violations of WCAG 2.2 AA that axe finds: each rule, with its elements. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // All rules run on all elements; reporting the passes would double the time.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    // Runs in the page itself: without frames of other sites, a second page is not needed.
    .setLegacyMode()
    .analyze();
  return spell(violations);
}

/** The same of contrast alone, which is all that another theme can change, in a document that `findViolations` judged. */
export const findFaintText = async (page: Page): Promise<string[]> =>
  spell(
    await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
      const { violations } = await axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
    }),
  );
