import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { fillDialTemplate, needsAmount } from '#contract/dial-code.ts';
import { Failure } from '#contract/failure.ts';
import { nationalDigits, readPhone } from '#contract/phone.ts';
import { listedAmount, type Price, priceOf, solveAmount } from '#contract/pricing.ts';
import type { createTicket as createTicketEndpoint } from '#contract/tickets.ts';
import type { Db } from '#server/database/connect.ts';
import {
  type CataloguedService,
  commissionRuleOf,
  findService,
  isOpen,
  listPath,
  shareTree,
} from '#server/features/catalogue/store.ts';
import { findActivePaymentType } from '#server/features/payment-types/store.ts';
import { lockUser } from '#server/features/users/store.ts';
import {
  countRecentTickets,
  findRecentTwin,
  findTicketByKey,
  insertTicket,
  lockFiling,
  type TicketRow,
} from './store.ts';

/** Above what a busy agent files by hand; counted in the tickets themselves. */
const ticketsPerHour = 60;

export type TicketRequest = z.output<typeof createTicketEndpoint.body>;

export interface Requester {
  userId: number;
  countryCode: string;
}

/**
 * Files a request. The server owns everything but the wish: it walks the path in the database, prices it, writes the
 * dial code, and stores all of that. The same idempotency key and request answer the same ticket (without a key, the same
 * request within 10 s). Throws FORBIDDEN (another's userId), PHONE_INVALID, PATH_CHANGED, SERVICE_UNAVAILABLE,
 * PAYMENT_TYPE_UNAVAILABLE, PRICE_INVALID, PRICE_CHANGED with `expectedTotal`, KEY_REUSED, TOO_MANY; then nothing is stored.
 */
export async function createTicket(
  { db, limited }: { db: Db; limited: boolean },
  requester: Requester,
  request: TicketRequest,
  key: string | undefined,
): Promise<TicketRow> {
  if (request.userId && request.userId !== requester.userId) throw new Failure('FORBIDDEN');
  const beneficiary = requireBeneficiary(request.beneficiaryPhoneNumber, requester.countryCode);
  const fingerprint = fingerprintOf(request, beneficiary);
  return db.transaction(async (tx) => {
    await lockFiling(tx, requester.userId);
    if (!(await lockUser(tx, requester.userId, 'key share'))) throw new Failure('NOT_SIGNED_IN');
    const earlier = key
      ? await findTicketByKey(tx, requester.userId, key)
      : await findRecentTwin(tx, requester.userId, fingerprint);
    if (earlier && earlier.fingerprint !== fingerprint) throw new Failure('KEY_REUSED');
    if (earlier) return earlier;
    if (limited && (await countRecentTickets(tx, requester.userId)) >= ticketsPerHour)
      throw new Failure('TOO_MANY', { retryAfter: 600 });
    const { service, path } = await requirePath(tx, request);
    const paymentType = await findActivePaymentType(tx, request.paymentTypeName);
    if (!paymentType) throw new Failure('PAYMENT_TYPE_UNAVAILABLE');
    const price = requirePrice(service, path, request);
    return insertTicket(tx, {
      userId: requester.userId,
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
  });
}

function requireBeneficiary(typed: string, countryCode: string): string {
  const reading = readPhone(typed, countryCode);
  if ('e164' in reading) return reading.e164;
  const message = typed.trim().startsWith('+')
    ? reading.problem
    : `${reading.problem} Pour un autre pays, ajoutez l'indicatif, par exemple +225.`;
  throw new Failure('PHONE_INVALID', { message, issues: [{ path: 'beneficiaryPhoneNumber', message }] });
}

function fingerprintOf(request: TicketRequest, beneficiary: string): string {
  const wish = [
    request.serviceId,
    request.servicePath.map((step) => step.id),
    beneficiary,
    request.paymentTypeName.toLowerCase(),
    request.totalPrice,
    request.userPrice ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(wish)).digest('hex');
}

/** The final service and its path, as they are now and stay until the ticket is written. */
async function requirePath(tx: Db, request: TicketRequest) {
  await shareTree(tx);
  const service = await findService(tx, request.serviceId);
  const path = await listPath(tx, request.serviceId);
  if (!service?.isFinalLevel || !isOpen(path)) throw new Failure('SERVICE_UNAVAILABLE');
  const claimed = request.servicePath.map((step) => step.id).join('/');
  if (claimed !== path.map((step) => step.id).join('/')) throw new Failure('PATH_CHANGED');
  return { service, path };
}

function requirePrice(
  service: CataloguedService,
  path: readonly { price: string | null }[],
  request: TicketRequest,
): Price {
  const rule = commissionRuleOf(service);
  const amount = service.allowUserPriceInput
    ? (request.userPrice ?? solveAmount(request.totalPrice, rule))
    : listedAmount(path);
  if (amount === undefined) throw new Failure('PRICE_INVALID');
  const price = priceOf(amount, rule);
  if (price.total !== request.totalPrice) throw new Failure('PRICE_CHANGED', { expectedTotal: price.total });
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
