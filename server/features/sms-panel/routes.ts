import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/sms-panel.ts';
import type { Db } from '#server/database/connect.ts';
import { listCapCounts } from '#server/features/sms/cap-store.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { route } from '#server/http/route.ts';
import { presentDelivery, presentSettings, presentSms } from './present.ts';
import { saveSmsSettings } from './save-sms-settings.ts';
import { sendTestSms } from './send-test-sms.ts';
import { listDeliveries, listGateways, readSettings } from './store.ts';

export function smsPanelRoutes(
  app: FastifyInstance,
  { db, limits, limited }: { db: Db; limits: Limits; limited: boolean },
): void {
  route(app, endpoints.readSms, async () =>
    presentSms({
      gateways: await listGateways(db),
      counts: await listCapCounts(db),
      settings: await readSettings(db),
    }),
  );

  route(app, endpoints.listSmsDeliveries, async () => (await listDeliveries(db)).map(presentDelivery));

  route(app, endpoints.saveSmsSettings, async ({ body, write }) =>
    presentSettings(await saveSmsSettings(write, body, { limited })),
  );

  route(app, endpoints.sendTestSms, async ({ body, caller, write }) => {
    const countTest = () => limits.consume('testSmsPerAdministrator', String(caller.userId));
    await sendTestSms(write, body.phone, { countTest, limited });
    return { message: 'SMS d’essai en route' };
  });
}
