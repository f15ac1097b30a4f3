import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { clearAlarm, raiseAlarm } from '#server/features/alarms/store.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { gatewayAlarm } from './alarm-keys.ts';
import { lockGateways } from './gateway-store.ts';
import type { SmsRoute } from './sms-route.ts';

/**
 * Raises or clears the alarm of each gateway by how often it failed in a row, as all processes know it: critical where a country
 * has none left that works. Of several at once the last one sees what the others saw.
 */
export async function judgeGateways(db: Db, sms: SmsRoute): Promise<void> {
  await db.transaction(async (tx) => {
    const [states] = await tx.ask(lockGateways());
    const failing = new Set(
      states
        .filter((each) => each.position !== null && each.failuresInARow >= smsLimits.failuresBeforeAlarm)
        .map(({ name }) => name),
    );
    const cutOff = countries.filter(({ code }) => {
      const list = sms.listFor(code.slice(1));
      return list.length > 0 && list.every(({ name }) => failing.has(name));
    });
    for (const { name, failure } of states) {
      const key = gatewayAlarm(name);
      const alone = cutOff.filter(({ code }) => sms.listFor(code.slice(1)).some((each) => each.name === name));
      if (!failing.has(name)) await clearAlarm(tx, key);
      else
        await raiseAlarm(tx, {
          key,
          level: alone.length > 0 ? 'critical' : 'warning',
          message: sentence(
            name,
            failure,
            alone.map((each) => each.name),
          ),
        });
    }
  });
}

function sentence(name: string, failure: string | null, alone: readonly string[]): string {
  const what = `La passerelle SMS ${name} échoue (${failure ?? 'sans raison connue'}).`;
  const effect =
    alone.length > 0
      ? `Aucun SMS ne part plus vers : ${alone.join(', ')}.`
      : 'Les messages passent par les autres passerelles.';
  return `${what} ${effect} Vérifiez son compte, son crédit et ses réglages.`;
}
