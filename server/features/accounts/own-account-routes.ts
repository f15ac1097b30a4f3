import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/own-account.ts';
import { knownBrowserCookie } from '#server/features/entry/cookies.ts';
import type { Cookies } from '#server/features/entry/session-cookie.ts';
import { presentUser } from '#server/features/users/present.ts';
import { route } from '#server/http/route.ts';
import { changePassword, changeProfile, type PasswordTools } from './own-account.ts';

export function ownAccountRoutes(
  app: FastifyInstance,
  tools: PasswordTools & { secret: string; cookies: Cookies },
): void {
  const { cookies, limits } = tools;
  const knownBrowsers = knownBrowserCookie(cookies, tools.secret);

  route(app, endpoints.changePassword, async ({ body, caller, request, reply, write }) => {
    const user = await changePassword(tools, write, caller, body, knownBrowsers.read(request));
    await cookies.openSession(request, reply, user);
    knownBrowsers.add(request, reply, user);
    return { message: 'Mot de passe modifié' };
  });

  route(app, endpoints.changeProfile, async ({ body, caller, write }) => {
    await limits.consume('profileChangesPerPerson', String(caller.userId));
    return { user: presentUser(await changeProfile(write, caller, body)) };
  });
}
