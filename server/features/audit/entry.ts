import type { Endpoint } from '#contract/endpoint.ts';
import { defaultCountryCode, maskPhone, readPhone } from '#contract/phone.ts';
import type { Caller } from '#server/http/guards.ts';
import { addressKey } from '#server/http/rate-limits.ts';
import { auditLimits } from '#server/process/limits.ts';
import type { AuditEntry } from './store.ts';

/** What of a request is looked at. */
export interface AuditedCall {
  params: unknown;
  body: unknown;
  ip: string;
}

type Outcome = Pick<AuditEntry, 'status' | 'code'>;

/** What is recorded of an administrator's call: with the fields of its body that the endpoint declares. */
export function administratorEntry(
  request: AuditedCall,
  endpoint: Endpoint,
  caller: Caller,
  outcome: Outcome,
): AuditEntry {
  return {
    ...outcome,
    actorId: caller.userId,
    action: actionOf(endpoint),
    target: firstParameter(request),
    details: declaredFields(request, endpoint.audit?.fields ?? []),
    ip: request.ip,
  };
}

/**
 * What is recorded of anybody else's call: nothing as it was sent. Ids of rows are numbers, a phone number is masked, and an
 * address is what its limits count.
 */
export function strangerEntry(
  request: AuditedCall,
  endpoint: Endpoint,
  caller: Caller | undefined,
  outcome: Outcome,
): AuditEntry {
  const target = firstParameter(request);
  const number = numberOf(request, endpoint);
  return {
    ...outcome,
    actorId: caller?.userId ?? null,
    action: actionOf(endpoint),
    target: target && /^\d{1,10}$/.test(target) ? target : null,
    details: number ? { number } : {},
    ip: addressKey(request.ip),
  };
}

export const actionOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

function firstParameter(request: AuditedCall): string | null {
  const [value] = Object.values((request.params as Record<string, unknown> | undefined) ?? {});
  return value === undefined ? null : asText(String(value));
}

/** Plain values only: an entry is a line, not a copy. */
function declaredFields({ body }: AuditedCall, fields: readonly string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => fields.includes(name) && (value === null || typeof value !== 'object'))
      .map(([name, value]) => [name, typeof value === 'string' ? asText(value) : value]),
  );
}

/** The beginning of a long text, cut between characters, of what PostgreSQL can keep. */
export function asText(value: string): string {
  const kept = [...value.slice(0, 2 * auditLimits.fieldCharacters).toWellFormed()].slice(
    0,
    auditLimits.fieldCharacters,
  );
  return kept.join('').replaceAll('\0', '\ufffd');
}

function numberOf({ body }: AuditedCall, { audit }: Endpoint): string | undefined {
  const typed = audit?.number && (body as Record<string, unknown> | null | undefined)?.[audit.number];
  if (typeof typed !== 'string') return undefined;
  const reading = readPhone(typed, defaultCountryCode);
  return 'e164' in reading ? maskPhone(reading.e164) : undefined;
}
