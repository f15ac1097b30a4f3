import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import * as endpoints from '#contract/payment-feed.ts';
import { messageLength } from '#contract/payments.ts';
import type { Db } from '#server/database/connect.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { lookLimits } from '#server/http/limits.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { route } from '#server/http/route.ts';
import { clockMinutes, clockOffMs, decodeBody, isClockRight, readForwarded, sentAtOf } from './forwarded.ts';
import { type MessageReading, takeMessage } from './intake.ts';
import { paymentFeedLimits } from './limits.ts';
import { recordLines } from './lines.ts';
import { secretHashOf } from './seal.ts';
import * as store from './store.ts';
import { isSignedByGateway, readWaveEvent, waveSignatureTime } from './wave.ts';

type Source = NonNullable<Awaited<ReturnType<typeof store.findSource>>>;

interface FeedTools extends MessageReading {
  db: Db;
  limits: Limits;
}

/**
 * Accepts calls of phones and wallets' servers. An unknown secret is a 404, before the body is read. With a known secret no form is
 * refused; faults are recorded at the source.
 */
export async function feedRoutes(scope: FastifyInstance, tools: FeedTools): Promise<void> {
  const call = { inTurn: concurrencyLimit(paymentFeedLimits.taking), readCall: openCalls(scope, tools) };
  smsRoute(scope, { ...tools, ...call });
  waveRoute(scope, { ...tools, ...call });
}

interface CallTools extends FeedTools {
  inTurn: ReturnType<typeof concurrencyLimit>;
  readCall: ReturnType<typeof openCalls>;
}

function smsRoute(scope: FastifyInstance, { inTurn, readCall, ...tools }: CallTools): void {
  const { db } = tools;
  route(scope, endpoints.receivePaymentSms, async ({ request }) => {
    const { source, secrets, bytes, text } = readCall(request);
    const now = Date.now();
    const time = header(request, 'x-timestamp');
    const mark = { signature: header(request, 'x-signature'), time };
    if (source.isSigned && !isSignedByGateway(mark, bytes, secrets)) {
      await note(db, request, source, { trouble: 'signature', isRefused: true });
      throw new Failure('SIGNATURE_INVALID');
    }
    const offMs = clockOffMs(time, now);
    const isClockWrong = offMs !== undefined && !isClockRight(offMs);
    const clock = isClockWrong ? ({ trouble: 'clock', minutes: clockMinutes(offMs) } as const) : {};
    const sms = readForwarded(text, header(request, 'content-type'));
    const isText = sms && !sms.why && /[\p{L}\p{N}]/u.test(sms.text);
    const said = sms && !isText ? 'text' : sms && sms.sender === null ? 'sender' : undefined;
    const heard: store.Heard = {
      ...clock,
      ...(said && { trouble: said }),
      sim: sms?.sim,
      isMessage: sms !== undefined,
    };
    await inTurn(() =>
      db.transaction(async (tx) => {
        await note(tx, request, source, heard);
        if (!sms?.text.trim()) return;
        const sentAt = sentAtOf(sms.stampedAt, offMs, now);
        await takeMessage(tools, tx, { ...arrivalOf(source), ...sms, sentAt });
      }),
    );
    return { received: true as const };
  });
}

function waveRoute(scope: FastifyInstance, { inTurn, readCall, ...tools }: CallTools): void {
  const { db } = tools;
  route(scope, endpoints.receiveWaveEvent, async ({ request }) => {
    const { source, secrets, bytes, text } = readCall(request);
    const now = Date.now();
    const marks = { signature: header(request, 'wave-signature'), authorization: header(request, 'authorization') };
    const signedAt = waveSignatureTime(marks, bytes, secrets, now);
    const offMs = signedAt === undefined ? undefined : now - signedAt;
    if (offMs === undefined || Math.abs(offMs) > paymentFeedLimits.signatureSeconds * 1_000) {
      const late = offMs !== undefined && ({ trouble: 'clock', minutes: clockMinutes(offMs) } as const);
      await note(db, request, source, { trouble: 'signature', ...late, isRefused: true });
      throw new Failure('SIGNATURE_INVALID');
    }
    const event = readWaveEvent(text, source.country);
    await inTurn(() =>
      db.transaction(async (tx) => {
        await note(tx, request, source, {
          ...(event === 'unknown' && { trouble: 'text' }),
          isMessage: event !== undefined,
        });
        if (!event) return;
        // A person reads a payment in a form that Wave does not use today.
        if (event === 'unknown') {
          const message = { sender: 'Wave', text: text.slice(0, messageLength).toWellFormed(), sentAt: null };
          await takeMessage(tools, tx, { ...arrivalOf(source), ...message });
        } else await recordLines(tx, source.accountId, 'wave', [event]);
      }),
    );
    return { received: true as const };
  });
}

/** Finds the source of each call of a scope before its body, which is kept as it came; answers both, and what may sign it. */
function openCalls(scope: FastifyInstance, { db, seal, limits }: FeedTools) {
  const lookInTurn = concurrencyLimit(lookLimits);
  const sources = new WeakMap<FastifyRequest, Source>();
  const bodies = new WeakMap<FastifyRequest, { bytes: Buffer; text: string }>();
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = decodeBody(body, request.headers['content-type']);
    bodies.set(request, { bytes: body, text });
    done(null, text);
  });
  scope.addHook('onRequest', async (request) => {
    const { secret = '' } = request.params as { secret?: string };
    const source = await lookInTurn(() => store.findSource(db, secretHashOf(secret)));
    const kind = request.url.split('?')[0]?.split('/').at(-1);
    if (!source || source.kind !== kind) throw new Failure('NOT_SIGNED_IN');
    await limits.consume('paymentFeedPerSource', String(source.id));
    sources.set(request, source);
  });
  return (request: FastifyRequest) => {
    const source = sources.get(request) as Source;
    const secrets = source.signing.flatMap((sealed) => seal.open(sealed) ?? []);
    return { source, secrets, ...(bodies.get(request) ?? { bytes: Buffer.alloc(0), text: '' }) };
  };
}

const header = (request: FastifyRequest, name: string) => request.headers[name]?.toString();

/** Records a source's call and its fault; the log gets one line per lasting fault. */
async function note(on: Db, request: FastifyRequest, source: Source, heard: store.Heard): Promise<void> {
  const { trouble } = heard;
  if (trouble && trouble !== source.trouble)
    request.log.warn({ source: source.id, trouble }, 'trouble with a source of payments');
  await store.noteHeard(on, source.id, heard);
}

const arrivalOf = ({ id, accountId }: Source) => ({ sourceId: id, accountId });
