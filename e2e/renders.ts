import type { Page } from '@playwright/test';

/** What of the document changed during an action: an element's name and what it says, once each. */
export async function changedDuring(page: Page, act: () => Promise<unknown>): Promise<string[]> {
  await page.evaluate(() => {
    const changed = new Set<string>();
    const note = (records: MutationRecord[]) => {
      for (const { target } of records) changed.add(`${target.nodeName} ${target.textContent?.slice(0, 100)}`);
    };
    const observer = new MutationObserver(note);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const readChanged = () => {
      note(observer.takeRecords());
      observer.disconnect();
      return [...changed];
    };
    Object.assign(window, { readChanged });
  });
  await act();
  return page.evaluate(() => (window as unknown as { readChanged(): string[] }).readChanged());
}
