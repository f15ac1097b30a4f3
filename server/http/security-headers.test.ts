import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const page = `<head><script>start("é");</script><script type="module" src="/a.js"></script>
<style>html{color:red}</style></head><body><noscript><style>.b{}</style></noscript></body>`;
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function directives(built: string) {
  const { contentSecurityPolicy } = securityHeaders({ https: false, page: built });
  if (typeof contentSecurityPolicy !== 'object') throw new Error('no policy');
  return contentSecurityPolicy.directives as Record<string, string[]>;
}

test('what the page holds inline is allowed by its hash, and nothing else inline', () => {
  const { scriptSrc, styleSrc } = directives(page);
  expect(scriptSrc).toEqual(["'self'", hashOf('start("é");')]);
  expect(styleSrc).toEqual(["'self'", hashOf('html{color:red}'), hashOf('.b{}')]);
});
