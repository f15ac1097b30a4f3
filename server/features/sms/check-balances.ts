import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { saveBalance, saveBalanceFailure } from './gateway-store.ts';
import type { SmsRoute } from './sms-route.ts';

/**
 * Asks each gateway that tells how many messages are still paid for, writes that down, and raises an alarm below
 * `smsLimits.lowBalance`. Where a gateway does not tell, the panel and the log say why.
 */
export async function checkBalances({
  db,
  sms,
  log,
}: {
  db: Db;
  sms: SmsRoute;
  log: { error(details: object, message: string): void };
}): Promise<void> {
  for (const gateway of sms.gateways) {
    const { name } = gateway;
    const balance = await gateway.readBalance?.();
    if (balance === undefined) continue;
    if ('failure' in balance) {
      await saveBalanceFailure(db, name, balance.failure);
      log.error({ gateway: name, failure: balance.failure }, 'SMS balance not told');
      continue;
    }
    await saveBalance(db, name, balance.units);
    await updateAlarm(db, 'sms-balance', { name, ...balance }, name);
  }
}
