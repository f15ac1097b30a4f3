import webPush from 'web-push';
import type { Db } from '#server/database/connect.ts';
import { findPushKeys, keepPushKeys, type PushKeys } from './store.ts';

/**
 * The keys that this installation signs its pushes with, made the first time they are asked for. Processes that ask at once
 * get the same: what one of them keeps first stands for all.
 */
export async function requirePushKeys(db: Db): Promise<PushKeys> {
  const known = await findPushKeys(db);
  if (known) return known;
  await keepPushKeys(db, webPush.generateVAPIDKeys());
  return (await findPushKeys(db)) as PushKeys;
}

/**
 * Who push services may turn to (RFC 8292 §2.1): the site. Without an address of https there is no contact, and only a
 * browser on this machine could subscribe.
 */
export function pushSubject(publicUrl: string | undefined): string {
  const url = publicUrl ? new URL(publicUrl) : undefined;
  return url?.protocol === 'https:' ? url.origin : 'mailto:guichet@localhost';
}
