import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { balanceAlarm } from './alarm-keys.ts';
import type { Balance } from './gateway.ts';
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
    if (balance.units >= smsLimits.lowBalance) await clearAlarm(db, balanceAlarm(name));
    else
      await raiseAlarm(db, {
        key: balanceAlarm(name),
        level: balance.units > 0 ? 'warning' : 'critical',
        message: sentence(name, balance),
      });
  }
}

function sentence(name: string, { units, dialCode }: Balance): string {
  const country = countries.find(({ code }) => code === `+${dialCode}`);
  const whither = country ? ` vers ${country.code} (${country.name})` : '';
  return `Il reste ${units} SMS payés chez ${name}${whither}. Achetez-en d’autres avant que les codes ne partent plus.`;
}
