import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as endpoints from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import { presentUser } from '#server/features/users/present.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import { createGuest, deleteUserRow, findUser, type UserRow } from '#server/features/users/store.ts';
import { addressKey } from '#server/http/addresses.ts';
import { idempotencyKey } from '#server/http/call-headers.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { route } from '#server/http/route.ts';
import { type AuthTools, type FlowKey, type RequestOrigin, requireSource, resendCode } from './codes.ts';
import { flowCookies, knownBrowserCookie } from './cookies.ts';
import { forgotPassword, resetPassword, verifyResetOtp } from './password-reset.ts';
import { signUp, verifyOtp } from './registration.ts';
import type { Cookies } from './session-cookie.ts';
import { signIn } from './sign-in.ts';
import type { Purpose } from './store.ts';

/** Calls of people who are not signed in yet; they mostly work in the database. */
export const entryLimits = {
  /** Database connections used at once; the others stay free for signed-in people. */
  atOnce: 4,
  /** A second or two of work, if each call hashes a password. */
  waiting: 60,
  retryAfterSeconds: 3,
} as const;

/** Logs a failed sign-in with the last two digits of a number, and nothing of any other typed text. */
function logFailedSignIn(request: FastifyRequest, typed: string, { code }: Failure): void {
  const [phone] = possiblePhones(typed);
  request.log.warn({ address: request.ip, phone: phone && `…${phone.slice(-2)}`, code }, 'sign-in failed');
}

export function authRoutes(app: FastifyInstance, tools: AuthTools & { cookies: Cookies }): void {
  const entry = openEntry(tools);
  signUpRoutes(app, tools, entry);
  signInRoutes(app, tools, entry);
  resetRoutes(app, tools, entry);
}

type Entry = ReturnType<typeof openEntry>;

/** What several of the calls do: take their turn, read and set the cookies of browser and flow, open the session. */
function openEntry(tools: AuthTools & { cookies: Cookies }) {
  const { db, limits, cookies } = tools;
  const flows = flowCookies(cookies, tools.secret);
  const knownBrowsers = knownBrowserCookie(cookies, tools.secret);
  const inTurn = concurrencyLimit(entryLimits);
  const limited: typeof route = (on, endpoint, handler) => route(on, endpoint, (call) => inTurn(() => handler(call)));

  function flowKeyOf(request: FastifyRequest, typedPhone: string, purpose: Purpose): FlowKey {
    return { phone: requirePhone(typedPhone, defaultCountryCode), purpose, flowId: flows.read(request, purpose) };
  }

  const originOf = (request: FastifyRequest): RequestOrigin => ({
    address: addressKey(request.ip),
    knownBrowser: knownBrowsers.read(request),
  });

  /**
   * Limits answers that reveal whether a number has an account, per address. Beyond the limit such an answer is TOO_MANY. Calls that send
   * a code go on, until the address may have no more codes; then every number gets the same refusal.
   */
  async function telling<T>(origin: RequestOrigin, work: () => Promise<T>): Promise<T> {
    const spent = await limits.check('accountsToldPerAddress', origin.address).catch((error: Failure) => error);
    if (spent) await requireSource(tools, origin);
    return work().catch(async (error: unknown) => {
      const isTelling = error instanceof Failure && ['USER_NOT_FOUND', 'PHONE_TAKEN'].includes(error.code);
      if (isTelling) await limits.consume('accountsToldPerAddress', origin.address);
      throw error;
    });
  }

  /** Opens a session under a new id, and deletes the guest row of a guest who signs in. */
  async function enter(request: FastifyRequest, reply: FastifyReply, user: UserRow) {
    const before = await request.findCaller();
    await cookies.openSession(request, reply, user);
    if (!user.isGuest) knownBrowsers.add(request, reply, user);
    if (before?.isGuest && before.userId !== user.id) await deleteUserRow(db, before.userId);
    return { user: presentUser(user) };
  }

  /** Sends another code for a purpose, and ties it to this browser. */
  async function resend(request: FastifyRequest, reply: FastifyReply, typedPhone: string, purpose: Purpose) {
    const { flow, retryAfter } = await resendCode(tools, flowKeyOf(request, typedPhone, purpose), originOf(request));
    flows.set(reply, flow);
    return { message: 'Code renvoyé', retryAfter };
  }

  return { limited, flows, knownBrowsers, flowKeyOf, originOf, telling, enter, resend };
}

function signUpRoutes(app: FastifyInstance, tools: AuthTools, entry: Entry): void {
  const { limited, flows, flowKeyOf, originOf, telling, enter, resend } = entry;

  limited(app, endpoints.signUp, async ({ body, request, reply }) => {
    const browser = { flowId: flows.read(request, 'signup'), key: idempotencyKey(request) };
    const origin = originOf(request);
    const { user, flow } = await telling(origin, () => signUp(tools, body, browser, origin));
    flows.set(reply, flow);
    return { user: presentUser(user) };
  });

  limited(app, endpoints.verifyOtp, async ({ body, request, reply }) => {
    const user = await verifyOtp(tools, flowKeyOf(request, body.phone, 'signup'), body.code, originOf(request));
    flows.clear(reply, 'signup');
    return enter(request, reply, user);
  });

  limited(app, endpoints.resendOtp, async ({ body, request, reply }) => resend(request, reply, body.phone, 'signup'));
}

function signInRoutes(app: FastifyInstance, tools: AuthTools & { cookies: Cookies }, entry: Entry): void {
  const { db, limits, cookies } = tools;
  const { limited, flows, originOf, enter } = entry;

  limited(app, endpoints.signIn, async ({ body, request, reply }) => {
    const { user, unverified } = await signIn(tools, body, originOf(request)).catch((error: unknown) => {
      if (error instanceof Failure) logFailedSignIn(request, body.phoneOrEmail, error);
      throw error;
    });
    if (!unverified) return enter(request, reply, user);
    flows.set(reply, unverified);
    throw new Failure('PHONE_NOT_VERIFIED', { phone: user.phone });
  });

  limited(app, endpoints.signInAsGuest, async ({ request, reply }) => {
    const caller = await request.findCaller();
    const guest = caller?.isGuest ? await findUser(db, caller.userId) : undefined;
    if (guest) return { user: presentUser(guest) };
    await limits.consume('guestsPerAddress', addressKey(request.ip));
    return enter(request, reply, await createGuest(db));
  });

  route(app, endpoints.signOut, async ({ request, reply }) => {
    const caller = await request.findCaller();
    await cookies.closeSession(request, reply);
    if (caller?.isGuest) await deleteUserRow(db, caller.userId);
    return { message: 'Déconnexion réussie' };
  });

  route(app, endpoints.readMe, async ({ caller }) => {
    const user = await findUser(db, caller.userId);
    if (!user) throw new Failure('NOT_SIGNED_IN');
    return { user: presentUser(user) };
  });
}

function resetRoutes(app: FastifyInstance, tools: AuthTools, entry: Entry): void {
  const { limited, flows, knownBrowsers, flowKeyOf, originOf, telling, resend } = entry;

  limited(app, endpoints.forgotPassword, async ({ body, request, reply }) => {
    const browser = { flowId: flows.read(request, 'reset'), key: idempotencyKey(request) };
    const origin = originOf(request);
    const { phone, flow } = await telling(origin, () => forgotPassword(tools, body.phoneOrEmail, browser, origin));
    flows.set(reply, flow);
    return { phone };
  });

  limited(app, endpoints.verifyResetOtp, async ({ body, request, reply }) => {
    const flow = flowKeyOf(request, body.phone, 'reset');
    const entered = { code: body.code, key: idempotencyKey(request) };
    const token = await verifyResetOtp(tools, flow, entered, originOf(request));
    flows.clear(reply, 'reset');
    return { token };
  });

  limited(app, endpoints.resendResetOtp, async ({ body, request, reply }) =>
    resend(request, reply, body.phone, 'reset'),
  );

  limited(app, endpoints.resetPassword, async ({ body, request, reply }) => {
    knownBrowsers.add(request, reply, await resetPassword(tools, body));
    return { message: 'Mot de passe réinitialisé' };
  });
}
