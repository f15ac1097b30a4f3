import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ChangeFeed } from './change-feed.ts';
import { type Kept, TopicCache } from './topic-cache.ts';

/** Sizes of cached answers, ETags included. */
const limits = {
  /** Most bytes kept, ETags included: three lists of 50,000 people, and their bodies while there is room. */
  answerBytes: 96 * 1024 * 1024,
  /** Largest body kept: a larger one would displace a thousand others. */
  bodyBytes: 256 * 1024,
  /** Below this size compressing saves no packet. */
  compressFrom: 512,
  /** Larger bodies are compressed in the background, so that other requests do not wait. */
  compressAtOnce: 64 * 1024,
} as const;

/** The audience of an answer: a person by their id, signed-out callers (0), or all callers alike. */
export type Reader = number | 'everyone';

/** A handler's answer in JSON, with the length of the whole list for a page. */
export interface MadeAnswer {
  json: string;
  total?: string | undefined;
  isCapped?: boolean;
}

/** An answer with its ETag, and its body if that is kept. */
export interface Answer extends Kept {
  /** Its key in the cache. */
  key: string;
  /** Its endpoint's path. */
  route: string;
  etag: string;
  total: string | undefined;
  isCapped: boolean;
  /** The body of a short answer. For a long one only while a client takes it uncompressed, or waits for the first compression. */
  json: string | undefined;
  gzip: string | undefined;
}

/** How to make an answer, and its topics. */
interface Making {
  route: string;
  topics: readonly string[];
  compress: boolean;
  make: () => Promise<MadeAnswer>;
}

/** Bytes of an answer's objects and map entries, besides its texts. */
const ownBytes = 500;

/** Bytes of the longest text compressed at once, in UTF-8. */
const scratchBytes = 3 * limits.compressAtOnce;

const gzip = promisify(zlib.gzip);
/** At zlib's level 1 lists are one per cent larger and take half the time. Few are longer than a chunk. */
const quickly = { level: 1, chunkSize: 2_048 };

/** Keeps the answers to reads: their ETags, and their bodies where there is room. */
export class AnswerCache {
  /** How reads were answered so far, in plain numbers, so that counting costs nothing. */
  readonly counts = {
    /** Answered in front of Fastify: a 304, or a whole answer. */
    unchanged: 0,
    whole: 0,
    /** Answered by Fastify, from the cache. */
    found: 0,
    /** Made anew, or shared with a concurrent caller. */
    made: 0,
  };
  readonly #memory: TopicCache<Answer>;
  /** One reused buffer for texts that are read at once: it halves the garbage collection. */
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);

  constructor(feed: ChangeFeed) {
    this.#memory = new TopicCache(feed, limits.answerBytes);
  }

  get bytes(): number {
    return this.#memory.bytes;
  }

  get size(): number {
    return this.#memory.size;
  }

  /** The current answer, if it is cached. */
  find(reader: Reader, url: string): Answer | undefined {
    return this.#memory.get(keyOf(reader, url));
  }

  /** Makes an answer for one caller, without caching it. */
  async make(reader: Reader, url: string, { make, ...making }: Making): Promise<Answer> {
    const made = await make();
    return answerOf(keyOf(reader, url), making, made, bytesOf(made.json, this.#scratch));
  }

  /** Makes an answer once for all concurrent callers, and caches it until one of its topics changes. */
  read(reader: Reader, url: string, making: Making): Promise<Answer> {
    const read = () => this.make(reader, url, making);
    return this.#memory.read(keyOf(reader, url), read, making.topics) as Promise<Answer>;
  }

  /** An answer's body in the encoding that the caller takes, if it is kept. Once decompressed it is kept in both forms. */
  bodyOf(answer: Answer, takesPacked: boolean): Body | undefined {
    const { json, gzip: packed } = answer;
    if (takesPacked && packed !== undefined) return { text: packed, isPacked: true };
    if (json !== undefined) return { text: json, isPacked: false };
    if (packed === undefined) return undefined;
    const text = zlib.gunzipSync(Buffer.from(packed, 'latin1')).toString();
    answer.json = text;
    answer.bytes += 2 * text.length;
    this.#memory.resize(answer.key, answer);
    return { text, isPacked: false };
  }
}

const keyOf = (reader: Reader, url: string) => `${reader} ${url}`;

async function answerOf(
  key: string,
  { route, topics, compress }: Omit<Making, 'make'>,
  { json, total, isCapped = false }: MadeAnswer,
  bytes: Buffer,
): Promise<Answer> {
  const isShort = json.length < limits.compressFrom;
  const etag = etagOf(bytes, total, isCapped);
  const packed = compress && !isShort ? await pack(bytes) : undefined;
  const keptBody = isShort ? json.length : (packed?.length ?? 0);
  const answer: Answer = {
    key,
    route,
    etag,
    total,
    isCapped,
    json,
    gzip: packed,
    topics,
    bytes: ownBytes + 2 * key.length + keptBody,
  };
  if (!isShort)
    setImmediate(() => {
      // Callers that waited have taken it.
      answer.json = undefined;
      if (keptBody > limits.bodyBytes) answer.gzip = undefined;
    });
  return answer;
}

/** A text's bytes. Those of a short text are in `scratch`, until the next text is written. */
function bytesOf(text: string, scratch: Buffer): Buffer {
  return text.length > limits.compressAtOnce ? Buffer.from(text) : scratch.subarray(0, scratch.write(text));
}

/** A weak ETag, since the compressed form has it too. Of its 96 bits collisions are no concern. */
function etagOf(body: Buffer, total: string | undefined, isCapped: boolean): string {
  const count = total === undefined ? '' : `-${total}${isCapped ? '+' : ''}`;
  return `W/"${hash('sha256', body, 'base64url').slice(0, 16)}${count}"`;
}

/**
 * Compresses a body; a short one synchronously. The result is a text with a character per byte, which V8 moves when it compacts its heap.
 * A hundred thousand buffers would take half as much memory again, and leave holes between them.
 */
async function pack(bytes: Buffer): Promise<string> {
  const packed = bytes.length <= scratchBytes ? zlib.gzipSync(bytes, quickly) : await gzip(bytes);
  return packed.toString('latin1');
}

/** A body as it is sent; a compressed one has a character per byte. */
export interface Body {
  text: string;
  isPacked: boolean;
}

/** Headers of a body: type, length, and the whole list's length for a page. */
export function describeBody({ etag, total, isCapped }: Answer, { text, isPacked }: Body) {
  return {
    'content-type': 'application/json; charset=utf-8',
    etag,
    vary: 'accept-encoding',
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...(total !== undefined && { 'x-total-count': total }),
    ...(isCapped && { 'x-total-count-capped': 'true' }),
    'content-length': String(isPacked ? text.length : Buffer.byteLength(text)),
  };
}

const gzipIn = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?:0?\.\d*[1-9]\d*|1(?:\.0*)?)\s*)?(?:,|$)/i;

/** Whether an Accept-Encoding takes gzip (RFC 9110, section 12.5.3). */
export const takesGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined && gzipIn.test(acceptEncoding);

/** Whether an If-None-Match names this weak ETag (RFC 9110, section 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(',').some((each) => {
    const named = each.trim();
    return named === '*' || named === etag || named === opaque;
  });
}
