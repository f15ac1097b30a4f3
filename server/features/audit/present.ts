import type { AuditEntry } from '#contract/audit.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { actionOf } from './entry.ts';
import type { AuditRow } from './store.ts';

/** What is recorded without being a call, by its action. */
const otherTitles: readonly [action: string, title: string][] = [
  ['trim_audit_log', 'Journal abrégé'],
  ['admin_create', 'Administrateur créé sur le serveur'],
  ['admin_reset', "Mot de passe d'administrateur remplacé sur le serveur"],
];

export function titlesOf(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const audited = endpoints.flatMap((each) => (each.audit ? [[actionOf(each), each.audit.title] as const] : []));
  return new Map([...otherTitles, ...audited]);
}

/** A row of the log as administrators read it. What has no title is a call that was refused for lack of rights, or is no more. */
export function presentAuditEntry({ entry, actor }: AuditRow, titles: ReadonlyMap<string, string>): AuditEntry {
  const { id, actorId, action, target, details, status, code, count, ip, createdAt } = entry;
  const name = actor ? `${actor.firstName} ${actor.lastName}`.trim() : '';
  return {
    id,
    actor: actorId === null ? null : { id: actorId, name },
    title: titles.get(action) ?? (status < 400 ? 'Ancienne action' : 'Accès refusé'),
    action,
    target,
    details,
    status,
    code,
    count,
    ip,
    createdAt: createdAt.toISOString(),
  };
}
