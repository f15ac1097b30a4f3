import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/own-account.ts';
import { deviceCookie } from '#server/features/entry/cookies.ts';
import type { Cookies } from '#server/features/entry/session-cookie.ts';
import { presentUser } from '#server/features/users/present.ts';
import { route } from '#server/http/route.ts';
import { changePassword, changeProfile, type PasswordTools } from './own-account.ts';

export function ownAccountRoutes(
  app: FastifyInstance,
  tools: PasswordTools & { secret: string; cookies: Cookies },
): void {
  const { cookies, limits } = tools;
  const devices = deviceCookie(cookies, tools.secret);

  route(app, endpoints.changePassword, async ({ body, caller, request, reply, write }) => {
    const user = await changePassword(tools, write, caller, body, devices.read(request));
    await cookies.openSession(request, reply, user);
    devices.add(request, reply, user);
    return { message: 'Mot de passe modifié' };
  });

  route(app, endpoints.changeProfile, async ({ body, caller, write }) => {
    await limits.consume('profileChangesPerPerson', String(caller.userId));
    return { user: presentUser(await changeProfile(write, caller, body)) };
  });
}
