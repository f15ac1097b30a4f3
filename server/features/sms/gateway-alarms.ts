import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { queueBalanceCheck, saveBalance, saveGateways } from './sending-store.ts';
import type { SmsRoute } from './sms-route.ts';

/** Records the balances that gateways tell, or why one does not. */
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
    if ('units' in balance) {
      await db.ask(saveBalance(name, balance.units, null));
    } else {
      await db.ask(saveBalance(name, null, balance.failure));
      log.error({ gateway: name, failure: balance.failure }, 'SMS balance not told');
    }
  }
}

/** Records this process's gateways, and queues a check of balances. The last to start wins. */
export async function registerGateways(db: Db, sms: SmsRoute): Promise<void> {
  const codes = countries.map(({ code }) => code.slice(1));
  const carries = (name: string) => codes.filter((code) => sms.listFor(code).some((each) => each.name === name));
  await saveGateways(
    db,
    sms.gateways.map(({ name }) => ({ name, dialCodes: carries(name) })),
  );
  if (sms.gateways.some(({ readBalance }) => readBalance)) await queueBalanceCheck(db);
}
