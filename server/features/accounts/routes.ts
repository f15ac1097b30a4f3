import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/accounts.ts';
import type { Db } from '#server/database/connect.ts';
import { presentUser } from '#server/features/users/present.ts';
import { listUsers } from '#server/features/users/store.ts';
import { route } from '#server/http/route.ts';
import { activateUser } from './activate-user.ts';
import { deactivateUser } from './deactivate-user.ts';
import { deleteUser } from './delete-user.ts';
import { resetUserPassword } from './reset-user-password.ts';

export function accountRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listUsers, async ({ query, reply }) => {
    const { rows, total } = await listUsers(db, query);
    reply.header('x-total-count', total);
    return rows.map(presentUser);
  });

  route(app, endpoints.resetUserPassword, async ({ params, body, caller, write }) =>
    presentUser(await resetUserPassword(write, { actorId: caller.userId, userId: params.id, password: body.password })),
  );

  route(app, endpoints.deactivateUser, async ({ params, caller, write }) =>
    presentUser(await deactivateUser(write, { actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.activateUser, async ({ params, caller, write }) =>
    presentUser(await activateUser(write, { actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.deleteUser, async ({ params, caller, write }) => {
    await deleteUser(write, { actorId: caller.userId, userId: params.id });
    return { id: params.id };
  });
}
