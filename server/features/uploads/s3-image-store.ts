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
import { away, codeOf, openBucket, refusal, type Sent } from './s3-bucket.ts';

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

  /** Throws BUSY for any other status. */
  const ask = async (sent: Sent, ...expected: number[]) => {
    const answer = await bucket.send(sent);
    if (!expected.includes(answer.status)) throw away(refusal(answer, sent));
    return answer;
  };

  const write = async (name: string, body: Buffer, headers: Record<string, string> = ofImages) =>
    void (await ask({ method: 'PUT', name, body, headers }, 200));

  const read = async (name: string): Promise<Buffer | undefined> => {
    const sent = { method: 'GET', name } as const;
    const answer = await ask(sent, 200, 404);
    if (answer.status === 200) return answer.body;
    if (codeOf(answer.body) === 'NoSuchBucket') throw away(refusal(answer, sent));
    return undefined;
  };

  const remove = async (url: string) => {
    const image = fileOfUrl(url);
    if (!image) return;
    for (const name of namesOf(image)) await ask({ method: 'DELETE', name }, 200, 204, 404);
  };

  const has = async (url: string) => {
    const name = fileOfUrl(url);
    return name !== undefined && (await ask({ method: 'HEAD', name }, 200, 404)).status === 200;
  };

  /** Every image's file, page by page. */
  const list = async () => {
    const listed: { name: string; changedAt: number }[] = [];
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        ...(bucket.prefix && { prefix: bucket.prefix }),
        ...(token && { 'continuation-token': token }),
      };
      const { body } = await ask({ method: 'GET', query }, 200);
      const xml = body.toString('utf8');
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
