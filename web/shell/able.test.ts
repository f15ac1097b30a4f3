import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { minimumBrowsers } from '#web/browsers.ts';

test('the document names each of the oldest browsers, as it stands', () => {
  const page = readFileSync(new URL('../index.html', import.meta.url), 'utf8').replaceAll('&nbsp;', ' ');
  const sentence = /<p>(Guichet a besoin d'un navigateur récent.*?)<\/p>/.exec(page)?.[1];
  for (const each of minimumBrowsers) {
    const [, name = '', version] = /^([a-z]+)([\d.]+)$/.exec(each) ?? [];
    expect(sentence).toMatch(new RegExp(`${name}[^,]* ${version},`, 'i'));
  }
});
