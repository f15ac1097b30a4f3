import type { Db } from '#server/database/connect.ts';
import { isPassword } from '#server/features/users/password.ts';
import { codeLimits } from '#server/process/limits.ts';
import { type Flow, listOpenFlows } from './store.ts';

/** A sign-up of today made with the same password: whoever knows it is the same person. */
export async function findFlowWithPassword(db: Db, phone: string, password: string): Promise<Flow | undefined> {
  for (const flow of (await listOpenFlows(db, phone, 'signup')).slice(0, codeLimits.flowsCompared))
    if (await isPassword(password, flow.claim?.password)) return flow;
  return undefined;
}
