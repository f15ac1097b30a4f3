import type { Db } from '#server/database/connect.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { balanceAlarm } from './alarm-keys.ts';
import { saveBalance } from './gateway-store.ts';
import type { SmsRoute } from './sms-route.ts';

/**
 * Asks each gateway that tells how many messages are still paid for, writes that down, and raises an alarm below
 * `smsLimits.lowBalance`. What a gateway does not tell stays as it was, and is in the log.
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
    if (typeof balance !== 'number') {
      log.error({ gateway: name, failure: balance.failure }, 'SMS balance not told');
      continue;
    }
    await saveBalance(db, name, balance);
    if (balance >= smsLimits.lowBalance) await clearAlarm(db, balanceAlarm(name));
    else
      await raiseAlarm(db, {
        key: balanceAlarm(name),
        level: balance > 0 ? 'warning' : 'critical',
        message: `Il reste ${balance} SMS payés chez ${name}. Achetez-en d’autres avant que les codes ne partent plus.`,
      });
  }
}
