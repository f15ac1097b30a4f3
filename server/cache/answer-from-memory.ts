import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerCache, describeBody, matches, takesGzip } from './answer-cache.ts';
import type { SessionCache } from './session-cache.ts';

/** The tools that answer polls from memory alone. */
interface AtHand {
  answers: AnswerCache;
  sessions: Pick<SessionCache<{ userId: number; sid: string }>, 'find'>;
  /** The session cookie's name. */
  cookie: string;
  /** Headers of every API answer with a body. */
  headers: Record<string, string>;
  /** Counts an answer; false for a caller with too many, whom Fastify then refuses. */
  count(request: IncomingMessage): boolean;
}

/**
 * Answers a cached and current read of the API, in front of everything else, and returns its route; undefined leaves the request to
 * Fastify.
 */
export function answersFromMemory({ answers, sessions, cookie, headers, count }: AtHand) {
  const unchanged = ['cache-control', 'no-store', 'vary', 'accept-encoding', 'etag'];
  return (request: IncomingMessage, response: ServerResponse): string | undefined => {
    const { method, url = '', headers: asked } = request;
    if (method !== 'GET' || !url.startsWith('/api/')) return undefined;
    if (asked['content-length'] !== undefined || asked['transfer-encoding'] !== undefined) return undefined;
    // Calls from other sites are left to Fastify, which refuses them.
    if (asked.origin !== undefined || (asked['sec-fetch-site'] ?? ours) !== ours) return undefined;
    const id = readCookie(asked.cookie, cookie);
    if (id === unclear) return undefined;
    const person = id === undefined ? 0 : sessions.find(id)?.userId;
    const known = (person !== undefined && answers.find(person, url)) || answers.find('everyone', url);
    if (!known || !count(request)) return undefined;
    if (matches(asked['if-none-match'], known.etag)) {
      answers.counts.unchanged += 1;
      response.writeHead(304, [...unchanged, known.etag]).end();
      return known.route;
    }
    const body = answers.bodyOf(known, takesGzip(asked['accept-encoding']));
    if (body === undefined) return undefined;
    answers.counts.whole += 1;
    response
      .writeHead(200, { ...headers, ...describeBody(known, body) })
      .end(body.text, body.isPacked ? 'latin1' : 'utf8');
    return known.route;
  };
}

/** Sec-Fetch-Site of calls from this site's pages. */
const ours = 'same-origin';

/** Marks an ambiguous cookie header, which is left to Fastify's parser. */
const unclear = Symbol('unclear');

/** A cookie's raw value, if its name occurs once and in the form that browsers send; `undefined` without a cookie. */
function readCookie(header: string | undefined, name: string): string | undefined | typeof unclear {
  const at = header?.indexOf(name) ?? -1;
  if (!header || at < 0) return undefined;
  const begins = at === 0 || header[at - 1] === ';' || (header[at - 1] === ' ' && header[at - 2] === ';');
  const valueAt = at + name.length + 1;
  if (!begins || header[valueAt - 1] !== '=' || header.includes(name, valueAt)) return unclear;
  const end = header.indexOf(';', valueAt);
  return header.slice(valueAt, end < 0 ? undefined : end) || undefined;
}
