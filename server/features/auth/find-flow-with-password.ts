import { codeLimits } from '#server/process/limits.ts';
import type { AuthTools } from './codes.ts';
import { type Flow, listOpenFlows } from './store.ts';

/** A sign-up of today with the same password, which proves the same person. Throws BUSY. */
export async function findFlowWithPassword(
  { db, passwords }: AuthTools,
  phone: string,
  password: string,
): Promise<Flow | undefined> {
  for (const flow of (await listOpenFlows(db, phone, 'signup')).slice(0, codeLimits.flowsCompared))
    if (await passwords.matches(password, flow.claim?.password)) return flow;
  return undefined;
}
