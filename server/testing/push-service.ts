import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A browser that subscribed: what it sends to be told, and how it reads what comes (RFC 8291 §3.3, RFC 8188 §2). */
export function makeBrowser(origin: string) {
  const mine = createECDH('prime256v1');
  const publicKey = mine.generateKeys();
  const auth = randomBytes(16);
  const path = `/fcm/send/${randomUUID()}`;

  /** The text of one record. Throws when it is for somebody else, or was changed. */
  function read(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const theirs = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const derive = (key: Buffer, by: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync('sha256', key, by, info, length));
    const shared = mine.computeSecret(theirs);
    const key = derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, theirs]), 32);
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
      derive(key, salt, 'Content-Encoding: nonce\0', 12),
    );
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    // The last record ends in a 2 and any number of zeros.
    const end = padded.lastIndexOf(2);
    if (padded.subarray(end + 1).some((byte) => byte !== 0))
      throw new Error('the padding is not that of a last record');
    return padded.subarray(0, end).toString();
  }

  return {
    path,
    form: {
      endpoint: origin + path,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    read,
  };
}

/** What the service says to the pushes of one browser; `silence` is no answer at all. */
export type PushAnswer = { status: number; headers?: Record<string, string> } | 'silence';

export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface PushService {
  origin: string;
  /** How the pushes to a path are answered: 201 until told otherwise. */
  answers: Map<string, PushAnswer>;
  /** What came to a path so far. */
  receivedAt(path: string): ReceivedPush[];
  close(): void;
}

/** A push service (RFC 8030) on this machine, which keeps what it gets. */
export async function startPushService(): Promise<PushService> {
  const answers = new Map<string, PushAnswer>();
  const received: (ReceivedPush & { path: string })[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await buffer(request) });
    const answer = answers.get(path) ?? { status: 201 };
    if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    receivedAt: (path) => received.filter((each) => each.path === path),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
