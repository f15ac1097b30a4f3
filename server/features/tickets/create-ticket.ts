import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fillDialTemplate, isSafeToDial, needsAmount, planDialCode } from '#contract/dial-code.ts';
import { paysNobody } from '#contract/dialling.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { nationalDigits } from '#contract/phone.ts';
import { isPriceUnusable, listedAmount, type Price, priceOf, solveAmount } from '#contract/pricing.ts';
import type { createTicket as createTicketEndpoint } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { databaseLimits } from '#server/database/limits.ts';
import { columnsOf, prepare, type Sql, sql } from '#server/database/rows.ts';
import {
  isPathVisible,
  type PlacedService,
  placeOf,
  ruleOf,
  sharedCatalogueLock,
} from '#server/features/catalogue/store.ts';
import { allWallets, type PaymentTypeRow, type Wallet } from '#server/features/payment-types/store.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import type { Caller } from '#server/http/guards.ts';
import { findTicketOf, type TicketRow } from './store.ts';
import { tickets } from './tables.ts';

const ticketLimits = {
  /** More than a busy agent files by hand. */
  perUserAndHour: 60,
  hourSeconds: 3_600,
  /** Retry-After beyond that limit. */
  retryAfterSeconds: 600,
  /** Within this time an identical order without a key is a repetition: a double tap, a lost answer. */
  sameOrderSeconds: 10,
} as const;

const value = sql.placeholder;

/**
 * Locks a user's filing of tickets and the catalogue, until the transaction ends. The lock's timeout is set first, since it holds for the
 * waits. What is read under the lock is another SQL statement, which sees what was committed before. The generic plan is forced: planning
 * each time would take as long as the whole ticket.
 */
const lockFiling = prepare<unknown, { userId: number; lockMs: string }>(
  () => sql`
    select set_config('lock_timeout', ${value('lockMs')}, true), set_config('plan_cache_mode', 'force_generic_plan', true),
           pg_advisory_xact_lock(hashtextextended('tickets:' || ${value('userId')}::int, 0)), ${sharedCatalogueLock}`,
);

interface Filing {
  /** The ticket of the same key; without a key that of the same order some seconds ago. */
  earlierId: number | null;
  /** The user's tickets of the last hour, counted up to the limit; 0 without limits. */
  recent: number;
  /** The services from the root to the ordered one; empty for an unknown one. */
  path: PlacedService[];
  paymentType: Pick<PaymentTypeRow, 'id' | 'name' | 'countries' | 'isActive'> | null;
  /** Of all countries. */
  wallets: Wallet[];
  /** The payment type's merchant number in the payer's country. */
  merchant: string | null;
}

interface Asked extends Record<string, unknown> {
  userId: number;
  /** The key, or the fingerprint without a key. */
  earlier: string;
  limited: boolean;
  serviceId: number;
  /** In lower case. */
  paymentTypeName: string;
  country: string;
}

/**
 * Reads what filing a ticket needs, and locks user and payment type against deletion; no row for an unknown user. Only the newest tickets
 * are read: PostgreSQL would otherwise scan all of the user's for the last hour or the key.
 */
const readFiling = (isEarlier: Sql) =>
  prepare<Filing, Asked>(
    () => sql`
      with filer as (select id from users where id = ${value('userId')} for key share),
           wanted as (select id, name, countries, is_active as "isActive" from payment_types
                      where lower(name) = ${value('paymentTypeName')} for key share)
      select (select id from tickets where user_id = ${value('userId')} and ${isEarlier}) as "earlierId",
             case when ${value('limited')}::boolean then (
               select count(*)::int from (
                 select created_at from tickets where user_id = ${value('userId')} order by id desc
                 limit ${sql.raw(String(ticketLimits.perUserAndHour))}) newest
               where created_at >= now() - make_interval(secs => ${ticketLimits.hourSeconds})) else 0 end as recent,
             ${placeOf(value('serviceId'))} as path, (select row_to_json(wanted) from wanted) as "paymentType",
             ${allWallets} as wallets,
             (select number from merchant_numbers join wanted on wanted.id = payment_type_id
              where country = ${value('country')}) as merchant
      from filer`,
  );
const readFilingOfKey = readFiling(sql`idempotency_key = ${value('earlier')}`);
const readFilingOfOrder = readFiling(
  sql`fingerprint = ${value('earlier')} and created_at >= now() - make_interval(secs => ${ticketLimits.sameOrderSeconds})
      order by id desc limit 1`,
);

/** The columns of a new ticket, which is written together with its event. */
const fields = {
  userId: value('userId'),
  serviceId: value('serviceId'),
  paymentTypeId: value('paymentTypeId'),
  paymentTypeName: value('paymentTypeName'),
  amount: value('amount'),
  commission: value('commission'),
  totalPrice: value('totalPrice'),
  servicePath: value('servicePath'),
  beneficiaryPhoneNumber: value('beneficiaryPhoneNumber'),
  dialCode: value('dialCode'),
  dialOperator: value('dialOperator'),
  dialTemplateId: value('dialTemplateId'),
  idempotencyKey: value('idempotencyKey'),
  fingerprint: value('fingerprint'),
};

const writeTicket = prepare<TicketRow, Required<Pick<typeof tickets.$inferInsert, keyof typeof fields>>>(
  (db) => sql`
    with filed as (${db.insert(tickets).values(fields).returning().getSQL()}), event as (
      insert into ticket_events (ticket_id, status, actor_id) select id, status, user_id from filed)
    select ${columnsOf(tickets)} from filed`,
);

/** An order: service, beneficiary, payment type, and the total that the person agreed to. */
export type Order = z.output<typeof createTicketEndpoint.body>;

const beneficiaryWording = {
  path: 'beneficiaryPhoneNumber',
  adviceWithoutCountry: failureSentences.otherCountry,
};

/**
 * Files an order at the server's own price and dial code. The same idempotency key and order answer the same ticket; without a key the
 * same order within 10 s does. Triggers then announce the topics, and keep the counts and `ticket_paths`. Throws FORBIDDEN (another's
 * userId), PHONE_INVALID, PATH_CHANGED, SERVICE_UNAVAILABLE, PAYMENT_TYPE_UNAVAILABLE, PRICE_INVALID, PRICE_CHANGED with `expectedTotal`,
 * KEY_REUSED, TOO_MANY. Throws NOT_PAYABLE for a code that pays nobody, if the settings refuse such orders.
 */
export async function createTicket(
  { db, limited, refusesExamples }: { db: Db; limited: boolean; refusesExamples: boolean },
  caller: Pick<Caller, 'userId' | 'countryCode'>,
  order: Order,
  key: string | undefined,
): Promise<TicketRow> {
  if (order.userId && order.userId !== caller.userId) throw new Failure('FORBIDDEN');
  const beneficiary = requirePhone(order.beneficiaryPhoneNumber, caller.countryCode, beneficiaryWording);
  const fingerprint = fingerprintOf(order, beneficiary);
  return db.transaction(async (tx) => {
    await lockFiling(tx, { userId: caller.userId, lockMs: String(databaseLimits.filingTurnMs) });
    const [filing] = await (key === undefined ? readFilingOfOrder : readFilingOfKey)(tx, {
      userId: caller.userId,
      earlier: key ?? fingerprint,
      limited,
      serviceId: order.serviceId,
      paymentTypeName: order.paymentTypeName.toLowerCase(),
      country: caller.countryCode,
    });
    if (!filing) throw new Failure('NOT_SIGNED_IN');
    if (filing.earlierId !== null) {
      const earlier = await findTicketOf(tx, caller.userId, filing.earlierId);
      if (earlier?.fingerprint !== fingerprint) throw new Failure('KEY_REUSED');
      return earlier;
    }
    if (filing.recent >= ticketLimits.perUserAndHour)
      throw new Failure('TOO_MANY', { retryAfter: ticketLimits.retryAfterSeconds });
    const { path, paymentType, wallets, merchant } = filing;
    const service = requireService(path, order);
    if (!paymentType?.isActive) throw new Failure('PAYMENT_TYPE_UNAVAILABLE');
    const price = requirePrice(service, path, order);
    const dialling = dialCodeOf({
      service,
      paymentType,
      country: caller.countryCode,
      wallets,
      merchant,
      total: price.total,
      beneficiary,
    });
    if (refusesExamples && dialling.dialCode && paysNobody(dialling.dialCode)) throw new Failure('NOT_PAYABLE');
    const [ticket] = await writeTicket(tx, {
      userId: caller.userId,
      serviceId: service.id,
      paymentTypeId: paymentType.id,
      paymentTypeName: paymentType.name,
      amount: price.amount,
      commission: price.commission,
      totalPrice: String(price.total),
      servicePath: path.map(({ id, name, price: text, level }) => ({ id, name, price: text, level })),
      beneficiaryPhoneNumber: beneficiary,
      ...dialling,
      idempotencyKey: key ?? null,
      fingerprint,
    });
    return ticket as TicketRow;
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

/** The final service of the ordered path. */
function requireService(path: readonly PlacedService[], order: Order): PlacedService {
  const service = path.at(-1);
  if (!service?.isFinalLevel || !isPathVisible(path)) throw new Failure('SERVICE_UNAVAILABLE');
  const asked = order.servicePath.map((step) => step.id).join('/');
  if (asked !== path.map((step) => step.id).join('/')) throw new Failure('PATH_CHANGED');
  return service;
}

function requirePrice(service: PlacedService, path: readonly { price: string | null }[], order: Order): Price {
  const rule = ruleOf(service);
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
  service: Pick<PlacedService, 'id' | 'phoneNumber'>;
  paymentType: Pick<PaymentTypeRow, 'id' | 'countries'>;
  /** The payer's country. */
  country: string;
  /** Of all countries. */
  wallets: readonly Wallet[];
  /** The payment type's merchant number in that country. */
  merchant: string | null;
  /** CFA francs. */
  total: number;
  /** E.164. */
  beneficiary: string;
}

/** The code to dial (P8.10). None if the wallet has no code, or if there is nothing to pay and the code needs an amount or pays nobody. */
function dialCodeOf({ service, paymentType, country, wallets, merchant, total, beneficiary }: Dialling) {
  const payment = { paymentType, country, hasMerchant: merchant !== null };
  const { template, own, operator } = planDialCode(service.phoneNumber, payment, wallets);
  const dialCode = fillDialTemplate(template ?? '', {
    total,
    beneficiary: nationalDigits(beneficiary),
    serviceId: service.id,
    merchant: merchant ?? undefined,
  });
  const isIdle = total === 0 && (needsAmount(template ?? '') || paysNobody(dialCode));
  if (!template || isIdle || !isSafeToDial(dialCode))
    return { dialCode: null, dialOperator: null, dialTemplateId: null };
  return { dialCode, dialOperator: operator, dialTemplateId: own?.id ?? null };
}
