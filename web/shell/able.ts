/**
 * Marks the document of a browser that can run the app: without the mark `web/index.html` says which browser is needed,
 * and `web/main.tsx` draws nothing. The document runs the text of this function (`web/build/first-document.ts`). What it
 * asks for came last to the oldest browsers of `web/browsers.ts`: the function to Chrome 103, the look-behind, without
 * which a browser runs nothing of this script, to Safari 16.4.
 */
export function markAble(): void {
  if ('timeout' in AbortSignal && /(?<!b)a/.test('a')) document.documentElement.dataset.able = 'yes';
}
