import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fillDialTemplate, needsAmount } from '#contract/dial-code.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { nationalDigits } from '#contract/phone.ts';
import { listedAmount, type Price, priceOf, solveAmount } from '#contract/pricing.ts';
import type { createTicket as createTicketEndpoint } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { commissionRuleOf } from '#server/features/catalogue/commission-rule.ts';
import { type CataloguedService, isPathVisible, readPlace } from '#server/features/catalogue/store.ts';
import { holdPaymentType } from '#server/features/payment-types/store.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import type { Caller } from '#server/http/guards.ts';
import { ticketLimits } from '#server/process/limits.ts';
import { type Filer, insertTicket, lockFiling, readFiler } from './filing-store.ts';
import type { TicketRow } from './store.ts';

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
    const [, [filer], path, [paymentType]] = await tx.ask(
      lockFiling(caller.userId),
      readFiler(caller.userId, { key, fingerprint, limited }),
      readPlace(order.serviceId),
      holdPaymentType(order.paymentTypeName.toLowerCase()),
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
      dialCode: dialCodeOf(service, price, beneficiary),
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
  const amount = service.allowUserPriceInput
    ? (order.userPrice ?? solveAmount(order.totalPrice, rule))
    : listedAmount(path);
  if (amount === undefined) throw new Failure('PRICE_INVALID');
  const price = priceOf(amount, rule);
  if (price.total !== order.totalPrice) throw new Failure('PRICE_CHANGED', { expectedTotal: price.total });
  return price;
}

/** No code when the service has none, or when its code needs an amount and there is nothing to pay. */
function dialCodeOf(service: CataloguedService, price: Price, beneficiary: string): string | null {
  if (!service.phoneNumber || (price.total === 0 && needsAmount(service.phoneNumber))) return null;
  return fillDialTemplate(service.phoneNumber, {
    total: price.total,
    beneficiary: nationalDigits(beneficiary),
    serviceId: service.id,
  });
}
