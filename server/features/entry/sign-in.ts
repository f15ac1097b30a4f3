import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import { plain } from '#contract/spelling.ts';
import type { Db } from '#server/database/connect.ts';
import { listUsersByEmail, listUsersByPhones, type UserRow } from '#server/features/users/store.ts';
import { rateLimits } from '#server/http/limits.ts';
import { type AuthTools, type RequestOrigin, requireSending, sendCode } from './codes.ts';
import type { KnownBrowser } from './cookies.ts';
import { codeLimits, signInLimits } from './limits.ts';
import { mayReset } from './password-reset.ts';
import { accountKey, beginAttempt, unknownNameKey } from './sign-in-attempts.ts';
import { createFlow, type Flow, listOpenFlows, lockNumber, secondsUntilNextCode } from './store.ts';

interface Credentials {
  phoneOrEmail: string;
  password: string;
}

/**
 * The person with this password; for an unverified one also the flow of a new code. Throws CREDENTIALS, DEACTIVATED, SMS_PAUSED, BUSY,
 * TOO_MANY, RESET_NEEDED. An unknown name and an account without a password take as long as a wrong password.
 */
export async function signIn(
  tools: AuthTools,
  { phoneOrEmail: typed, password }: Credentials,
  from: RequestOrigin,
): Promise<{ user: UserRow; unverified?: Flow }> {
  const { db } = tools;
  const phoneOrEmail = plain(typed).trim();
  const candidates = await listCandidates(db, phoneOrEmail, from.knownBrowser);
  const found = await findOwner(tools, candidates, { phoneOrEmail, password }, from);
  const isShared = candidates.length >= signInLimits.candidates;
  if (!found) throw new Failure('CREDENTIALS', isShared ? { message: failureSentences.sharedAddress } : {});
  const { user, flow, succeed } = found;
  await succeed();
  if (user.deactivatedAt) throw new Failure('DEACTIVATED');
  if (isOpen(user)) return { user };
  return { user, unverified: await restartVerification(tools, user, flow, from) };
}

const isOpen = (user: UserRow) => !user.deactivatedAt && (user.isVerified || user.isAdmin);

/**
 * The accounts that a sign-in name may mean; the password decides. A local number may exist in several countries, and an e-mail address
 * may have several owners. Verified accounts exclude others. Accounts that know this browser come first, so that their sign-in is no
 * failure of another account.
 */
async function listCandidates(
  db: Db,
  phoneOrEmail: string,
  knownBrowser: KnownBrowser | undefined,
): Promise<UserRow[]> {
  const named = phoneOrEmail.includes('@')
    ? await listUsersByEmail(db, phoneOrEmail, { known: knownBrowser?.accounts ?? [], limit: signInLimits.candidates })
    : await listUsersByPhones(db, possiblePhones(phoneOrEmail));
  const proven = named.filter((user) => isOpen(user) || user.deactivatedAt);
  const candidates = proven.some(isOpen) ? proven : named;
  return candidates.toSorted(
    (a, b) => Number(knownBrowser?.knows(b) ?? false) - Number(knownBrowser?.knows(a) ?? false),
  );
}

/**
 * Compares the candidates' passwords, after taking a try for each. If an account's tries are used up and no other matches, throws its
 * refusal (TOO_MANY, RESET_NEEDED). In a known browser of another compared account the sign-in just fails.
 */
async function findOwner(
  tools: AuthTools,
  candidates: readonly UserRow[],
  { phoneOrEmail, password }: Credentials,
  { address, knownBrowser }: RequestOrigin,
) {
  const { limits, passwords } = tools;
  const refusals: Failure[] = [];
  const take = (account: string, from: Parameters<typeof beginAttempt>[2], user?: UserRow) =>
    beginAttempt(limits, account, from).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      refusals.push(user ? refusalOf(user, error) : error);
      return undefined;
    });
  let compared = false;
  let isOwnBrowser = false;
  for (const user of candidates) {
    const known = knownBrowser?.knows(user) ? knownBrowser : undefined;
    const succeed = await take(accountKey(user), known ? { browser: known.id } : { address }, user);
    if (!succeed) continue;
    isOwnBrowser ||= known !== undefined;
    if (user.password === null && !user.isVerified) {
      const flow = await findFlowWithPassword(tools, user.phone, password);
      if (flow) return { user, flow, succeed };
    } else {
      compared = true;
      if (await passwords.matches(password, user.password)) return { user, flow: undefined, succeed };
    }
  }
  if (candidates.length === 0) await take(unknownNameKey(phoneOrEmail.toLowerCase()), { address });
  const [refusal] = refusals;
  if (refusal && !isOwnBrowser) throw refusal;
  if (!compared) await passwords.matches(password, null);
  return undefined;
}

/** The refusal for this account: people who cannot reset by SMS must wait. Administrators have their usual browser and the command line. */
function refusalOf(user: UserRow, refusal: Failure): Failure {
  if (refusal.code !== 'RESET_NEEDED' || mayReset(user)) return refusal;
  const { retryAfter } = refusal.details;
  if (!user.isAdmin) return new Failure('TOO_MANY', { retryAfter });
  const message = failureSentences.usualBrowser(rateLimits.signInFailuresPerAccount.points);
  return new Failure('TOO_MANY', { retryAfter, message });
}

/** A sign-up flow of the last day with the same password, which identifies the person. Throws BUSY. */
async function findFlowWithPassword(
  { db, passwords }: AuthTools,
  phone: string,
  password: string,
): Promise<Flow | undefined> {
  for (const flow of (await listOpenFlows(db, phone, 'signup')).slice(0, codeLimits.flowsCompared))
    if (await passwords.matches(password, flow.claim?.password)) return flow;
  return undefined;
}

/** Continues the sign-up flow, or opens one, and sends a code unless a cool-down holds. Throws TOO_MANY, SMS_PAUSED. */
async function restartVerification(
  tools: AuthTools,
  { firstName, lastName, email, countryCode, phone, password }: UserRow,
  proven: Flow | undefined,
  origin: RequestOrigin,
): Promise<Flow> {
  const claim = { firstName, lastName, email, countryCode, password: password ?? '' };
  const cooling = tools.limited && (await secondsUntilNextCode(tools.db, phone, 'signup')) > 0;
  if (!cooling) await requireSending(tools, { phone, isKnownBrowser: false }, origin);
  return tools.db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'signup');
    const flow = proven ?? (await createFlow(tx, { phone, purpose: 'signup', claim }));
    const wait = tools.limited ? await secondsUntilNextCode(tx, phone, 'signup') : 0;
    if (wait === 0) await sendCode(tools, tx, flow, { origin });
    return flow;
  });
}
