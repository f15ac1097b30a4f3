import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { gatewayAlarm } from './alarm-keys.ts';
import { type GatewayState, lockGateways } from './gateway-store.ts';
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
      const key = gatewayAlarm(name);
      const alone = cutOff.filter(({ code }) => sms.listFor(code.slice(1)).some((each) => each.name === name));
      if (!failing.has(name)) await clearAlarm(tx, key);
      else
        await raiseAlarm(tx, {
          key,
          level: alone.length > 0 ? 'critical' : 'warning',
          message: sentence(
            state,
            alone.map((each) => each.name),
          ),
        });
    }
  });
}

function sentence({ name, failure, failuresInARow, failedPercent }: GatewayState, alone: readonly string[]): string {
  const often = failuresInARow >= smsLimits.failuresBeforeAlarm ? '' : ` pour ${failedPercent} % des derniers messages`;
  const what = `La passerelle SMS ${name} échoue${often} (${failure ?? 'sans raison connue'}).`;
  const some = often ? 'Des SMS partent en retard ou pas du tout' : 'Aucun SMS ne part plus';
  const effect =
    alone.length > 0 ? `${some} vers : ${alone.join(', ')}.` : 'Les messages passent par les autres passerelles.';
  return `${what} ${effect} Vérifiez son compte, son crédit et ses réglages.`;
}
