import type { FastifyHelmetOptions } from '@fastify/helmet';
import { httpLimits } from '#server/process/limits.ts';

/** What browsers are told to refuse: everything that is not of this site. */
export function securityHeaders(https: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
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
