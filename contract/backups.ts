import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, count, documented, instant, words } from './shapes.ts';

export const backupState = component(
  'BackupState',
  z.object({
    last: documented(z.nullable(z.object({ finishedAt: instant, bytes: count })), {
      description: 'The last complete backup, by hand or by schedule.',
    }),
    failure: documented(z.nullable(z.object({ finishedAt: instant, sentence: words() })), {
      description: 'The error of the last attempt; null if it succeeded.',
    }),
    isScheduled: documented(z.boolean(), { description: 'Whether the server makes a backup each day.' }),
  }),
);
export type BackupState = z.output<typeof backupState>;

export const readBackups = endpoint('readBackups', 'GET', '/api/admin/backups', {
  access: 'admin',
  summary: 'When the last backup was made, and whether others are planned.',
  response: backupState,
  topics: ['backups'],
});
