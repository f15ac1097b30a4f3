import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { httpLimits } from './limits.ts';

/** The hashes of a page's inline scripts and styles, so that the browser refuses injected ones. */
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

/** Headers of answers that are no documents: no sniffing, only for this site's pages, no storing, nothing runs. */
export function answerHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(https && { 'strict-transport-security': `max-age=${httpLimits.foreverSeconds}; includeSubDomains` }),
  };
}

/** Headers of documents: browsers run and load only this site's files and the built `page`'s inline parts. */
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
    // Chromium warns in the console about every page that was opened before it first saw the header.
    originAgentCluster: false,
  };
}
