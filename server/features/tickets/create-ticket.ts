import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fillDialTemplate, isSafeToDial, needsAmount, planDialCode } from '#contract/dial-code.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { nationalDigits } from '#contract/phone.ts';
import { isPriceUnusable, listedAmount, type Price, priceOf, solveAmount } from '#contract/pricing.ts';
import type { createTicket as createTicketEndpoint } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { columnsOf, int, nullableRow, rowOf } from '#server/database/row-kinds.ts';
import { none, type Query, type RowOf, statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import {
  type CataloguedService,
  commissionRuleOf,
  isPathVisible,
  readPlace,
  sharedCatalogueLock,
} from '#server/features/catalogue/store.ts';
import { holdPaymentType, listWallets, type Wallet } from '#server/features/payment-types/store.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import type { Caller } from '#server/http/guards.ts';
import { databaseLimits } from '#server/process/limits.ts';
import type { TicketRow } from './store.ts';
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
const lockFiling = statement(none)<[key: string]>(`
  select set_config('lock_timeout', '${databaseLimits.filingTurnMs}', true),
         pg_advisory_xact_lock(hashtextextended($1, 0)), ${sharedCatalogueLock}`);

/**
 * The user, kept from deletion, with an earlier ticket of theirs. Of the last hour only the newest tickets are looked at.
 * Their number is a parameter: PostgreSQL reads an index from its end where it does not know how soon it may stop.
 */
const filerWith = (earlier: string) =>
  statement({
    ...nullableRow(rowOf(tickets)),
    /** Tickets that they filed in the last hour, as far as the limit; 0 without limits. */
    recent: int,
  })(`
  select case when $3::boolean then (
           select count(*)::int from (
             select created_at from tickets where user_id = $1 order by id desc limit $4) newest
           where created_at >= now() - make_interval(secs => ${ticketLimits.hourSeconds}))
         else 0 end as recent, ${columnsOf(tickets, 'earlier')}
  from (select id from users where id = $1 for key share) filer
  left join lateral (select * from tickets where user_id = $1 and ${earlier}) earlier on true`);
// There is one at most. Asked for the newest, PostgreSQL would look through all of the user's.
const filerByKey = filerWith('idempotency_key = $2');
const filerByOrder = filerWith(`
  fingerprint = $2 and created_at >= now() - make_interval(secs => ${ticketLimits.sameOrderSeconds})
  order by id desc limit 1`);
type Filer = RowOf<typeof filerByKey>;

/** The filer, with their ticket of this key, or without a key of the same order some seconds ago. No row if unknown. */
function readFiler(
  userId: number,
  { key, fingerprint, limited }: { key: string | undefined; fingerprint: string; limited: boolean },
): Query<Filer> {
  return key === undefined
    ? filerByOrder(userId, fingerprint, limited, ticketLimits.perUserAndHour)
    : filerByKey(userId, key, limited, ticketLimits.perUserAndHour);
}

/** What a ticket is filed with, in the order of the insertion's values. */
const filed = [
  'userId',
  'serviceId',
  'paymentTypeId',
  'paymentTypeName',
  'amount',
  'commission',
  'totalPrice',
  'servicePath',
  'beneficiaryPhoneNumber',
  'dialCode',
  'dialOperator',
  'dialTemplateId',
  'idempotencyKey',
  'fingerprint',
] as const;
const insertion = statement(rowOf(tickets))(`
  with filed as (
    insert into tickets (user_id, service_id, payment_type_id, payment_type_name, amount, commission, total_price,
      service_path, beneficiary_phone_number, dial_code, dial_operator, dial_template_id, idempotency_key, fingerprint)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning *
  ), event as (
    insert into ticket_events (ticket_id, status, actor_id) select id, status, user_id from filed
  ) select ${columnsOf(tickets, 'filed')} from filed`);

/** Files a ticket and the event of its creation. */
function insertTicket(ticket: Pick<TicketRow, (typeof filed)[number]>): Query<TicketRow> {
  return insertion(...filed.map((name) => (name === 'servicePath' ? JSON.stringify(ticket[name]) : ticket[name])));
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
    // Two writes in all: the locks, then what is read under them; and below what is written, with COMMIT.
    const [, [filer], path, [paymentType], wallets] = await tx.ask(
      lockFiling(`tickets:${caller.userId}`),
      readFiler(caller.userId, { key, fingerprint, limited }),
      readPlace(order.serviceId),
      holdPaymentType(order.paymentTypeName.toLowerCase()),
      listWallets(caller.countryCode),
    );
    if (!filer) throw new Failure('NOT_SIGNED_IN');
    const earlier = earlierOf(filer);
    if (earlier && earlier.fingerprint !== fingerprint) throw new Failure('KEY_REUSED');
    if (earlier) return earlier;
    if (filer.recent >= ticketLimits.perUserAndHour)
      throw new Failure('TOO_MANY', { retryAfter: ticketLimits.retryAfterSeconds });
    const service = requireService(path, order);
    if (!paymentType?.isActive) throw new Failure('PAYMENT_TYPE_UNAVAILABLE');
    const price = requirePrice(service, path, order);
    const filing = insertTicket({
      userId: caller.userId,
      serviceId: service.id,
      paymentTypeId: paymentType.id,
      paymentTypeName: paymentType.name,
      amount: price.amount,
      commission: price.commission,
      totalPrice: String(price.total),
      servicePath: path.map(({ id, name, price: text, level }) => ({ id, name, price: text, level })),
      beneficiaryPhoneNumber: beneficiary,
      ...dialCodeOf({ service, paymentTypeId: paymentType.id, wallets, total: price.total, beneficiary }),
      idempotencyKey: key ?? null,
      fingerprint,
    });
    return new FinalStatements([filing], ([filed]) => filed?.[0] as TicketRow);
  });
}

const earlierOf = ({ recent: _, ...ticket }: Filer): TicketRow | undefined =>
  ticket.id === null ? undefined : (ticket as TicketRow);

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
