import { createHash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { defaultCountryCode, maskPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import * as endpoints from '#contract/sms.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { route } from '#server/http/route.ts';
import { panelSmsLimits } from '#server/process/sending-limits.ts';
import { listCapCounts, lockCapCounts } from './caps.ts';
import { presentDelivery, presentSettings, presentSms } from './present.ts';
import { gatewaysWithReceipts, readReceipt, recordReceipts } from './receipts.ts';
import { listDeliveries, listGateways, lockSettings, queueSms, readSettings, writeSettings } from './store.ts';

interface SmsTools {
  db: Db;
  limits: Limits;
  limited: boolean;
  /** The secret in the path of receipts. */
  receiptSecret: string;
}

/** Every character is of the GSM-7 alphabet. */
const testText = "Guichet : ceci est un message d'essai. Si vous le lisez, l'envoi de SMS fonctionne.";

export async function smsRoutes(app: FastifyInstance, tools: SmsTools): Promise<void> {
  const { db, limits, limited } = tools;

  route(app, endpoints.readSms, async () =>
    presentSms(await listGateways(db), await listCapCounts(db), await readSettings(db)),
  );

  route(app, endpoints.listSmsDeliveries, async () => (await listDeliveries(db)).map(presentDelivery));

  // Messages that are queued meanwhile wait, and follow the new caps.
  route(app, endpoints.saveSmsSettings, async ({ body: { expectedUpdatedAt, ...settings }, write }) => {
    const saved = await write(async (tx, note) => {
      const stored = await lockSettings(tx);
      const { updatedAt, ...before } = stored;
      if (isDeepStrictEqual(before, settings)) {
        note({ unchanged: true });
        return stored;
      }
      requireUnchanged(updatedAt, expectedUpdatedAt);
      // Before it is written: whoever queues holds the day's row, and reads what is set behind it.
      await lockCapCounts(tx);
      const written = await writeSettings(tx, settings);
      note({ before });
      return written;
    });
    return presentSettings(saved);
  });

  // Beyond the day's caps if need be.
  route(app, endpoints.sendTestSms, async ({ body, caller, write }) => {
    const phone = readPhone(body.phone, defaultCountryCode);
    if ('problem' in phone) throw new Failure('PHONE_INVALID', { message: phone.problem });
    await limits.consume('testSmsPerAdministrator', String(caller.userId));
    await write(async (tx, note) => {
      note({ details: { number: maskPhone(phone.e164) } });
      const lifetimeSeconds = panelSmsLimits.testLifetimeSeconds;
      await queueSms(tx, { to: phone.e164, text: testText, kind: 'test', lifetimeSeconds }, { limited });
    });
    return { message: "SMS d'essai en route" };
  });

  await app.register(async (scope) => receiptRoutes(scope, tools));
}

/** Takes receipts of gateways. Without the secret there is nothing here, before a byte of a body is read. */
function receiptRoutes(scope: FastifyInstance, { db, receiptSecret }: SmsTools): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(receiptSecret);
  // Twilio alone sends forms.
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  scope.addHook('onRequest', async ({ params }) => {
    const { secret = '', gateway = '' } = params as { secret?: string; gateway?: string };
    const isSecret = timingSafeEqual(digest(secret), expected);
    if (!isSecret || !gatewaysWithReceipts.includes(gateway)) throw new Failure('NOT_FOUND');
  });
  route(scope, endpoints.receiveSmsReceipt, async ({ params, body }) => {
    const receipts = readReceipt(params.gateway, body);
    if (!receipts) throw new Failure('INVALID');
    await recordReceipts(db, params.gateway, receipts);
    return { received: true as const };
  });
}
