import { ECDH } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/push.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { isOfService } from './services.ts';
import { deleteSubscription, requirePushKeys, saveSubscription } from './store.ts';

export function pushRoutes(app: FastifyInstance, { db, services }: { db: Db; services: readonly string[] }): void {
  route(app, endpoints.readPushKey, async () => ({ publicKey: (await requirePushKeys(db)).publicKey }));

  route(app, endpoints.savePushSubscription, async ({ body, caller }) => {
    const { endpoint, keys } = body;
    if (!isOfService(endpoint, services)) throw new Failure('PUSH_SERVICE_UNKNOWN');
    if (!isPoint(keys.p256dh)) throw new Failure('INVALID', { message: 'Cette clé est invalide.' });
    const saved = await saveSubscription(db, caller, { endpoint, ...keys });
    if (!saved) throw new Failure('NOT_SIGNED_IN');
    return { message: 'Vous serez prévenu sur cet appareil.' };
  });

  route(app, endpoints.deletePushSubscription, async ({ body, caller }) => {
    await deleteSubscription(db, caller.userId, body.endpoint);
    return { message: 'Vous ne serez plus prévenu sur cet appareil.' };
  });
}

/** Whether something can be encrypted for this key: an uncompressed point of P-256, in base64url. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url', 'hex', 'compressed');
    return true;
  } catch {
    return false;
  }
}
