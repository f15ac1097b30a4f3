import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { httpLimits } from '#server/process/limits.ts';

/** What a page holds inline and may run or draw with: by its hash, so that nothing else may that somebody gets into it. */
export function inlineHashes(page: string): { scripts: string[]; styles: string[] } {
  const hashesOf = (element: RegExp) =>
    [...page.matchAll(element)].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
  return {
    scripts: hashesOf(/<script>(.*?)<\/script>/gs),
    styles: hashesOf(/<style>(.*?)<\/style>/gs),
  };
}

/** What matters to an answer that is no document: it is what it says, for this site's pages alone, kept nowhere, and runs nothing. */
export function answerHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(https && { 'strict-transport-security': `max-age=${httpLimits.foreverSeconds}; includeSubDomains` }),
  };
}

/** What browsers are told to refuse: everything that is neither of this site nor in its `page` as it was built. */
export function securityHeaders({ https, page }: { https: boolean; page: string }): FastifyHelmetOptions {
  const { scripts, styles } = inlineHashes(page);
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", ...styles],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    hsts: https && { maxAge: httpLimits.foreverSeconds },
    referrerPolicy: { policy: 'same-origin' },
    // Chromium warns in the console about every page opened before the header was first seen.
    originAgentCluster: false,
  };
}
