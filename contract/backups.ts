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
      description: 'The last backup that was made whole, by hand or by schedule.',
    }),
    failure: documented(z.nullable(z.object({ finishedAt: instant, sentence: words() })), {
      description: 'Why the last attempt failed; null where it did not.',
    }),
    schedule: documented(z.nullable(schedule), {
      description: 'What the server was set up to do each day; null for nothing.',
    }),
  }),
);
export type BackupState = z.output<typeof backupState>;

export const readBackups = endpoint({
  operation: 'readBackups',
  method: 'GET',
  path: '/api/admin/backups',
  access: 'admin',
  summary: 'When the last backup was made, and which are planned.',
  response: backupState,
  failures: [],
  topics: ['backups'],
});
