import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { lockGateways, queueBalanceCheck, saveBalance, saveGateways } from './sending-store.ts';
import type { SmsRoute } from './sms-route.ts';

/** Raises or clears each gateway's alarm by its failures: critical where a country has no other gateway that works. */
export async function updateGatewayAlarms(db: Db, sms: SmsRoute): Promise<void> {
  await db.transaction(async (tx) => {
    const [states] = await tx.ask(lockGateways());
    const failing = new Set(states.filter(({ isFailing }) => isFailing).map(({ name }) => name));
    const cutOff = countries.filter(({ code }) => {
      const list = sms.listFor(code.slice(1));
      return list.length > 0 && list.every(({ name }) => failing.has(name));
    });
    for (const state of states) {
      const { name } = state;
      const alone = cutOff.filter(({ code }) => sms.listFor(code.slice(1)).some((each) => each.name === name));
      const facts = failing.has(name) ? { ...state, alone: alone.map((each) => each.name) } : undefined;
      await updateAlarm(tx, 'gateway', facts, name);
    }
  });
}

/** Records the balances that gateways tell, or why one does not, and raises an alarm below `smsLimits.lowBalance`. */
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
      await updateAlarm(db, 'sms-balance', { name, ...balance }, name);
    } else {
      await db.ask(saveBalance(name, null, balance.failure));
      log.error({ gateway: name, failure: balance.failure }, 'SMS balance not told');
    }
  }
}

/** Records this process's gateways, ends the alarms of others, and queues a check of balances. The last to start wins. */
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
