import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ChangeFeed } from './change-feed.ts';
import { type Kept, TopicCache } from './topic-cache.ts';

/** Of answers and their ETags. */
const limits = {
  /** Answers with their ETags: three lists of 50,000 people, and their bodies while there is room. */
  answerBytes: 96 * 1024 * 1024,
  /** A body that is larger is not worth the room of a thousand others. */
  bodyBytes: 256 * 1024,
  /** Below this size compressing saves no packet. */
  compressFrom: 512,
  /** Compressing more than this takes longer than another request should wait for. */
  compressAtOnce: 64 * 1024,
} as const;

/** The audience of an answer: a person by their id, signed-out callers (0), or all callers alike. */
export type Reader = number | 'everyone';

/** What a handler answered, in JSON; and how long the list is of which this is a page. */
export interface MadeAnswer {
  json: string;
  total?: string | undefined;
  isCapped?: boolean;
}

/** An answer with its ETag, and with as much of its body as is kept. */
export interface Answer extends Kept {
  /** Under which it is kept. */
  key: string;
  /** The path of its endpoint. */
  route: string;
  etag: string;
  total: string | undefined;
  isCapped: boolean;
  /** Of a short answer. Of a long one only while a client wants it plain, or waits for the first compression. */
  json: string | undefined;
  gzip: string | undefined;
}

/** How an answer is made, and what it depends on. */
interface Making {
  route: string;
  topics: readonly string[];
  compress: boolean;
  make: () => Promise<MadeAnswer>;
}

/** Of the objects and the places in maps that an answer takes beside its texts. */
const ownBytes = 500;

/** The longest text that is compressed at once, in UTF-8. */
const scratchBytes = 3 * limits.compressAtOnce;

const gzip = promisify(zlib.gzip);
/** At zlib's first level lists are a hundredth larger, and done in half the time; few are longer than a chunk. */
const quickly = { level: 1, chunkSize: 2_048 };

/** Keeps the answers to reads: their ETags, and their bodies where there is room. */
export class AnswerCache {
  /** How reads were answered so far; plain numbers, which cost the quickest of them nothing. */
  readonly counts = {
    /** In front of Fastify: what the caller had still holds, or a whole answer. */
    unchanged: 0,
    whole: 0,
    /** By Fastify, from what was kept all the same. */
    found: 0,
    /** Made anew, or shared with another caller while it is made. */
    made: 0,
  };
  readonly #memory: TopicCache<Answer>;
  /** Where texts are written that are looked at at once: a buffer for each would have V8 clear up twice as often. */
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

  /** The answer that still holds, if one is kept. */
  find(reader: Reader, url: string): Answer | undefined {
    return this.#memory.get(keyOf(reader, url));
  }

  /** Has an answer made for one who asks alone, and does not keep it. */
  async make(reader: Reader, url: string, { make, ...making }: Making): Promise<Answer> {
    const made = await make();
    return answerOf(keyOf(reader, url), making, made, bytesOf(made.json, this.#scratch));
  }

  /** Has an answer made, once for all who ask for it meanwhile, and keeps it until one of the topics changes. */
  read(reader: Reader, url: string, making: Making): Promise<Answer> {
    const read = () => this.make(reader, url, making);
    return this.#memory.read(keyOf(reader, url), read, making.topics) as Promise<Answer>;
  }

  /** An answer's body as this caller takes it, if it is kept. Once unpacked it is kept so too. */
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
      // Whoever waited for it has taken it.
      answer.json = undefined;
      if (keptBody > limits.bodyBytes) answer.gzip = undefined;
    });
  return answer;
}

/** A text's bytes: of one that is not long, until the next is written to `scratch`. */
function bytesOf(text: string, scratch: Buffer): Buffer {
  return text.length > limits.compressAtOnce ? Buffer.from(text) : scratch.subarray(0, scratch.write(text));
}

/** Weak: the compressed form has it too. Collisions among 2^96 are not a concern. */
function etagOf(body: Buffer, total: string | undefined, isCapped: boolean): string {
  const count = total === undefined ? '' : `-${total}${isCapped ? '+' : ''}`;
  return `W/"${hash('sha256', body, 'base64url').slice(0, 16)}${count}"`;
}

/**
 * Compressed, before anything else is done where it is not long; each byte a character: a text of V8's own, which it moves
 * together when others go. A hundred thousand buffers take half as much again for themselves, and leave holes between them
 * that nobody gets back.
 */
async function pack(bytes: Buffer): Promise<string> {
  const packed = bytes.length <= scratchBytes ? zlib.gzipSync(bytes, quickly) : await gzip(bytes);
  return packed.toString('latin1');
}

/** A body as it goes out; one that is packed has a character for each byte. */
export interface Body {
  text: string;
  isPacked: boolean;
}

/** Headers that describe a body: its type, its length, and the length of the list of which it is a page. */
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
