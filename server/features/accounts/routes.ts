import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/accounts.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import { presentUser } from '#server/features/users/present.ts';
import { findUser, listUsers } from '#server/features/users/store.ts';
import { answerCount, route } from '#server/http/route.ts';
import { activateUser, deactivateUser, deleteUser, resetUserPassword } from './account-actions.ts';

interface AccountTools {
  db: Db;
  passwords: PasswordHasher;
  /** Counts a user's tickets. It is passed in, since tickets are a later slice. */
  countTicketsOf: (userId: number) => Promise<number>;
}

export function accountRoutes(app: FastifyInstance, { db, passwords, countTicketsOf }: AccountTools): void {
  route(app, endpoints.listUsers, async ({ query, reply }) => {
    const { rows, count } = await listUsers(db, query);
    answerCount(reply, count);
    return rows.map(presentUser);
  });

  route(app, endpoints.readUser, async ({ params }) => {
    const user = await findUser(db, params.id);
    if (!user) throw new Failure('USER_NOT_FOUND', { message: failureSentences.unknownUser });
    const tickets = await countTicketsOf(user.id);
    return { ...presentUser(user), isDeactivated: user.deactivatedAt !== null, tickets };
  });

  route(app, endpoints.resetUserPassword, async ({ params, body, caller, write }) =>
    presentUser(await resetUserPassword(write, passwords, { ...body, actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.deactivateUser, async ({ params, caller, write }) =>
    presentUser(await deactivateUser(write, { actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.activateUser, async ({ params, body, caller, write }) =>
    presentUser(await activateUser(write, { ...body, actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.deleteUser, async ({ params, caller, write }) => {
    await deleteUser(write, { actorId: caller.userId, userId: params.id });
    return { id: params.id };
  });
}
