import { Failure } from '#contract/failure.ts';
import { possiblePhones } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { isPassword } from '#server/features/users/password.ts';
import { findUserByEmail, listUsersByPhones, type UserRow } from '#server/features/users/store.ts';
import { codeLimits } from '#server/process/limits.ts';
import { accountKey } from './account-key.ts';
import type { AuthTools } from './codes.ts';
import { restartVerification } from './restart-verification.ts';
import type { Flow } from './store.ts';

export interface Credentials {
  phoneOrEmail: string;
  password: string;
}

/**
 * The person whose password this is. Throws CREDENTIALS (an unknown name takes as long as one person's wrong password),
 * DEACTIVATED, or TOO_MANY. A person never verified is answered with the flow of their fresh code instead of a session.
 */
export async function signIn(
  tools: AuthTools,
  { phoneOrEmail, password }: Credentials,
  address: string,
): Promise<{ user: UserRow; unverified?: Flow }> {
  const { db, limits } = tools;
  const candidates = await listCandidates(db, phoneOrEmail);
  const accounts =
    candidates.length > 0
      ? candidates.map(accountKey)
      : [`name:${phoneOrEmail.toLowerCase().slice(0, codeLimits.nameCharacters)}`];
  await limits.check('signInsFailedPerAddress', address);
  for (const account of accounts) await limits.consume('signInsFailedPerAccount', account);
  const user = await findOwner(candidates, password);
  if (!user) {
    await limits.consume('signInsFailedPerAddress', address);
    throw new Failure('CREDENTIALS');
  }
  for (const account of accounts)
    if (account === accountKey(user)) await limits.clear('signInsFailedPerAccount', account);
    else await limits.giveBack('signInsFailedPerAccount', account);
  if (user.deactivatedAt) throw new Failure('DEACTIVATED');
  if (user.isVerified || user.isAdmin) return { user };
  await limits.consume('codesSentPerAddress', address);
  return { user, unverified: await restartVerification(tools, user, password) };
}

/** A local number may be somebody's in several of the seven countries; the password tells whose. */
async function listCandidates(db: Db, phoneOrEmail: string): Promise<UserRow[]> {
  if (!phoneOrEmail.includes('@')) return listUsersByPhones(db, possiblePhones(phoneOrEmail));
  const owner = await findUserByEmail(db, phoneOrEmail);
  return owner ? [owner] : [];
}

async function findOwner(candidates: UserRow[], password: string): Promise<UserRow | undefined> {
  if (candidates.length === 0) await isPassword(password, null);
  for (const candidate of candidates) if (await isPassword(password, candidate.password)) return candidate;
  return undefined;
}
