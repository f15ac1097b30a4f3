import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { Failure } from '#contract/failure.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { storageLimits } from '#server/process/limits.ts';
import type { BucketSettings } from '#server/process/storage-settings.ts';

/** What a bucket answered with a status that is no trouble of the moment. */
interface BucketAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

export interface Sent {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** After the prefix; the bucket itself without. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

export interface Bucket {
  prefix: string;
  /** Sends a signed request, again after passing troubles. Throws BUSY with the cause when none was answered. */
  send(sent: Sent): Promise<BucketAnswer>;
}

/** An answer that means that something is wrong with the request, the keys or the bucket, with S3's own code for it. */
export function refusal({ status, body }: BucketAnswer, { method }: Pick<Sent, 'method'>): Error {
  return new Error(`S3 answered ${status} ${codeOf(body)} to ${method}`.replace('  ', ' '));
}

/** S3's code of an error, such as NoSuchKey; nothing where there is none. */
export const codeOf = (body: Buffer): string => /<Code>(\w{1,60})<\/Code>/.exec(body.toString('utf8'))?.[1] ?? '';

/** The refusal of a call that needs the store while it cannot be reached. */
export function away(cause: unknown): Failure {
  const failure = new Failure('BUSY', { retryAfter: storageLimits.retryAfterSeconds });
  failure.cause = cause;
  return failure;
}

/** The address of the bucket, with a slash at its end. */
export function addressOf({ endpoint, bucket, isInPath }: BucketSettings): string {
  const url = new URL(endpoint);
  if (!isInPath) url.host = `${bucket}.${url.host}`;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${isInPath ? `${bucket}/` : ''}`;
  return url.href;
}

/** Opens a bucket, without asking it anything. Requests are signed by AWS Signature Version 4, their bodies included. */
export function openBucket(settings: BucketSettings): Bucket {
  const { region, accessKeyId, secretAccessKey, prefix } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const address = addressOf(settings);
  const inTurn = concurrencyLimit(storageLimits.requests);
  let awayUntil = 0;

  async function once({ method, name, query = {}, headers, body }: Sent): Promise<BucketAnswer> {
    const url = new URL(name === undefined ? address : `${address}${prefix}${name}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const request = await client.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      ...(body && { body: new Uint8Array(body) }),
    });
    const signal = AbortSignal.timeout(storageLimits.answerMs);
    const response = await fetch(request, { redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  async function send(sent: Sent): Promise<BucketAnswer> {
    // Nobody waits behind those who wait for a bucket that has just been away.
    if (performance.now() < awayUntil) throw away(new Error('S3 was away a moment ago'));
    let cause: unknown;
    for (const pauseMs of [0, ...storageLimits.pausesMs]) {
      if (pauseMs > 0) await pause(pauseMs);
      try {
        const answer = await once(sent);
        if (answer.status < 500 && answer.status !== 429) return answer;
        cause = refusal(answer, sent);
      } catch (error) {
        cause = error;
      }
    }
    awayUntil = performance.now() + storageLimits.awayMs;
    throw away(cause);
  }

  return { prefix, send: (sent) => inTurn(() => send(sent)) };
}

/** What a bucket says against being used, as S3's code or status; undefined where it can be. Throws BUSY while it is away. */
export async function findBucketTrouble(settings: BucketSettings): Promise<string | undefined> {
  const bucket = openBucket(settings);
  const query = { 'list-type': '2', 'max-keys': '1', ...(bucket.prefix && { prefix: bucket.prefix }) };
  const { status, body } = await bucket.send({ method: 'GET', query });
  return status === 200 ? undefined : codeOf(body) || `HTTP ${status}`;
}
