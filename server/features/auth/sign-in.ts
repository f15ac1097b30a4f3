import { Failure } from '#contract/failure.ts';
import { possiblePhones } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { listUsersByEmail, listUsersByPhones, type UserRow } from '#server/features/users/store.ts';
import { signInLimits } from '#server/process/limits.ts';
import { accountKey } from './account-key.ts';
import { forgetCodeFailures } from './code-lock.ts';
import type { AuthTools } from './codes.ts';
import type { Device } from './device-cookie.ts';
import { findFlowWithPassword } from './find-flow-with-password.ts';
import { restartVerification } from './restart-verification.ts';
import { beginAttempt, type Source, succeed, withdraw } from './sign-in-attempts.ts';
import type { Flow } from './store.ts';

export interface Credentials {
  phoneOrEmail: string;
  password: string;
}

interface Found {
  user: UserRow;
  /** The sign-up whose password it is, where the number was never verified. */
  flow: Flow | undefined;
}

/**
 * The person whose password this is. Throws CREDENTIALS (an unknown name takes as long as one person's wrong password),
 * DEACTIVATED, CODE_LOCKED, SMS_PAUSED, PASSWORD_UNSET for somebody whom an administrator let in and who has not chosen a
 * password yet, BUSY, or TOO_MANY with the seconds until the next try. A person never verified is answered with the flow of their fresh code
 * instead of a session.
 */
export async function signIn(
  tools: AuthTools,
  { phoneOrEmail, password }: Credentials,
  { address, device }: { address: string; device: Device | undefined },
): Promise<{ user: UserRow; unverified?: Flow }> {
  const { db, limits } = tools;
  const candidates = await listCandidates(db, phoneOrEmail);
  const unset = candidates.find((each) => each.isVerified && each.password === null);
  if (unset && candidates.length === 1) throw new Failure('PASSWORD_UNSET', { phone: unset.phone });
  const sourceFor = (user?: UserRow): Source => ({
    address,
    device: user && device?.userIds.includes(user.id) ? device.id : undefined,
  });
  const tries = candidates.map((user) => ({ user, account: accountKey(user), source: sourceFor(user) }));
  if (tools.limited) {
    for (const { account, source } of tries) await beginAttempt(db, account, source);
    const nobody = `name:${phoneOrEmail.toLowerCase().slice(0, signInLimits.nameCharacters)}`;
    if (tries.length === 0) await beginAttempt(db, nobody, sourceFor());
  }
  const found = await findOwner(tools, candidates, password);
  if (!found) throw new Failure('CREDENTIALS');
  const { user, flow } = found;
  if (tools.limited)
    // Each statement on its own, as a try is taken: in one transaction two sign-ins could wait for each other.
    await db.ask(
      ...tries.flatMap(({ user: other, account, source }) =>
        other.id === user.id ? succeed(account, source) : withdraw(account, source),
      ),
      // Whoever claims a number by a sign-up has a password too, and has shown nothing.
      ...(isOpen(user) ? [forgetCodeFailures(user.phone)] : []),
    );
  if (user.deactivatedAt) throw new Failure('DEACTIVATED');
  if (isOpen(user)) return { user };
  await limits.consume('codesSentPerAddress', address);
  return { user, unverified: await restartVerification(tools, user, flow) };
}

const isOpen = (user: UserRow) => !user.deactivatedAt && (user.isVerified || user.isAdmin);

/**
 * A local number may be somebody's in several of the seven countries, and an e-mail address, which nobody proves, of
 * several people; the password tells whose.
 */
async function listCandidates(db: Db, phoneOrEmail: string): Promise<UserRow[]> {
  if (!phoneOrEmail.includes('@')) return listUsersByPhones(db, possiblePhones(phoneOrEmail));
  return listUsersByEmail(db, phoneOrEmail, signInLimits.candidates);
}

async function findOwner(tools: AuthTools, candidates: UserRow[], password: string): Promise<Found | undefined> {
  const { passwords } = tools;
  let compared = false;
  for (const user of candidates) {
    if (user.password === null && !user.isVerified) {
      const flow = await findFlowWithPassword(tools, user.phone, password);
      if (flow) return { user, flow };
    } else {
      compared = true;
      if (await passwords.matches(password, user.password)) return { user, flow: undefined };
    }
  }
  if (!compared) await passwords.matches(password, null);
  return undefined;
}
