import type { BrowserContext } from '@playwright/test';

/** Replaces every text of a context's pages as a browser's translation does, then and whenever there is a new one. */
export const translatePages = (context: BrowserContext) =>
  context.addInitScript(() => {
    const translate = (node: Node) => {
      if (!(node instanceof Text)) return node.childNodes.forEach(translate);
      if (!node.data.trim() || node.parentElement?.closest('font, script, style, title, textarea, option, svg')) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = node.data;
      outer.append(inner);
      node.replaceWith(outer);
    };
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes)
        (type === 'childList' ? addedNodes : [target]).forEach(translate);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
