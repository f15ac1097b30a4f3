import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/users.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { activateUser, deactivateUser, removeUser, resetUserPassword } from './change-account.ts';
import { listUsers, presentUser } from './store.ts';

export function userRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listUsers, async ({ query, reply }) => {
    const { rows, total } = await listUsers(db, query);
    reply.header('x-total-count', total);
    return rows.map(presentUser);
  });

  route(app, endpoints.resetUserPassword, async ({ params, body, visitor }) =>
    presentUser(await resetUserPassword(db, { actorId: visitor.userId, userId: params.id, password: body.password })),
  );

  route(app, endpoints.deactivateUser, async ({ params, visitor }) =>
    presentUser(await deactivateUser(db, { actorId: visitor.userId, userId: params.id })),
  );

  route(app, endpoints.activateUser, async ({ params, visitor }) =>
    presentUser(await activateUser(db, { actorId: visitor.userId, userId: params.id })),
  );

  route(app, endpoints.deleteUser, async ({ params, visitor }) => {
    await removeUser(db, { actorId: visitor.userId, userId: params.id });
    return { id: params.id };
  });
}
