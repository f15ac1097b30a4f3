import type { FastifyInstance } from 'fastify';
import * as endpoints from '#contract/accounts.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { countTicketsOf } from '#server/features/tickets/store.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import { presentUser } from '#server/features/users/present.ts';
import { findUser, type UserRow } from '#server/features/users/store.ts';
import { answerCount } from '#server/http/call-headers.ts';
import { route } from '#server/http/route.ts';
import { activateUser, deactivateUser, deleteUser, resetUserPassword } from './account-actions.ts';
import { listUsers } from './store.ts';

const presentAccount = (row: UserRow) => ({ ...presentUser(row), isDeactivated: row.deactivatedAt !== null });

export function accountRoutes(app: FastifyInstance, { db, passwords }: { db: Db; passwords: PasswordHasher }): void {
  route(app, endpoints.listUsers, async ({ query, reply }) => {
    const { rows, count } = await listUsers(db, query);
    answerCount(reply, count);
    return rows.map(presentAccount);
  });

  route(app, endpoints.readUser, async ({ params }) => {
    const user = await findUser(db, params.id);
    if (!user) throw new Failure('USER_NOT_FOUND', { message: failureSentences.unknownUser });
    const tickets = await countTicketsOf(db, user.id);
    return { ...presentAccount(user), tickets };
  });

  route(app, endpoints.resetUserPassword, async ({ params, body, caller, write }) =>
    presentAccount(await resetUserPassword(write, passwords, { ...body, actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.deactivateUser, async ({ params, caller, write }) =>
    presentAccount(await deactivateUser(write, { actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.activateUser, async ({ params, body, caller, write }) =>
    presentAccount(await activateUser(write, { ...body, actorId: caller.userId, userId: params.id })),
  );

  route(app, endpoints.deleteUser, async ({ params, caller, write }) => {
    await deleteUser(write, { actorId: caller.userId, userId: params.id });
    return { id: params.id };
  });
}
