import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerCache, describeBody, matches, takesGzip } from './answer-cache.ts';
import type { SessionCache } from './session-cache.ts';

/** What answers polls without a look at the database, or at anything else. */
interface AtHand {
  answers: AnswerCache;
  sessions: Pick<SessionCache<{ userId: number; sid: string }>, 'find'>;
  /** The session cookie's name. */
  cookie: string;
  /** What every answer of the API that has a body says. */
  headers: Record<string, string>;
  /** Counts an answer; false where the caller had too many, and Fastify is to refuse them. */
  count(request: IncomingMessage): boolean;
}

/** Answers a read of the API whose answer is known and still holds, in front of everything else, and says of which route; nothing leaves it to Fastify. */
export function answersFromMemory({ answers, sessions, cookie, headers, count }: AtHand) {
  const unchanged = ['cache-control', 'no-store', 'vary', 'accept-encoding', 'etag'];
  return (request: IncomingMessage, response: ServerResponse): string | undefined => {
    const { method, url = '', headers: asked } = request;
    if (method !== 'GET' || !url.startsWith('/api/')) return undefined;
    if (asked['content-length'] !== undefined || asked['transfer-encoding'] !== undefined) return undefined;
    // What another site may ask is Fastify's to refuse.
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

/** Sec-Fetch-Site of what our own pages ask. */
const ours = 'same-origin';

/** Of a cookie header that may be read in more ways than one: Fastify's is the one that counts. */
const unclear = Symbol('unclear');

/** A cookie's value as it is sent, where its name stands in the header once and as browsers write it; no cookie is `undefined`. */
function readCookie(header: string | undefined, name: string): string | undefined | typeof unclear {
  const at = header?.indexOf(name) ?? -1;
  if (!header || at < 0) return undefined;
  const begins = at === 0 || header[at - 1] === ';' || (header[at - 1] === ' ' && header[at - 2] === ';');
  const valueAt = at + name.length + 1;
  if (!begins || header[valueAt - 1] !== '=' || header.includes(name, valueAt)) return unclear;
  const end = header.indexOf(';', valueAt);
  return header.slice(valueAt, end < 0 ? undefined : end) || undefined;
}
