import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  bytes: Buffer;
  headers: Record<string, string>;
  changedAt: Date;
}

/** What the next requests meet instead of an answer, each one of these; 'silence' holds the connection until the caller leaves. */
type Trouble = 'cut' | 'silence' | number;

/** A bucket as S3 has them, in memory, which believes nobody: it signs each request again and compares. */
export interface FakeS3 {
  settings: Record<
    'STORAGE' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY',
    string
  >;
  objects: Map<string, StoredObject>;
  troubles: Trouble[];
  /** Each request, as its method and path, in the order of their coming. */
  requests: string[];
  /** Keys of a page of a list. */
  pageLength: number;
  close(): Promise<void>;
}

const bucket = 'images';
const region = 'eu-west-3';
const accessKeyId = 'AKIDGUICHETTEST';
const secretAccessKey = 'secret/of+the=tests';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

interface Signed {
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** The names of the headers that are signed, with semicolons between them. */
  names: string;
  /** Of the key: day, region, service and 'aws4_request', with slashes between them. */
  scope: string;
  secret: string;
}

/**
 * The signature of a request by AWS Signature Version 4, as its documentation describes it
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export function signatureOf({ method, url, headers, names, scope, secret }: Signed): string {
  const query = [...url.searchParams]
    .map(([key, value]) => `${encoded(key)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const path = url.pathname.split('/').map(decodeURIComponent).map(encoded).join('/');
  const lines = names.split(';').map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`);
  const canonical = [method, path, query, lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

type Refusal = [status: number, code: string];

/** What S3 says against a request; undefined where it is who it says, and carries what was signed. */
function refusalOf(request: IncomingMessage, url: URL, body: Buffer): Refusal | undefined {
  const headers = request.headers as Record<string, string>;
  const [, id, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!id) return [403, 'AccessDenied'];
  if (id !== accessKeyId) return [403, 'InvalidAccessKeyId'];
  const date = headers['x-amz-date'] ?? '';
  if (scope !== `${date.slice(0, 8)}/${region}/s3/aws4_request`) return [400, 'AuthorizationHeaderMalformed'];
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < 900_000)) return [403, 'RequestTimeTooSkewed'];
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(name)) return [403, 'AccessDenied'];
  const own = signatureOf({ method: request.method ?? '', url, headers, names, scope, secret: secretAccessKey });
  if (own !== signature) return [403, 'SignatureDoesNotMatch'];
  return headers['x-amz-content-sha256'] === sha256(body) ? undefined : [400, 'XAmzContentSHA256Mismatch'];
}

export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, StoredObject>();
  const troubles: Trouble[] = [];
  const requests: string[] = [];

  const refuse = (response: ServerResponse, [status, code]: Refusal) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`);

  const list = (response: ServerResponse, query: URLSearchParams) => {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
    const after = query.get('continuation-token')?.slice('after=&'.length) ?? '';
    const length = Math.min(standIn.pageLength, Number(query.get('max-keys') ?? 1_000));
    const left = keys.filter((key) => key > after);
    const page = left.slice(0, length);
    const contents = page.map((key) => {
      const { bytes, changedAt } = objects.get(key) as StoredObject;
      return `<Contents><Key>${key}</Key><LastModified>${changedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const isCut = left.length > page.length;
    const next = isCut ? `<NextContinuationToken>after=&amp;${page.at(-1)}</NextContinuationToken>` : '';
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`);
  };

  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    requests.push(`${request.method} ${url.pathname}`);
    const trouble = troubles.shift();
    if (trouble === 'cut') return request.socket.destroy();
    if (trouble === 'silence') return undefined;
    if (trouble === 301) return response.writeHead(301, { location: standIn.settings.S3_ENDPOINT }).end();
    if (trouble) return refuse(response, [trouble, trouble === 503 ? 'SlowDown' : 'InternalError']);
    const refused = refusalOf(request, url, body);
    if (refused) return refuse(response, refused);
    const [, asked, key = ''] = /^\/([^/]+)\/(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    if (asked !== bucket) return refuse(response, [404, 'NoSuchBucket']);
    if (!key && url.searchParams.get('list-type') === '2') return list(response, url.searchParams);
    if (request.method === 'PUT') {
      const { 'content-type': type = '', 'cache-control': cacheControl = '' } = request.headers;
      const headers = { 'content-type': type, 'cache-control': cacheControl };
      objects.set(key, { bytes: body, headers, changedAt: new Date() });
      return response.writeHead(200).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const found = objects.get(key);
    if (!found) return refuse(response, [404, 'NoSuchKey']);
    return response
      .writeHead(200, { ...found.headers, 'content-length': found.bytes.length })
      .end(request.method === 'HEAD' ? undefined : found.bytes);
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    answer(request, response, Buffer.concat(chunks));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: FakeS3 = {
    settings: {
      STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects,
    troubles,
    requests,
    pageLength: 1_000,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}
