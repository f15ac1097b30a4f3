import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { Failure } from '#contract/failure.ts';
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
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { lineOf, type MessageReading, plainText, readersOf, takeMessage } from './intake.ts';
import { learnShape, lookAtShape as lookAt } from './learn-shape.ts';
import { recordLines } from './lines.ts';
import { guessPayment } from './operators/guess-payment.ts';
import { readMessage } from './operators/read-message.ts';
import { splitMessages } from './operators/split-messages.ts';
import { listShapes, removeShape } from './shapes.ts';
import * as store from './store.ts';

/** Messages that a person pastes, and those that wait for one. */
export function messageRoutes(app: FastifyInstance, tools: MessageReading & { db: Db }): void {
  const { db, operators, seal } = tools;

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
}

/** What a person says of a message that no pattern knows, and the shapes that are learnt of it. */
export function lessonRoutes(app: FastifyInstance, tools: MessageReading & { db: Db }): void {
  const { db } = tools;

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
}

/** The values that a person confirmed in a message, for an account's country. Throws PHONE_INVALID. */
function confirmedOf(body: z.output<(typeof lookAtShape)['body']>, { country }: store.AccountRow) {
  const payer = body.payer ? readPhone(body.payer, country) : undefined;
  if (payer && 'problem' in payer) throw new Failure('PHONE_INVALID', { message: payer.problem });
  return {
    gross: body.gross,
    reference: body.reference?.toUpperCase() || undefined,
    payer: payer?.e164,
    balanceAfter: body.balanceAfter ?? undefined,
    name: body.name || undefined,
  };
}
