import * as z from 'zod/mini';
import { type AuditObject, auditObjects } from './audit-words.ts';
import { endpoint } from './endpoint.ts';
import { component, documented, id, idInPath, instant, listQuery, words } from './shapes.ts';

const object = z.enum(Object.keys(auditObjects) as AuditObject[]);

export const auditEntry = component(
  'AuditEntry',
  z.object({
    id,
    actor: documented(z.nullable(z.object({ id, name: words() })), {
      description: 'Who did it; null for a command on the server. The name is empty once the person is deleted.',
    }),
    title: documented(words(), { description: 'What was done, in French.' }),
    action: documented(words(), { description: 'The call, as METHOD /path.' }),
    object: documented(z.nullable(object), { description: 'The kind of row that it was about.' }),
    target: documented(z.nullable(words()), { description: 'The id of that row.' }),
    details: documented(z.record(words(), z.unknown()), {
      description: 'The logged fields of the call; `before`, their earlier values.',
    }),
    ip: words(),
    createdAt: instant,
  }),
);
export type AuditEntry = z.output<typeof auditEntry>;

export const listAuditEntries = endpoint('listAuditEntries', 'GET', '/api/admin/audit', {
  access: 'admin',
  summary: 'What administrators did, newest first.',
  query: z.object({
    ...listQuery,
    actorId: documented(z.optional(idInPath), { description: 'By this person alone.' }),
    object: documented(z.optional(object), { description: 'About this kind of row alone.' }),
    target: documented(z.optional(idInPath), { description: 'About the row of this id alone.' }),
  }),
  response: z.array(auditEntry),
  counted: true,
  topics: ['audit', 'user-names'],
});
