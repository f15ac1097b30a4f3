import type { Db } from '#server/database/connect.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import { listAlarms } from '#server/features/alarms/store.ts';
import { countReportersOfService, findServiceName } from './store.ts';

/** Raises or ends the alarm about a service's code by the people who reported it in the last 24 hours. */
export async function updateServiceAlarm(db: Db, serviceId: number): Promise<void> {
  const name = await findServiceName(db, serviceId);
  const people = await countReportersOfService(db, serviceId);
  await updateAlarm(db, 'dial-code', name === undefined ? undefined : { name, people }, `service-${serviceId}`);
}

/** Ends alarms about services' codes that nobody has reported for a day. */
export async function settleCodeAlarms(db: Db): Promise<void> {
  const prefix = alarmKey('dial-code', 'service-');
  for (const { key } of await listAlarms(db))
    if (key.startsWith(prefix)) await updateServiceAlarm(db, Number(key.slice(prefix.length)));
}
