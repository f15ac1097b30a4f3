import { once } from 'node:events';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { watchLimits } from '#server/process/watch-limits.ts';

/**
 * Looks when the certificate of the product's own address ends. An address that cannot be reached from here, as behind some
 * firewalls, says nothing: an alarm that is up stays.
 */
export async function watchCertificate({
  db,
  publicUrl,
  now = new Date(),
}: {
  db: Db;
  publicUrl: string | undefined;
  now?: Date;
}): Promise<void> {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (url?.protocol !== 'https:') return updateAlarm(db, 'certificate', undefined);
  const end = await readEnd(url);
  if (end) await updateAlarm(db, 'certificate', { end, now, host: url.host });
}

/** The end of the certificate that is shown there, whoever signed it; undefined without one. */
async function readEnd({ hostname, port }: URL): Promise<Date | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = tls.connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // An untrusted or expired certificate is read as well.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(watchLimits.certificateMs) });
    const { valid_to } = socket.getPeerCertificate();
    return valid_to ? new Date(valid_to) : undefined;
  } catch {
    return undefined;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
