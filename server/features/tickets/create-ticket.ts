import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fillDialTemplate, isSafeToDial, needsAmount, planDialCode } from '#contract/dial-code.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { nationalDigits } from '#contract/phone.ts';
import { isPriceUnusable, listedAmount, type Price, priceOf, solveAmount } from '#contract/pricing.ts';
import type { createTicket as createTicketEndpoint } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { columnsOf, requireRow, rows, sql } from '#server/database/rows.ts';
import {
  type CataloguedService,
  commissionRuleOf,
  isPathVisible,
  readPlace,
  sharedCatalogueLock,
} from '#server/features/catalogue/store.ts';
import { holdPaymentType, type Wallet } from '#server/features/payment-types/store.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import type { Caller } from '#server/http/guards.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { findTicketOf, type TicketRow } from './store.ts';
import { tickets } from './tables.ts';

const ticketLimits = {
  /** Above what a busy agent files by hand. */
  perUserAndHour: 60,
  hourSeconds: 3_600,
  /** Retry-After beyond it. */
  retryAfterSeconds: 600,
  /** Within it an identical order without a key is the same order again: a double tap, a lost answer. */
  sameOrderSeconds: 10,
} as const;

/**
 * Until the transaction ends, tickets of one user are filed one after the other, and the catalogue is locked. In this order:
 * the limit holds for the waits beside it.
 */
async function lockFiling(tx: Db, userId: number): Promise<void> {
  const lockMs = String(databaseLimits.filingTurnMs);
  await rows(
    tx,
    sql`select set_config('lock_timeout', ${lockMs}, true),
               pg_advisory_xact_lock(hashtextextended(${`tickets:${userId}`}, 0)), ${sharedCatalogueLock}`,
    'filing-lock',
  );
}

interface Filer {
  /** The ticket of the same key, or without a key that of the same order some seconds ago. */
  earlierId: number | null;
  /** Tickets that they filed in the last hour, as far as the limit; 0 without limits. */
  recent: number;
}

/**
 * The user, kept from deletion; undefined if unknown. Of the last hour only the newest tickets are looked at, and of a key
 * there is one at most: asked for the newest, PostgreSQL would look through all of the user's.
 */
async function readFiler(
  tx: Db,
  userId: number,
  { key, fingerprint, limited }: { key: string | undefined; fingerprint: string; limited: boolean },
): Promise<Filer | undefined> {
  const { hourSeconds, sameOrderSeconds, perUserAndHour } = ticketLimits;
  const isEarlier =
    key === undefined
      ? sql`fingerprint = ${fingerprint} and created_at >= now() - make_interval(secs => ${sameOrderSeconds})
          order by id desc limit 1`
      : sql`idempotency_key = ${key}`;
  const [filer] = await rows<Filer>(
    tx,
    sql`
      select (select id from tickets where user_id = ${userId} and ${isEarlier}) as "earlierId",
             case when ${limited}::boolean then (
               select count(*)::int from (
                 select created_at from tickets where user_id = ${userId} order by id desc limit ${perUserAndHour}) newest
               where created_at >= now() - make_interval(secs => ${hourSeconds})) else 0 end as recent
      from users where id = ${userId} for key share`,
    key === undefined ? 'filer-by-order' : 'filer-by-key',
  );
  return filer;
}

/** An order: service, beneficiary, payment type, and the total that the person agreed to. */
export type Order = z.output<typeof createTicketEndpoint.body>;

const beneficiaryWording = {
  path: 'beneficiaryPhoneNumber',
  adviceWithoutCountry: failureSentences.otherCountry,
};

/**
 * Files an order at the server's own price and dial code. The same idempotency key and order, or without a key the same
 * order within 10 s, answer the same ticket. Throws FORBIDDEN (another's userId), PHONE_INVALID, PATH_CHANGED,
 * SERVICE_UNAVAILABLE, PAYMENT_TYPE_UNAVAILABLE, PRICE_INVALID, PRICE_CHANGED with `expectedTotal`, KEY_REUSED, TOO_MANY.
 */
export async function createTicket(
  { db, limited }: { db: Db; limited: boolean },
  caller: Pick<Caller, 'userId' | 'countryCode'>,
  order: Order,
  key: string | undefined,
): Promise<TicketRow> {
  if (order.userId && order.userId !== caller.userId) throw new Failure('FORBIDDEN');
  const beneficiary = requirePhone(order.beneficiaryPhoneNumber, caller.countryCode, beneficiaryWording);
  const fingerprint = fingerprintOf(order, beneficiary);
  return db.transaction(async (tx) => {
    await lockFiling(tx, caller.userId);
    const filer = await readFiler(tx, caller.userId, { key, fingerprint, limited });
    if (!filer) throw new Failure('NOT_SIGNED_IN');
    if (filer.earlierId !== null) {
      const earlier = await findTicketOf(tx, caller.userId, filer.earlierId);
      if (earlier?.fingerprint !== fingerprint) throw new Failure('KEY_REUSED');
      return earlier;
    }
    if (filer.recent >= ticketLimits.perUserAndHour)
      throw new Failure('TOO_MANY', { retryAfter: ticketLimits.retryAfterSeconds });
    const path = await readPlace(tx, order.serviceId);
    const service = requireService(path, order);
    const named = { name: order.paymentTypeName.toLowerCase(), country: caller.countryCode };
    const paymentType = await holdPaymentType(tx, named);
    if (!paymentType?.isActive) throw new Failure('PAYMENT_TYPE_UNAVAILABLE');
    const { id: paymentTypeId, name: paymentTypeName, wallets } = paymentType;
    const price = requirePrice(service, path, order);
    const inserted = tx
      .insert(tickets)
      .values({
        userId: caller.userId,
        serviceId: service.id,
        paymentTypeId,
        paymentTypeName,
        amount: price.amount,
        commission: price.commission,
        totalPrice: String(price.total),
        servicePath: path.map(({ id, name, price: text, level }) => ({ id, name, price: text, level })),
        beneficiaryPhoneNumber: beneficiary,
        ...dialCodeOf({ service, paymentTypeId, wallets, total: price.total, beneficiary }),
        idempotencyKey: key ?? null,
        fingerprint,
      })
      .returning();
    // With its event in one statement.
    return requireRow<TicketRow>(
      tx,
      sql`with filed as (${inserted.getSQL()}), event as (
            insert into ticket_events (ticket_id, status, actor_id) select id, status, user_id from filed)
          select ${columnsOf(tickets)} from filed`,
      'filed-ticket',
    );
  });
}

function fingerprintOf(order: Order, beneficiary: string): string {
  const wish = [
    order.serviceId,
    order.servicePath.map((step) => step.id),
    beneficiary,
    order.paymentTypeName.toLowerCase(),
    order.totalPrice,
    order.userPrice ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(wish)).digest('hex');
}

/** The final service of the path that was asked for. */
function requireService(path: readonly CataloguedService[], order: Order): CataloguedService {
  const service = path.at(-1);
  if (!service?.isFinalLevel || !isPathVisible(path)) throw new Failure('SERVICE_UNAVAILABLE');
  const asked = order.servicePath.map((step) => step.id).join('/');
  if (asked !== path.map((step) => step.id).join('/')) throw new Failure('PATH_CHANGED');
  return service;
}

function requirePrice(service: CataloguedService, path: readonly { price: string | null }[], order: Order): Price {
  const rule = commissionRuleOf(service);
  if (!service.allowUserPriceInput && isPriceUnusable(path))
    throw new Failure('SERVICE_UNAVAILABLE', { message: failureSentences.priceUnusable });
  const amount = service.allowUserPriceInput
    ? (order.userPrice ?? solveAmount(order.totalPrice, rule))
    : listedAmount(path);
  if (amount === undefined) throw new Failure('PRICE_INVALID');
  const price = priceOf(amount, rule);
  if (price.total !== order.totalPrice) throw new Failure('PRICE_CHANGED', { expectedTotal: price.total });
  return price;
}

interface Dialling {
  service: Pick<CataloguedService, 'id' | 'phoneNumber'>;
  paymentTypeId: number;
  /** Of the payer's country. */
  wallets: readonly Wallet[];
  /** CFA francs. */
  total: number;
  /** E.164. */
  beneficiary: string;
}

/** The code to dial (P8.10); none where nothing has one, or where it needs an amount and there is nothing to pay. */
function dialCodeOf({ service, paymentTypeId, wallets, total, beneficiary }: Dialling) {
  const { template, own, operator } = planDialCode(service.phoneNumber, paymentTypeId, wallets);
  const values = { total, beneficiary: nationalDigits(beneficiary), serviceId: service.id };
  const dialCode = fillDialTemplate(template ?? '', own ? { ...values, merchant: own.merchant } : values);
  if (!template || (total === 0 && needsAmount(template)) || !isSafeToDial(dialCode))
    return { dialCode: null, dialOperator: null, dialTemplateId: null };
  return { dialCode, dialOperator: operator, dialTemplateId: own?.id ?? null };
}
