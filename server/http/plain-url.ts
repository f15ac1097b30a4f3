import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';

/**
 * A call's address as the web app writes it, without what the endpoint does not look at: whatever a stranger adds to it, and
 * however they spell it, it is the same call, and its answer is kept once. Nothing where that cannot be said.
 */
export function plainUrl(
  { path, query }: Endpoint,
  { url, params }: Pick<FastifyRequest, 'url' | 'params'>,
): string | undefined {
  // A fragment ends the path too, and no client sends one on purpose.
  if (url.includes('#')) return undefined;
  const named = params as Record<string, unknown>;
  const plain = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(named[name])));
  const at = url.indexOf('?');
  if (at < 0) return plain;
  const shape = 'shape' in query ? (query.shape as object) : {};
  const given = [...new URLSearchParams(url.slice(at + 1))].filter(([name]) => Object.hasOwn(shape, name));
  return given.length > 0 ? `${plain}?${new URLSearchParams(given)}` : plain;
}
