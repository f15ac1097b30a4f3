import type { Endpoint } from '#contract/endpoint.ts';
import { defaultCountryCode, maskPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { addressKey } from '#server/http/addresses.ts';
import type { Caller } from '#server/http/guards.ts';
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

/** What is recorded of others' calls: ids of rows, a masked phone number, and the address as limits count it. */
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

/**
 * Lists the first of equal calls, and at the end of the period the count of the others. Beyond a number of different calls
 * in a period, rows no longer differ by address, so that varied calls cannot fill the log.
 */
export function countRepeats(insert: (entry: AuditEntry) => Promise<void>) {
  let seen = new Map<string, { entry: AuditEntry; again: number }>();

  return {
    /** Lists a call, or counts it if an equal one was listed in this period. */
    async record(entry: AuditEntry): Promise<void> {
      const full = seen.size >= auditLimits.listedPerPeriod;
      const listed = full && !seen.has(keyOf(entry)) ? { ...entry, target: null, details: {}, ip: '*' } : entry;
      const key = keyOf(listed);
      const known = seen.get(key);
      if (known) {
        known.again += 1;
        return;
      }
      seen.set(key, { entry: listed, again: 0 });
      await insert(listed);
    },
    /** Ends the period: writes how often each call came again. */
    async flush(): Promise<void> {
      const before = seen;
      seen = new Map();
      for (const { entry, again } of before.values()) if (again > 0) await insert({ ...entry, count: again });
    },
  };
}

const keyOf = ({ actorId, action, target, details, status, code, ip }: AuditEntry): string =>
  JSON.stringify([actorId, action, target, details, status, code, ip]);
