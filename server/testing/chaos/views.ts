import { type Fixture, unread } from './fixture.ts';
import type { PolledAnswer } from './polling-client.ts';

/** What is asked for again and again, and the number of it that only grows. */
export interface View {
  name: string;
  counter: 'names' | 'prices' | 'tickets' | 'read';
  url: string;
  cookie: string;
  valueOf(answer: Pick<PolledAnswer, 'body' | 'total'>): number;
}

/** A payment type's name with a number in it, and that number; types made later count more. */
export const nameOf = (value: number): string => `Flux ${value}`;
const valueOfName = (name: string) => Number(/^Flux (\d+)$/.exec(name)?.[1] ?? 0);

export function viewsOf({ admin, person, pricedPath }: Fixture): View[] {
  const [root] = pricedPath;
  return [
    {
      name: 'payment types of strangers',
      counter: 'names',
      url: '/api/payment-types',
      cookie: '',
      valueOf: ({ body }) => Math.max(...body.map(({ name }: { name: string }) => valueOfName(name))),
    },
    {
      name: 'payment types of an administrator',
      counter: 'names',
      url: '/api/payment-types',
      cookie: admin.cookie,
      valueOf: ({ body }) => Math.max(...body.map(({ name }: { name: string }) => valueOfName(name))),
    },
    {
      name: 'services',
      counter: 'prices',
      url: `/api/services?parentId=${root?.id}`,
      cookie: '',
      valueOf: ({ body }) => Number(body[0].price.replace(/\D/g, '')),
    },
    {
      name: 'own tickets',
      counter: 'tickets',
      url: `/api/tickets/user/${person.id}?limit=10`,
      cookie: person.cookie,
      valueOf: ({ total }) => Number(total),
    },
    {
      name: 'pending tickets',
      counter: 'tickets',
      url: '/api/admin/pending-tickets',
      cookie: admin.cookie,
      valueOf: ({ body }) => body.count,
    },
    {
      name: 'unread notifications',
      counter: 'read',
      url: `/api/notifications/user/${person.id}/unread-count`,
      cookie: person.cookie,
      valueOf: ({ body }) => unread - body.count,
    },
  ];
}
