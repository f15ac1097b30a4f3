import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as endpoints from '#contract/payment-feed.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { requirePaymentType } from '#server/features/payment-types/store.ts';
import { route } from '#server/http/route.ts';
import { chooseSim } from './choose-sim.ts';
import type { MessageReading } from './intake.ts';
import { secretHashOf } from './seal.ts';
import * as store from './store.ts';

export function accountRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  route(app, endpoints.listPaymentAccounts, async () => store.readAccounts(db));

  const readAccount = async (tx: Db, id: number) =>
    (await store.readAccounts(tx)).find((each) => each.id === id) as endpoints.PaymentAccount;

  route(app, endpoints.createPaymentAccount, async ({ body, write }) =>
    write(async (tx, note) => {
      await requirePaymentType(tx, body.paymentTypeId);
      const { id } = await store.insertAccount(tx, body);
      note({ target: id });
      return readAccount(tx, id);
    }),
  );

  route(app, endpoints.updatePaymentAccount, async ({ params: { id }, body, write }) =>
    write(async (tx, note) => {
      const { expectedUpdatedAt, ...fields } = body;
      const before = await store.lockAccount(tx, id);
      requireUnchanged(before.updatedAt, expectedUpdatedAt);
      note({ before: { label: before.label, isActive: before.isActive } });
      await store.updateAccount(tx, id, fields);
      return readAccount(tx, id);
    }),
  );
}

interface SourceTools extends MessageReading {
  /** The site's address; if it is unknown, that of the request is used. */
  publicUrl: string | undefined;
}

/** The addresses that phones and wallets' servers send to. */
export function sourceRoutes(app: FastifyInstance, tools: SourceTools): void {
  const makeSecret = () => randomBytes(32).toString('base64url');
  /** A new address and signing secret, in the form that is stored and the form that is shown once. */
  const makeAddress = (request: FastifyRequest, kind: endpoints.SourceKind, signing: string | undefined) => {
    const secret = makeSecret();
    const origin = tools.publicUrl ?? `${request.protocol}://${request.host}`;
    return {
      stored: {
        secretHash: secretHashOf(secret),
        signingSecret: signing === undefined ? null : tools.seal.seal(signing),
      },
      shown: {
        address: `${origin}/api/payment-feed/${secret}/${kind}`,
        ...(signing !== undefined && { secret: signing }),
      },
    };
  };

  // Wave's events are always signed; a phone's messages are if a key was set.
  route(
    app,
    endpoints.createPaymentSource,
    async ({ body: { accountId, kind, name, signingSecret }, request, write }) => {
      const made = makeAddress(request, kind, signingSecret ?? (kind === 'wave' ? makeSecret() : undefined));
      return write(async (tx, note) => {
        await store.requireAccount(tx, accountId);
        const { id } = await store.insertSource(tx, { accountId, kind, name, ...made.stored });
        note({ target: id });
        return { id, ...made.shown };
      });
    },
  );

  route(app, endpoints.rotatePaymentSource, async ({ params: { id }, body, request, write }) =>
    write(async (tx) => {
      const source = await store.lockSource(tx, id);
      const signing = body.signingSecret ?? (source.signingSecret === null ? undefined : makeSecret());
      const made = makeAddress(request, source.kind, signing);
      await store.rotateSource(tx, source, made.stored);
      return { id, ...made.shown };
    }),
  );

  route(app, endpoints.choosePaymentSim, async ({ params: { id }, body: { sim }, write }) =>
    write(async (tx, note) => {
      const chosen = await chooseSim(tools, tx, id, sim);
      note({ target: id, details: chosen });
      return chosen;
    }),
  );

  route(app, endpoints.deletePaymentSource, async ({ params, write }) => {
    await write(async (tx) => {
      await store.lockSource(tx, params.id);
      await store.deleteSource(tx, params.id);
    });
    return { id: params.id };
  });
}
