import type { UserRow } from '#server/features/users/store.ts';
import type { TestApi } from './test-api.ts';

/** What the rows call with: there once the test's preparations are made. */
export interface RouteStage {
  api: TestApi;
  userA: UserRow;
  userB: UserRow;
  administrator: UserRow;
  path: { id: number; level: number }[];
  image: string;
  png: Buffer;
}

/** The six callers of each route, in the order in which a row lists what they get. */
export const callerKinds = ['signed out', 'guest', 'unverified', 'user A', 'user B', 'administrator'] as const;
export type CallerKind = (typeof callerKinds)[number];

export type Expected = Record<string, number | string>;
export const answers = (...list: (number | string)[]): Expected =>
  Object.fromEntries(callerKinds.map((kind, index) => [kind, list[index] ?? 'not in the table']));

export const everyone = (status: number) => answers(status, status, status, status, status, status);
export const admins = (status: number) =>
  answers('401 NOT_SIGNED_IN', '403 FORBIDDEN', '403 FORBIDDEN', '403 FORBIDDEN', '403 FORBIDDEN', status);
export const people = (a: number | string, b: number | string, admin: number | string) =>
  answers('401 NOT_SIGNED_IN', '403 GUEST', '403 PHONE_NOT_VERIFIED', a, b, admin);
export const ownTicket = people(200, '404 TICKET_NOT_FOUND', '404 TICKET_NOT_FOUND');

export interface RouteRow {
  expected: Expected;
  /** What to call, made anew for each caller; the row's own path and no body when left out. */
  make?: () => Promise<{ url?: string; body?: object; headers?: Record<string, string> }>;
}
