import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { httpLimits } from './limits.ts';

/** The output folder of `web/vite.config.ts`. */
const site = path.resolve(import.meta.dirname, '../../dist/web');
const forever = `public, max-age=${httpLimits.foreverSeconds}, immutable, no-transform`;

/** Headers that matter only for documents. On scripts and styles they would add 3 KB to a first visit. */
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-request-id',
  'x-xss-protection',
];

/** A path that ends like a file name. Without such a file it is a 404, and never the app's page. */
const fileName = /\.(?:css|gz|html?|ico|jpe?g|js|json|map|mjs|php|png|svg|txt|webmanifest|webp|xml)$/i;

/** Screens with a code in their address, which search engines must not list. */
const receipts = /^\/recu(?:\/|$)/i;

/** The built page of the web app, or the empty text without a build. */
export function readPage(): string {
  const page = path.join(site, 'index.html');
  return existsSync(page) ? readFileSync(page, 'utf8') : '';
}

/** Serves the web app: hashed files, compressed and cached for a year; for every other path the page, revalidated. */
export async function serveSite(app: FastifyInstance): Promise<void> {
  if (existsSync(site)) {
    await app.register(staticFiles, {
      root: site,
      preCompressed: true,
      wildcard: false,
      index: ['index.html'],
      cacheControl: false,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        reply.header('cache-control', hashed ? forever : 'no-cache, no-transform');
        if (hashed) for (const name of ofDocuments) reply.removeHeader(name);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const asked = pathOf(request);
    const page = /^(?:GET|HEAD)$/.test(request.method) && !/^\/(?:api|uploads|assets)(?:\/|$)/i.test(asked);
    if (!page || fileName.test(asked)) throw new Failure('NOT_FOUND');
    if (receipts.test(asked)) reply.header('x-robots-tag', 'noindex, nofollow');
    if (!existsSync(site)) throw new Failure('NOT_FOUND', { message: failureSentences.siteNotBuilt });
    return reply.sendFile('index.html');
  });
}

/** Whether a request is for the API, in any spelling of its path. */
export const isApiPath = (request: FastifyRequest): boolean => /^\/api(?:\/|$)/i.test(pathOf(request));

function pathOf({ url }: FastifyRequest): string {
  const path = url.split('?')[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
