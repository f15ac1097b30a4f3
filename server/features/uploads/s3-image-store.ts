import type { BucketSettings } from '#server/process/storage-settings.ts';
import {
  fileOfUrl,
  filesInOrder,
  type ImageStore,
  namesOf,
  newImageName,
  ownerFile,
  readFileName,
  urlOfFile,
} from './image-store.ts';
import { away, codeOf, openBucket, refusal } from './s3-bucket.ts';

interface Listed {
  name: string;
  changedAt: number;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string) => text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
const element = (name: string, xml: string) => {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text === undefined ? undefined : unescaped(text);
};

const ofImages = { 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' };

/** Images as objects of a bucket, which any number of machines may share. Everything throws BUSY while the bucket is away. */
export function s3ImageStore(settings: BucketSettings): ImageStore {
  const bucket = openBucket(settings);

  const write = async (name: string, body: Buffer, headers: Record<string, string> = ofImages) => {
    const sent = { method: 'PUT', name, body, headers } as const;
    const answer = await bucket.send(sent);
    if (answer.status !== 200) throw away(refusal(answer, sent));
  };

  const read = async (name: string): Promise<Buffer | undefined> => {
    const sent = { method: 'GET', name } as const;
    const answer = await bucket.send(sent);
    if (answer.status === 404 && codeOf(answer.body) !== 'NoSuchBucket') return undefined;
    if (answer.status !== 200) throw away(refusal(answer, sent));
    return answer.body;
  };

  const remove = async (url: string) => {
    const image = fileOfUrl(url);
    if (!image) return;
    for (const name of namesOf(image)) {
      const sent = { method: 'DELETE', name } as const;
      const answer = await bucket.send(sent);
      if (![200, 204, 404].includes(answer.status)) throw away(refusal(answer, sent));
    }
  };

  const has = async (url: string) => {
    const name = fileOfUrl(url);
    if (!name) return false;
    const sent = { method: 'HEAD', name } as const;
    const answer = await bucket.send(sent);
    if (answer.status !== 200 && answer.status !== 404) throw away(refusal(answer, sent));
    return answer.status === 200;
  };

  /** Every image's file, page by page. */
  const list = async (): Promise<Listed[]> => {
    const listed: Listed[] = [];
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        ...(bucket.prefix && { prefix: bucket.prefix }),
        ...(token && { 'continuation-token': token }),
      };
      const sent = { method: 'GET', query } as const;
      const answer = await bucket.send(sent);
      if (answer.status !== 200) throw away(refusal(answer, sent));
      const xml = answer.body.toString('utf8');
      for (const [, each = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = element('Key', each)?.slice(bucket.prefix.length) ?? '';
        const changedAt = Date.parse(element('LastModified', each) ?? '');
        if (readFileName(name)) listed.push({ name, changedAt });
      }
      token = element('IsTruncated', xml) === 'true' ? element('NextContinuationToken', xml) : undefined;
    } while (token);
    return listed;
  };

  return {
    has,
    remove,
    async put(webp, smaller = new Map()) {
      const image = newImageName();
      const url = urlOfFile(image);
      try {
        for (const [name, bytes] of filesInOrder(image, webp, smaller)) await write(name, bytes);
      } catch (error) {
        // What cannot be taken away now is found by the clean-up, since no row will name it.
        await remove(url).catch(() => {});
        throw error;
      }
      return url;
    },
    async listOlderThan(seconds) {
      const before = Date.now() - seconds * 1000;
      const old = (await list()).filter(({ changedAt }) => changedAt <= before);
      return [...new Set(old.map(({ name }) => readFileName(name)?.image as string))].map(urlOfFile);
    },
    // An object is there whole or not at all.
    async removeUnfinished() {},
    async listFiles() {
      return (await list()).map(({ name }) => name);
    },
    async readFile(name) {
      return readFileName(name) && read(name);
    },
    async putBack(name, bytes) {
      if (!readFileName(name)) throw new Error('no name of an image');
      await write(name, bytes);
    },
    async readOwner() {
      return (await read(ownerFile))?.toString('utf8').trim();
    },
    keepOwner: (owner) => write(ownerFile, Buffer.from(`${owner}\n`), { 'content-type': 'text/plain' }),
    ownerPlace: `s3://${settings.bucket}/${bucket.prefix}${ownerFile}`,
  };
}
