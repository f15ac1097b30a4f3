import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, count, documented, instant, words } from './shapes.ts';

const schedule = component(
  'BackupSchedule',
  z.object({
    folder: words(),
    hour: documented(z.int().check(z.gte(0), z.lte(23)), { description: 'Of the day, in UTC.' }),
    keep: documented(z.int().check(z.gte(1)), { description: 'How many backups stay.' }),
    sealed: z.boolean(),
  }),
);

export const backupState = component(
  'BackupState',
  z.object({
    last: documented(z.nullable(z.object({ finishedAt: instant, bytes: count })), {
      description: 'The last complete backup, by hand or by schedule.',
    }),
    failure: documented(z.nullable(z.object({ finishedAt: instant, sentence: words() })), {
      description: 'The error of the last attempt; null if it succeeded.',
    }),
    schedule: documented(z.nullable(schedule), { description: 'The daily schedule of the server; null without one.' }),
  }),
);
export type BackupState = z.output<typeof backupState>;

export const readBackups = endpoint('readBackups', 'GET', '/api/admin/backups', {
  access: 'admin',
  summary: 'When the last backup was made, and which are planned.',
  response: backupState,
  topics: ['backups'],
});
