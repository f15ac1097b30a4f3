import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import { plain } from '#contract/spelling.ts';
import type { Db } from '#server/database/connect.ts';
import { listUsersByEmail, listUsersByPhones, type UserRow } from '#server/features/users/store.ts';
import { codeLimits, signInLimits } from '#server/process/limits.ts';
import { type Asker, type AuthTools, requireSending, sendCode } from './codes.ts';
import type { Device } from './cookies.ts';
import { accountKey, beginAttempt, recordSuccess } from './sign-in-attempts.ts';
import { createFlow, type Flow, listOpenFlows, lockNumber, secondsUntilNextCode } from './store.ts';

interface Credentials {
  phoneOrEmail: string;
  password: string;
}

/**
 * The person whose password this is; an unverified one with a fresh code's flow. Throws CREDENTIALS (an unknown name takes as
 * long as a wrong password), DEACTIVATED, SMS_PAUSED, BUSY, TOO_MANY, and PASSWORD_UNSET for an account without one.
 */
export async function signIn(
  tools: AuthTools,
  { phoneOrEmail: typed, password }: Credentials,
  from: Asker,
): Promise<{ user: UserRow; unverified?: Flow }> {
  const { db } = tools;
  const phoneOrEmail = plain(typed).trim();
  const candidates = await listCandidates(db, phoneOrEmail, from.device);
  const [first, ...others] = candidates;
  if (first?.isVerified && first.password === null && others.length === 0)
    throw new Failure('PASSWORD_UNSET', { phone: first.phone });
  const found = await findOwner(tools, candidates, { phoneOrEmail, password }, from);
  const isShared = candidates.length >= signInLimits.candidates;
  if (!found) throw new Failure('CREDENTIALS', isShared ? { message: failureSentences.sharedAddress } : {});
  const { user, flow, counted } = found;
  // Each statement on its own, as a try is taken: in one transaction two sign-ins could wait for each other.
  if (tools.limited) await db.ask(...recordSuccess(counted));
  if (user.deactivatedAt) throw new Failure('DEACTIVATED');
  if (isOpen(user)) return { user };
  return { user, unverified: await restartVerification(tools, user, flow, from) };
}

const isOpen = (user: UserRow) => !user.deactivatedAt && (user.isVerified || user.isAdmin);

/**
 * A local number may exist in several countries and an e-mail address have several owners; the password decides. Verified
 * accounts exclude others. Those that know this browser come first: their sign-in is no other account's failure.
 */
async function listCandidates(db: Db, phoneOrEmail: string, device: Device | undefined): Promise<UserRow[]> {
  const named = phoneOrEmail.includes('@')
    ? await listUsersByEmail(db, phoneOrEmail, { known: device?.accounts ?? [], limit: signInLimits.candidates })
    : await listUsersByPhones(db, possiblePhones(phoneOrEmail));
  const proven = named.filter((user) => isOpen(user) || user.deactivatedAt);
  const candidates = proven.some(isOpen) ? proven : named;
  return candidates.toSorted((a, b) => Number(device?.knows(b) ?? false) - Number(device?.knows(a) ?? false));
}

/**
 * Compares the passwords of candidates whose accounts need not wait, each counted before. Throws TOO_MANY where it may be
 * the password of one who must wait: not where an account that knows this browser was compared.
 */
async function findOwner(
  tools: AuthTools,
  candidates: readonly UserRow[],
  { phoneOrEmail, password }: Credentials,
  { address, device }: Asker,
) {
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
  // Half a surrogate pair, which a cut may leave, is no text that PostgreSQL stores.
  const name = phoneOrEmail.toLowerCase().slice(0, signInLimits.nameCharacters).toWellFormed();
  const nobody = `name:${name}`;
  if (candidates.length === 0) await begin(nobody, false);
  if (waits.length > 0 && !isOwnBrowser) throw new Failure('TOO_MANY', { retryAfter: Math.ceil(Math.min(...waits)) });
  if (!compared) await tools.passwords.matches(password, null);
  return undefined;
}

/** A sign-up of today with the same password, which proves the same person. Throws BUSY. */
async function findFlowWithPassword(
  { db, passwords }: AuthTools,
  phone: string,
  password: string,
): Promise<Flow | undefined> {
  for (const flow of (await listOpenFlows(db, phone, 'signup')).slice(0, codeLimits.flowsCompared))
    if (await passwords.matches(password, flow.claim?.password)) return flow;
  return undefined;
}

/** Continues a sign-up by its password, or begins one. Sends a code after the cool-down. Throws TOO_MANY, SMS_PAUSED. */
async function restartVerification(
  tools: AuthTools,
  { firstName, lastName, email, countryCode, phone, password }: UserRow,
  proven: Flow | undefined,
  asker: Asker,
): Promise<Flow> {
  const claim = { firstName, lastName, email, countryCode, password: password ?? '' };
  const cooling = tools.limited && (await secondsUntilNextCode(tools.db, phone, 'signup')) > 0;
  if (!cooling) await requireSending(tools, { phone, purpose: 'signup' }, asker);
  return tools.db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'signup');
    const flow = proven ?? (await createFlow(tx, { phone, purpose: 'signup', claim }));
    const wait = tools.limited ? await secondsUntilNextCode(tx, phone, 'signup') : 0;
    if (wait === 0) await sendCode(tools, tx, flow, { asker });
    return flow;
  });
}
