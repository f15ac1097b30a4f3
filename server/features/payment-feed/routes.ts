import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payment-feed.ts';
import { listPaymentShapes, removePaymentShape } from '#contract/payment-shapes.ts';
import {
  ignoreMessage,
  listUnreadMessages,
  lookAtShape,
  readMessages,
  recordPayment,
  takeMessages,
} from '#contract/payments.ts';
import { readPhone } from '#contract/read-phone.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { requirePaymentType } from '#server/features/payment-types/store.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { type CountUpload, route } from '#server/http/route.ts';
import { chooseSim } from './choose-sim.ts';
import { feedRoutes } from './feed-routes.ts';
import { type ImportTools, importStatement } from './import-statement.ts';
import { lineOf, type MessageReading, plainText, readersOf, takeMessage } from './intake.ts';
import { learnShape, lookAtShape as lookAt } from './learn-shape.ts';
import { recordLines } from './lines.ts';
import { guessPayment } from './operators/guess-payment.ts';
import { readMessage } from './operators/read-message.ts';
import { splitMessages } from './operators/split-messages.ts';
import { secretHashOf } from './seal.ts';
import { listShapes, removeShape } from './shapes.ts';
import { walletOf } from './statements/statement-model.ts';
import * as store from './store.ts';
import { undoImport } from './undo-import.ts';

export interface PaymentFeedTools extends MessageReading, ImportTools {
  limits: Limits;
  countStatement: CountUpload;
  /** The site's address; if it is unknown, that of the request is used. */
  publicUrl: string | undefined;
}

export async function paymentFeedRoutes(app: FastifyInstance, tools: PaymentFeedTools): Promise<void> {
  const { db, operators, seal } = tools;

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

  const makeSecret = () => randomBytes(32).toString('base64url');
  /** A new address and signing secret, in the form that is stored and the form that is shown once. */
  const makeAddress = (request: FastifyRequest, kind: endpoints.SourceKind, signing: string | undefined) => {
    const secret = makeSecret();
    const origin = tools.publicUrl ?? `${request.protocol}://${request.host}`;
    return {
      stored: { secretHash: secretHashOf(secret), signingSecret: signing === undefined ? null : seal.seal(signing) },
      shown: {
        address: `${origin}/api/payment-feed/${secret}/${kind}`,
        ...(signing !== undefined && { secret: signing }),
      },
    };
  };

  // Wave's events are always signed; a phone's messages are if a key was set.
  route(app, endpoints.createPaymentSource, async ({ body: { accountId, kind, signingSecret }, request, write }) => {
    const made = makeAddress(request, kind, signingSecret ?? (kind === 'wave' ? makeSecret() : undefined));
    return write(async (tx, note) => {
      await store.requireAccount(tx, accountId);
      const { id } = await store.insertSource(tx, { accountId, kind, ...made.stored });
      note({ target: id });
      return { id, ...made.shown };
    });
  });

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

  route(app, readMessages, async ({ body }) => {
    const account = body.accountId ? await store.requireAccount(db, body.accountId) : undefined;
    const readers = account ? await readersOf(db, operators, account) : operators;
    const context = { operators: readers, country: account?.country };
    return { messages: splitMessages(body.text, context).map((text) => readMessage(text, context)) };
  });

  route(app, takeMessages, async ({ body, write }) =>
    write(async (tx, note) => {
      const account = await store.requireAccount(tx, body.accountId);
      const { id: accountId, country } = account;
      const readers = await readersOf(tx, operators, account);
      const counts = { payments: 0, known: 0, ignored: 0, unread: 0 };
      const copies = new Map<string, number>();
      for (const text of splitMessages(body.text, { operators: readers, country })) {
        const copy = (copies.get(plainText(text)) ?? 0) + 1;
        copies.set(plainText(text), copy);
        const arrived = { accountId, sourceId: null, sender: null, text, sentAt: null, copy };
        const state = await takeMessage(tools, tx, arrived);
        if (state === undefined) counts.known += 1;
        else counts[state === 'parsed' ? 'payments' : state === 'ignored' ? 'ignored' : 'unread'] += 1;
      }
      note({ target: accountId, details: counts });
      return counts;
    }),
  );

  route(app, listUnreadMessages, async () => {
    const countries = new Map((await store.readAccounts(db)).map((account) => [account.id, account.country]));
    return (await store.listUnread(db)).map(({ id, accountId, sender, sealedText, why, receivedAt }) => {
      const text = sealedText === null ? undefined : seal.open(sealedText);
      const country = countries.get(accountId);
      return {
        id,
        accountId,
        sender,
        text: text ?? null,
        isErased: sealedText === null,
        guess: text !== undefined && country ? guessPayment(text, country) : {},
        why,
        receivedAt: receivedAt.toISOString(),
      };
    });
  });

  /** The values that a person confirmed in a message, for an account's country. Throws PHONE_INVALID. */
  const confirmedOf = (body: z.output<(typeof lookAtShape)['body']>, { country }: store.AccountRow) => {
    const payer = body.payer ? readPhone(body.payer, country) : undefined;
    if (payer && 'problem' in payer) throw new Failure('PHONE_INVALID', { message: payer.problem });
    return {
      gross: body.gross,
      reference: body.reference?.toUpperCase() || undefined,
      payer: payer?.e164,
      balanceAfter: body.balanceAfter ?? undefined,
      name: body.name || undefined,
    };
  };

  route(app, lookAtShape, async ({ params, body }) => {
    const account = await store.requireAccount(db, body.accountId);
    const confirmed = confirmedOf(body, account);
    return db.transaction(async (tx) => {
      const message = await store.lockUnread(tx, params.id);
      return lookAt(tools, tx, { account, message, confirmed });
    });
  });

  route(app, recordPayment, async ({ params, body, caller, write }) =>
    write(async (tx, note) => {
      // Accounts are locked before messages, as when a message comes in, and in their order.
      const { paymentTypeId, country } = await store.requireAccount(tx, body.accountId);
      if (body.learn && paymentTypeId !== null) await store.lockWallet(tx, { paymentTypeId, country });
      const account = await store.lockAccount(tx, body.accountId);
      const message = await store.lockUnread(tx, params.id);
      const confirmed = confirmedOf(body, account);
      const { name: _, ...read } = confirmed;
      const lines = [lineOf({ kind: 'payment', ...read }, new Date(body.paidAt), false)];
      const { created } = await recordLines(tx, account.id, 'person', lines);
      await store.setMessageRead(tx, message.id, { state: 'parsed', parser: store.readByPerson });
      const lesson = { account, message, confirmed, allowSender: body.allowSender, createdBy: caller.userId };
      const learnt = body.learn ? await learnShape(tools, tx, lesson) : undefined;
      note({ target: params.id, ...(learnt && { details: learnt }) });
      return { message: created > 0 ? 'Paiement noté' : 'Ce paiement était déjà là', read: learnt?.read ?? 0 };
    }),
  );

  route(app, listPaymentShapes, async () => listShapes(db));

  route(app, removePaymentShape, async ({ params, write }) => {
    await write(async (tx, note) => note({ before: { template: await removeShape(tx, params.id) } }));
    return { id: params.id };
  });

  route(app, ignoreMessage, async ({ params, write }) => {
    await write(async (tx) => {
      await store.lockUnread(tx, params.id);
      await store.setMessageRead(tx, params.id, {
        state: 'ignored',
        why: 'Indiqué par un administrateur.',
        parser: store.readByPerson,
      });
    });
    return { message: 'Message ignoré' };
  });

  route(
    app,
    endpoints.importStatement,
    async ({ body, file, fileName = '', caller, write }) => {
      const sent = { ...body, file: file as Buffer, fileName: plainFileName(fileName), by: caller.userId };
      return importStatement(tools, sent, write);
    },
    { countUpload: tools.countStatement },
  );

  route(app, endpoints.listPaymentImports, async ({ query }) =>
    (await store.listImports(db, query.account)).map(({ operator, createdAt, ...row }) => ({
      ...row,
      wallet: walletOf(operator),
      createdAt: createdAt.toISOString(),
    })),
  );

  route(app, endpoints.undoPaymentImport, async ({ params, write }) =>
    write(async (tx, note) => {
      const { undone, counts } = await undoImport(tx, params.id);
      note({ target: undone.accountId, before: { fileName: undone.fileName }, details: { ...counts } });
      return counts;
    }),
  );

  await app.register(async (scope) => feedRoutes(scope, tools));
}

/** A file's name for display, without its folder and invisible characters. */
const plainFileName = (name: string) =>
  name.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').normalize('NFC').trim().slice(0, 100).toWellFormed() || 'relevé';
