import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { receiveSmsReceipt } from '#contract/sms.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { gatewaysWithReceipts, readReceipt } from './read-receipt.ts';
import { recordReceipts } from './receipt-store.ts';

export interface ReceiptTools {
  db: Db;
  /** What stands in the path of receipts. */
  receiptSecret: string;
}

/** Takes receipts of gateways. Without the secret there is nothing here, before a byte of a body is read. */
export async function smsReceiptRoutes(app: FastifyInstance, { db, receiptSecret }: ReceiptTools): Promise<void> {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(receiptSecret);
  await app.register(async (scope) => {
    // Twilio alone sends forms.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.addHook('onRequest', async ({ params }) => {
      const { secret = '', gateway = '' } = params as { secret?: string; gateway?: string };
      const isSecret = timingSafeEqual(digest(secret), expected);
      if (!isSecret || !gatewaysWithReceipts.includes(gateway)) throw new Failure('NOT_FOUND');
    });
    route(scope, receiveSmsReceipt, async ({ params, body }) => {
      const receipts = readReceipt(params.gateway, body);
      if (!receipts) throw new Failure('INVALID');
      await recordReceipts(db, params.gateway, receipts);
      return { received: true as const };
    });
  });
}
