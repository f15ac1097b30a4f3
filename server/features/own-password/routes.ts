import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/own-password.ts';
import { deviceCookie } from '#server/features/auth/cookies.ts';
import type { Cookies } from '#server/features/sessions/session-cookie.ts';
import { noteProof } from '#server/features/sessions/store.ts';
import { findUser } from '#server/features/users/store.ts';
import { addressKey } from '#server/http/addresses.ts';
import { route } from '#server/http/route.ts';
import { changePassword, type PasswordTools, requirePassword } from './own-password.ts';

export function ownPasswordRoutes(
  app: FastifyInstance,
  tools: PasswordTools & { secret: string; cookies: Cookies },
): void {
  const { db, cookies } = tools;
  const devices = deviceCookie(cookies, tools.secret);

  route(app, endpoints.changePassword, async ({ body, caller, request, reply, write }) => {
    const from = { address: addressKey(request.ip), device: devices.read(request) };
    const user = await changePassword(tools, write, caller, body, from);
    await cookies.openSession(request, reply, user);
    devices.add(request, reply, user);
    return { message: 'Mot de passe modifié' };
  });

  route(app, endpoints.confirmPassword, async ({ body, caller, request, write }) => {
    const user = await findUser(db, caller.userId);
    if (!user) throw new Failure('NOT_SIGNED_IN');
    const from = { address: addressKey(request.ip), device: devices.read(request) };
    await requirePassword(tools, user, { password: body.password, field: 'password' }, from);
    await write(async (tx, note) => {
      note({ target: caller.userId });
      await noteProof(tx, caller.sid);
    });
    return { message: 'Mot de passe confirmé' };
  });
}
