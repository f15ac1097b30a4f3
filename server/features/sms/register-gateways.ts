import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { queueBalanceCheck, saveGateways } from './gateway-store.ts';
import type { SmsRoute } from './sms-route.ts';
import { updateGatewayAlarms } from './update-gateway-alarms.ts';

/**
 * Records the gateways of this process's settings with their countries. Ends the alarms of gateways that are no longer set,
 * and queues a check of balances. Of processes with different settings the last to start wins.
 */
export async function registerGateways(db: Db, sms: SmsRoute): Promise<void> {
  const codes = countries.map(({ code }) => code.slice(1));
  const carries = (name: string) => codes.filter((code) => sms.listFor(code).some((each) => each.name === name));
  await saveGateways(
    db,
    sms.gateways.map(({ name }) => ({ name, dialCodes: carries(name) })),
  );
  await updateGatewayAlarms(db, sms);
  if (!sms.gateways.some(({ name }) => name === 'orange')) await updateAlarm(db, 'sms-balance', undefined, 'orange');
  if (sms.gateways.some(({ readBalance }) => readBalance)) await queueBalanceCheck(db);
}
