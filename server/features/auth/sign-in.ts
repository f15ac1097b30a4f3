import { Failure } from '#contract/failure.ts';
import { possiblePhones } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { listUsersByEmail, listUsersByPhones, type UserRow } from '#server/features/users/store.ts';
import { signInLimits } from '#server/process/limits.ts';
import { accountKey } from './account-key.ts';
import type { AttemptCounter } from './attempt-store.ts';
import type { AuthTools } from './codes.ts';
import type { Device } from './device-cookie.ts';
import { findFlowWithPassword } from './find-flow-with-password.ts';
import { restartVerification } from './restart-verification.ts';
import { beginAttempt, recordSuccess } from './sign-in-attempts.ts';
import type { Flow } from './store.ts';

export interface Credentials {
  phoneOrEmail: string;
  password: string;
}

/** The source of a sign-in. */
export interface From {
  address: string;
  device: Device | undefined;
}

interface Found {
  user: UserRow;
  /** The sign-up whose password it is, where the number was never verified. */
  flow: Flow | undefined;
  /** What counted the try that succeeded. */
  counted: readonly AttemptCounter[];
}

/**
 * The person whose password this is; an unverified one is answered with the flow of a fresh code. Throws CREDENTIALS (an
 * unknown name takes as long as a wrong password), DEACTIVATED, SMS_PAUSED and BUSY. Throws PASSWORD_UNSET for an account
 * that an administrator opened and that has no password yet. Throws TOO_MANY with the seconds until the next try.
 */
export async function signIn(
  tools: AuthTools,
  { phoneOrEmail, password }: Credentials,
  from: From,
): Promise<{ user: UserRow; unverified?: Flow }> {
  const { db, limits } = tools;
  const candidates = await listCandidates(db, phoneOrEmail, from.device);
  const [first, ...others] = candidates;
  if (first?.isVerified && first.password === null && others.length === 0)
    throw new Failure('PASSWORD_UNSET', { phone: first.phone });
  const found = await findOwner(tools, candidates, { phoneOrEmail, password }, from);
  if (!found) throw new Failure('CREDENTIALS');
  const { user, flow, counted } = found;
  // Each statement on its own, as a try is taken: in one transaction two sign-ins could wait for each other.
  if (tools.limited) await db.ask(...recordSuccess(counted));
  if (user.deactivatedAt) throw new Failure('DEACTIVATED');
  if (isOpen(user)) return { user };
  await limits.consume('codesSentPerAddress', from.address);
  return { user, unverified: await restartVerification(tools, user, flow, from) };
}

const isOpen = (user: UserRow) => !user.deactivatedAt && (user.isVerified || user.isAdmin);

/**
 * A local number may exist in several of the seven countries, and an unproven e-mail address may have several owners; the
 * password decides. Beside a verified account an unverified one is no candidate. Accounts that know this browser come
 * first, so that their sign-in counts as no other account's failure.
 */
async function listCandidates(db: Db, phoneOrEmail: string, device: Device | undefined): Promise<UserRow[]> {
  const named = phoneOrEmail.includes('@')
    ? await listUsersByEmail(db, phoneOrEmail, signInLimits.candidates)
    : await listUsersByPhones(db, possiblePhones(phoneOrEmail));
  const proven = named.filter((user) => isOpen(user) || user.deactivatedAt);
  const candidates = proven.some(isOpen) ? proven : named;
  return candidates.toSorted((a, b) => Number(device?.knows(b) ?? false) - Number(device?.knows(a) ?? false));
}

/**
 * Each candidate is on their own: one whose account has to wait is left out, the others' passwords are compared, each counted
 * before. What was compared stays counted, but for the owner's. Throws TOO_MANY where it may be the password of one who was
 * left out: not where it is not even that of the account which knows this browser.
 */
async function findOwner(
  tools: AuthTools,
  candidates: readonly UserRow[],
  { phoneOrEmail, password }: Credentials,
  { address, device }: From,
): Promise<Found | undefined> {
  const waits: number[] = [];
  const begin = async (account: string, isKnown: boolean) => {
    const source = { address, device: isKnown ? device?.id : undefined };
    const begun = tools.limited ? await beginAttempt(tools.db, account, source) : { counted: [] };
    if ('counted' in begun) return begun.counted;
    waits.push(begun.wait);
    return undefined;
  };
  let compared = false;
  let isOwnBrowser = false;
  for (const user of candidates) {
    const isKnown = device?.knows(user) ?? false;
    const counted = await begin(accountKey(user), isKnown);
    if (!counted) continue;
    isOwnBrowser ||= isKnown;
    if (user.password === null && !user.isVerified) {
      const flow = await findFlowWithPassword(tools, user.phone, password);
      if (flow) return { user, flow, counted };
    } else {
      compared = true;
      if (await tools.passwords.matches(password, user.password)) return { user, flow: undefined, counted };
    }
  }
  const nobody = `name:${phoneOrEmail.toLowerCase().slice(0, signInLimits.nameCharacters)}`;
  if (candidates.length === 0) await begin(nobody, false);
  if (waits.length > 0 && !isOwnBrowser) throw new Failure('TOO_MANY', { retryAfter: Math.ceil(Math.min(...waits)) });
  if (!compared) await tools.passwords.matches(password, null);
  return undefined;
}
