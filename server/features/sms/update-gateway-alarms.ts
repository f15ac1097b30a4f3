import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { lockGateways } from './gateway-store.ts';
import type { SmsRoute } from './sms-route.ts';

/**
 * Raises or clears the alarm of each gateway by how many of its messages failed, as all processes know it: critical where a country
 * has none left that works. Of several at once the last one sees what the others saw.
 */
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
