import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payment-feed.ts';
import {
  ignoreMessage,
  listUnreadMessages,
  messageLength,
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
import { type ImportTools, importStatement } from './import-statement.ts';
import { lineOf, type MessageReading, plainText, takeMessage } from './intake.ts';
import { recordLines } from './lines.ts';
import { readMessage } from './operators/read-message.ts';
import { splitMessages } from './operators/split-messages.ts';
import { secretHashOf } from './seal.ts';
import { walletOf } from './statements/statement-model.ts';
import * as store from './store.ts';
import { undoImport } from './undo-import.ts';
import { isSignedByGateway, isSignedByWave, readWaveEvent } from './wave.ts';

export interface PaymentFeedTools extends MessageReading, ImportTools {
  limits: Limits;
  countStatement: CountUpload;
  /** Of the site; the address of a request where it is unknown. */
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
  /** A new address and what signs on it, to be stored and to be shown once. */
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

  // Wave's events are signed always, a phone's messages where a key was set.
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

  route(app, endpoints.deletePaymentSource, async ({ params, write }) => {
    await write(async (tx) => {
      await store.lockSource(tx, params.id);
      await store.deleteSource(tx, params.id);
    });
    return { id: params.id };
  });

  route(app, readMessages, async ({ body }) => {
    const account = body.accountId ? await store.requireAccount(db, body.accountId) : undefined;
    const context = { operators, country: account?.country };
    return { messages: splitMessages(body.text, context).map((text) => readMessage(text, context)) };
  });

  route(app, takeMessages, async ({ body, write }) =>
    write(async (tx, note) => {
      const { id: accountId, country } = await store.requireAccount(tx, body.accountId);
      const counts = { payments: 0, known: 0, ignored: 0, unread: 0 };
      const copies = new Map<string, number>();
      for (const text of splitMessages(body.text, { operators, country })) {
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

  route(app, listUnreadMessages, async () =>
    (await store.listUnread(db)).map(({ id, accountId, sender, sealedText, why, receivedAt }) => {
      const text = sealedText === null ? undefined : seal.open(sealedText);
      return { id, accountId, sender, text: text ?? null, why, receivedAt: receivedAt.toISOString() };
    }),
  );

  route(app, recordPayment, async ({ params, body, write }) =>
    write(async (tx, note) => {
      await store.lockUnread(tx, params.id);
      const { country } = await store.requireAccount(tx, body.accountId);
      const payer = body.payer ? readPhone(body.payer, country) : undefined;
      if (payer && 'problem' in payer) throw new Failure('PHONE_INVALID', { message: payer.problem });
      const read = { gross: body.gross, reference: body.reference?.toUpperCase(), payer: payer?.e164 };
      const lines = [lineOf({ kind: 'payment', ...read }, new Date(body.paidAt), false)];
      const { created } = await recordLines(tx, body.accountId, 'person', lines);
      await store.setMessageRead(tx, params.id, { state: 'parsed', parser: 'personne' });
      note({ target: params.id });
      return { message: created > 0 ? 'Paiement noté' : 'Ce paiement était déjà là' };
    }),
  );

  route(app, ignoreMessage, async ({ params, write }) => {
    await write(async (tx) => {
      await store.lockUnread(tx, params.id);
      await store.setMessageRead(tx, params.id, { state: 'ignored', why: 'Indiqué par un administrateur.' });
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

type Source = NonNullable<Awaited<ReturnType<typeof store.findSource>>>;

/** Takes what phones and wallets' servers send. Without the secret nothing is here, before a byte of a body is read. */
function feedRoutes(scope: FastifyInstance, tools: MessageReading & { db: Db; limits: Limits }): void {
  const { db, seal, limits } = tools;
  const sources = new WeakMap<FastifyRequest, Source>();
  const bodies = new WeakMap<FastifyRequest, string>();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    bodies.set(request, String(body));
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(new Failure('INVALID'));
    }
  });
  scope.addHook('onRequest', async (request) => {
    const { secret = '' } = request.params as { secret?: string };
    const source = await store.findSource(db, secretHashOf(secret));
    const kind = request.url.split('?')[0]?.split('/').at(-1);
    if (!source || source.kind !== kind) throw new Failure('NOT_SIGNED_IN');
    await limits.consume('paymentFeedPerSource', String(source.id));
    sources.set(request, source);
  });
  const readCall = (request: FastifyRequest) => {
    const source = sources.get(request) as Source;
    const secrets = source.signing.flatMap((sealed) => seal.open(sealed) ?? []);
    return { source, secrets, body: bodies.get(request) ?? '' };
  };
  const header = (request: FastifyRequest, name: string) => request.headers[name]?.toString();

  route(scope, endpoints.receivePaymentSms, async ({ body: given, request }) => {
    const { source, secrets, body } = readCall(request);
    const marks = { signature: header(request, 'x-signature'), time: header(request, 'x-timestamp') };
    if (source.isSigned && !isSignedByGateway(marks, body, secrets, new Date())) throw new Failure('SIGNATURE_INVALID');
    const sms = smsOf(given);
    // Else a sign of life, or a message that no person or phone writes.
    if (sms?.text.trim() && sms.text.length <= messageLength)
      await db.transaction((tx) => takeMessage(tools, tx, { ...arrivalOf(source), ...sms }));
    await store.noteSeen(db, source.id);
    return { received: true as const };
  });

  route(scope, endpoints.receiveWaveEvent, async ({ body: event, request }) => {
    const { source, secrets, body } = readCall(request);
    if (!isSignedByWave(header(request, 'wave-signature'), body, secrets, new Date()))
      throw new Failure('SIGNATURE_INVALID');
    const line = readWaveEvent(event, source.country);
    await db.transaction(async (tx) => {
      if (line) await recordLines(tx, source.accountId, 'wave', [line]);
      // A payment in a form that is not Wave's of today is a person's to read.
      else if (event.type === 'merchant.payment_received' && body.length <= messageLength)
        await takeMessage(tools, tx, { ...arrivalOf(source), sender: 'Wave', text: body, sentAt: null });
    });
    await store.noteSeen(db, source.id);
    return { received: true as const };
  });
}

/** A file's name as it is shown: without its folder and marks that are not seen. */
const plainFileName = (name: string) =>
  name.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').normalize('NFC').trim().slice(0, 100).toWellFormed() || 'relevé';

const arrivalOf = ({ id, accountId }: Source) => ({ sourceId: id, accountId });

/** The SMS of a call, by its shape; undefined of a gateway's other events. */
function smsOf(body: unknown): { text: string; sender: string | null; sentAt: Date | null } | undefined {
  const forwarded = endpoints.forwardedSms.safeParse(body).data;
  if (forwarded)
    return { text: forwarded.text, sender: senderOf(forwarded.from), sentAt: instantOf(forwarded.sentStamp) };
  const { event, payload } = endpoints.gatewaySms.parse(body);
  if (event !== 'sms:received' || !payload?.message) return undefined;
  const sender = payload.sender ?? payload.phoneNumber;
  return { text: payload.message, sender: senderOf(sender), sentAt: instantOf(payload.receivedAt) };
}

/** A sender is a name, and of a longer text no half character is kept. */
const senderOf = (name: string | null | undefined) => name?.trim().slice(0, 60).toWellFormed() || null;

/** A phone's stamp: milliseconds or seconds since 1970, or ISO 8601; null of anything else. */
function instantOf(stamp: string | number | null | undefined): Date | null {
  if (stamp === null || stamp === undefined || stamp === '') return null;
  const number = Number(stamp);
  const at = new Date(Number.isNaN(number) ? stamp : number < 1e11 ? number * 1_000 : number);
  const year = at.getUTCFullYear();
  return year >= 2000 && year < 3000 ? at : null;
}
