import { type Dashboard, dashboardDays, recentTickets, topServices } from '#contract/dashboard.ts';
import type { Db } from '#server/database/connect.ts';
import { usableTimeZone } from '#server/database/time-zone.ts';
import { conditions } from '#server/features/alarms/conditions.ts';
import { listAlarms } from '#server/features/alarms/store.ts';
import { countServices } from '#server/features/catalogue/store.ts';
import { readUnsignedDays } from '#server/features/payments/closing/store.ts';
import {
  listTicketDays,
  listTopServices,
  readTicketTally,
  readUserTally,
} from '#server/features/tickets/tallies-store.ts';
import { listRecentTickets, readDayStarts, readOldestPending, readServicePaths } from './store.ts';

/** The figures of the day and of the last 30, as a calendar in that time zone has them. */
export async function readDashboard(db: Db, named: string | undefined): Promise<Dashboard> {
  const timeZone = await usableTimeZone(db, named);
  const { today, first, days } = await readDayStarts(db, { timeZone, daysBefore: dashboardDays - 1 });
  const [users, services, byStatus, perDay, top, recent, alarms, oldestPending, unsigned] = await Promise.all([
    readUserTally(db, today),
    countServices(db),
    readTicketTally(db),
    listTicketDays(db, { since: first, timeZone }),
    listTopServices(db, { since: first, limit: topServices }),
    listRecentTickets(db, recentTickets),
    listAlarms(db),
    readOldestPending(db),
    readUnsignedDays(db),
  ]);
  const paths = await readServicePaths(
    db,
    top.map((each) => each.serviceId),
  );
  const filed = new Map(perDay.map((each) => [each.day, each]));
  return {
    users: { total: users.total, today: users.recent },
    services,
    tickets: {
      total: byStatus.pending + byStatus.approved + byStatus.rejected,
      today: filed.get(days.at(-1) ?? '')?.tickets ?? 0,
      ...byStatus,
    },
    oldestPending: oldestPending?.toISOString() ?? null,
    unsigned,
    recent: recent.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    days: days.map((day) => ({ day, tickets: filed.get(day)?.tickets ?? 0, francs: filed.get(day)?.francs ?? 0 })),
    alarms: alarms.map(({ key, level, message, createdAt }) => {
      const advice = conditions.find((each) => each.key === key)?.advice ?? '';
      return { key, level, message, advice: message.endsWith(advice) ? advice : '', since: createdAt.toISOString() };
    }),
    services30: top.flatMap(({ serviceId, tickets }) => {
      const path = paths.get(serviceId) ?? [];
      const name = path.at(-1);
      return name === undefined ? [] : [{ serviceId, name, above: path.slice(0, -1), tickets }];
    }),
  };
}
