import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { type Reply, startFakeGateway } from './gateways/fake-gateway.ts';

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

/** A push service (RFC 8030) on this machine, which keeps what it gets, and answers 201 to a path until told otherwise. */
export async function startPushService() {
  const answers = new Map<string, Reply | 'hangs'>();
  const { url: origin, asked, close } = await startFakeGateway(({ path }) => answers.get(path) ?? { status: 201 });
  return { origin, answers, receivedAt: (path: string) => asked.filter((each) => each.path === path), close };
}
