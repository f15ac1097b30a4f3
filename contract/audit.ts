import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { askedInstant, component, documented, id, idInPath, instant, listQuery, words } from './shapes.ts';

export const auditOutcomes = ['done', 'refused'] as const;
export const auditActors = ['administrators', 'others'] as const;

export const auditEntry = component(
  'AuditEntry',
  z.object({
    id,
    actor: documented(z.nullable(z.object({ id, name: words() })), {
      description: 'The caller; null if not signed in. The name is empty once the person is deleted.',
    }),
    title: documented(words(), { description: 'What was done or tried, in French.' }),
    action: documented(words(), { description: 'The call, as METHOD /path.' }),
    target: documented(z.nullable(words()), { description: 'The id of the row that it was about.' }),
    details: documented(z.record(words(), z.unknown()), {
      description: 'The logged fields of the call; `before`, their earlier values; `number`, a masked phone number.',
    }),
    status: documented(z.int(), { description: 'The answered HTTP status.' }),
    code: documented(z.nullable(words()), { description: 'Of a refusal: its code.' }),
    count: documented(z.int().check(z.gte(1)), { description: 'How many equal calls it stands for.' }),
    ip: words(),
    createdAt: instant,
  }),
);
export type AuditEntry = z.output<typeof auditEntry>;

const filter = {
  actorId: documented(z.optional(idInPath), { description: 'Of this person alone.' }),
  actors: z.optional(z.enum(auditActors)),
  outcome: z.optional(z.enum(auditOutcomes)),
  from: z.optional(askedInstant),
  to: z.optional(askedInstant),
};

export const listAuditEntries = endpoint('listAuditEntries', 'GET', '/api/admin/audit', {
  access: 'admin',
  summary: 'The audit log, newest first.',
  query: z.object({ ...listQuery, ...filter }),
  response: z.array(auditEntry),
  counted: true,
  topics: ['audit', 'user-names'],
});

export const exportAudit = endpoint('exportAudit', 'GET', '/api/admin/audit-export', {
  access: 'admin',
  summary: 'The filtered audit log as a CSV file, newest first.',
  query: z.object(filter),
  download: { type: 'text/csv; charset=utf-8' },
  response: z.any(),
  topics: ['audit', 'user-names'],
  audit: { title: 'Journal exporté', fields: [] },
});
