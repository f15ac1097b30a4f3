import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, count, documented, id, instant, timeZone, words } from './shapes.ts';
import { ticket } from './tickets.ts';

/** Days that the charts show, today included. */
export const dashboardDays = 30;
/** P14.2. */
export const recentTickets = 5;
export const topServices = 8;

const day = documented(words(), { description: 'A day in the given time zone, as YYYY-MM-DD.' });

/** A condition that needs an operator's attention: its severity, a sentence, and its start. */
const alarm = component(
  'Alarm',
  z.object({
    key: words(),
    level: z.enum(['warning', 'critical']),
    message: words(),
    advice: documented(words(), { description: 'The end of the message, which says what to do.' }),
    since: instant,
  }),
);

const recentTicket = component(
  'RecentTicket',
  z.pick(ticket, { id: true, status: true, servicePath: true, totalPrice: true, createdAt: true }),
);

export const dashboard = component(
  'Dashboard',
  z.object({
    users: z.object({ total: count, today: count }),
    services: z.object({ total: count, visible: count }),
    tickets: component(
      'TicketFigures',
      z.object({ total: count, today: count, pending: count, approved: count, rejected: count }),
    ),
    oldestPending: documented(z.nullable(instant), { description: 'When the oldest pending ticket was filed.' }),
    unsigned: component(
      'UnsignedDays',
      z.object({
        count: documented(count, { description: 'Days of the last 31, over and with a movement, that nobody signed.' }),
        oldest: z.nullable(z.object({ accountId: id, day })),
      }),
    ),
    recent: z.array(recentTicket),
    days: documented(z.array(z.object({ day, tickets: count, francs: count })), {
      description: 'Each of the last 30 days, the oldest first: tickets filed, and the francs of those not rejected.',
    }),
    alarms: documented(z.array(alarm), { description: 'The current alarms, the most severe first.' }),
    services30: documented(
      z.array(z.object({ serviceId: id, name: words(), above: z.array(words()), tickets: count })),
      {
        description: 'The services most asked for in these days, each with the names above it.',
      },
    ),
  }),
);
export type Dashboard = z.output<typeof dashboard>;

export const readDashboard = endpoint('readDashboard', 'GET', '/api/admin/dashboard', {
  access: 'admin',
  summary: 'The figures of the day and of the last 30 days.',
  query: z.object({ timeZone }),
  response: dashboard,
  topics: ['tickets', 'users', 'services', 'payment-types', 'payments', 'alarms'],
  dependsOnTime: true,
});
