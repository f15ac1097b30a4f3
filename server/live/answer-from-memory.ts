import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerCache, bodyFor, describeBody, matches, takesGzip } from './answer-cache.ts';
import type { SessionCache } from './session-cache.ts';

/** What answers polls without a look at the database, or at anything else. */
interface AtHand {
  answers: AnswerCache;
  sessions: Pick<SessionCache<{ userId: number; sid: string }>, 'find'>;
  /** The session cookie's name. */
  cookie: string;
  /** What every answer of the API that has a body says. */
  headers: Record<string, string>;
}

/**
 * Answers a read of the API whose answer is known and has not changed; false where it is not, and Fastify is to answer. It
 * stands in front of everything else: an answer from memory costs less than counting it, or than looking at its path.
 */
export function answersFromMemory({ answers, sessions, cookie, headers }: AtHand) {
  const unchanged = ['cache-control', 'no-store', 'vary', 'accept-encoding', 'etag'];
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers: asked } = request;
    if (method !== 'GET' || !url.startsWith('/api/')) return false;
    if (asked['content-length'] !== undefined || asked['transfer-encoding'] !== undefined) return false;
    const id = readCookie(asked.cookie, cookie);
    const person = id === undefined ? 0 : sessions.find(id)?.userId;
    const known = (person !== undefined && answers.find(person, url)) || answers.find('everyone', url);
    if (!known) return false;
    if (matches(asked['if-none-match'], known.etag)) {
      answers.counts.unchanged += 1;
      response.writeHead(304, [...unchanged, known.etag]).end();
      return true;
    }
    const body = bodyFor(known, takesGzip(asked['accept-encoding']));
    if (body === undefined) return false;
    answers.counts.whole += 1;
    response
      .writeHead(200, { ...headers, ...describeBody(known, body) })
      .end(body.text, body.isPacked ? 'latin1' : 'utf8');
    return true;
  };
}

/** A cookie's value as it is sent; no cookie, or one that is empty, is `undefined`. */
function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined;
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + 1)) {
    const before = header[at - 1] === ' ' ? at - 2 : at - 1;
    if ((at > 0 && header[before] !== ';') || header[at + name.length] !== '=') continue;
    const end = header.indexOf(';', at);
    return header.slice(at + name.length + 1, end < 0 ? undefined : end) || undefined;
  }
  return undefined;
}
