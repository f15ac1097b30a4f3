import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as endpoints from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import type { Cookies } from '#server/features/sessions/session-cookie.ts';
import { presentUser } from '#server/features/users/present.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import { createGuest, deleteUserRow, findUser, type UserRow } from '#server/features/users/store.ts';
import { addressKey } from '#server/http/addresses.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { idempotencyKey, route } from '#server/http/route.ts';
import { strangerLimits } from '#server/process/limits.ts';
import { type AuthTools, type FlowKey, type RequestOrigin, resendCode } from './codes.ts';
import { deviceCookie, flowCookies } from './cookies.ts';
import { forgotPassword, resetPassword, verifyResetOtp } from './password-reset.ts';
import { signUp, verifyOtp } from './registration.ts';
import { signIn } from './sign-in.ts';
import type { Purpose } from './store.ts';

export function authRoutes(app: FastifyInstance, tools: AuthTools & { cookies: Cookies }): void {
  const { db, limits, cookies } = tools;
  const flows = flowCookies(cookies, tools.secret);
  const devices = deviceCookie(cookies, tools.secret);
  const inTurn = concurrencyLimit(strangerLimits);
  const limited: typeof route = (on, endpoint, handler) => route(on, endpoint, (call) => inTurn(() => handler(call)));

  function flowKeyOf(request: FastifyRequest, typedPhone: string, purpose: Purpose): FlowKey {
    return { phone: requirePhone(typedPhone, defaultCountryCode), purpose, flowId: flows.read(request, purpose) };
  }

  const originOf = (request: FastifyRequest): RequestOrigin => ({
    address: addressKey(request.ip),
    device: devices.read(request),
  });

  /** Opens a session under a new id; a guest who signs in leaves their guest row behind. */
  async function enter(request: FastifyRequest, reply: FastifyReply, user: UserRow) {
    const before = await request.findCaller();
    await cookies.openSession(request, reply, user);
    if (!user.isGuest) devices.add(request, reply, user);
    if (before?.isGuest && before.userId !== user.id) await deleteUserRow(db, before.userId);
    return { user: presentUser(user) };
  }

  /** Sends another code, for whichever purpose, and ties it to this browser. */
  async function resend(request: FastifyRequest, reply: FastifyReply, typedPhone: string, purpose: Purpose) {
    const { flow, retryAfter } = await resendCode(tools, flowKeyOf(request, typedPhone, purpose), originOf(request));
    flows.set(reply, flow);
    return { message: 'Code renvoyé', retryAfter };
  }

  limited(app, endpoints.signUp, async ({ body, request, reply }) => {
    const browser = { flowId: flows.read(request, 'signup'), key: idempotencyKey(request) };
    const { user, flow } = await signUp(tools, body, browser, originOf(request));
    flows.set(reply, flow);
    return { user: presentUser(user) };
  });

  limited(app, endpoints.signIn, async ({ body, request, reply }) => {
    const { user, unverified } = await signIn(tools, body, originOf(request));
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

  limited(app, endpoints.verifyOtp, async ({ body, request, reply }) => {
    const user = await verifyOtp(tools, flowKeyOf(request, body.phone, 'signup'), body.code, originOf(request));
    flows.clear(reply, 'signup');
    return enter(request, reply, user);
  });

  limited(app, endpoints.resendOtp, async ({ body, request, reply }) => resend(request, reply, body.phone, 'signup'));

  limited(app, endpoints.forgotPassword, async ({ body, request, reply }) => {
    const browser = { flowId: flows.read(request, 'reset'), key: idempotencyKey(request) };
    const { phone, flow } = await forgotPassword(tools, body.phoneOrEmail, browser, originOf(request));
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
    devices.add(request, reply, await resetPassword(tools, body));
    return { message: 'Mot de passe réinitialisé' };
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
