import type { Service } from '#contract/catalogue.ts';
import { fold } from '#contract/fold.ts';
import type { Ticket } from '#contract/tickets.ts';
import { pathsOf, type ServicePath } from '#web/catalogue/service-paths.ts';

type Order = Pick<Ticket, 'status' | 'servicePath' | 'beneficiaryPhoneNumber'>;

const serviceOf = ({ servicePath }: Pick<Order, 'servicePath'>) => servicePath.at(-1)?.id;
const isWaiting = ({ status }: Pick<Order, 'status'>) => status === 'pending';

const keyOf = (order: Order) => `${serviceOf(order)} ${order.beneficiaryPhoneNumber}`;

/**
 * The newest approved orders of a list sorted newest first, each with another service or another beneficiary. None is
 * equal to one that waits, which would be paid twice.
 */
export function lastOrders<O extends Order>(orders: readonly O[], most: number): O[] {
  const seen = new Set(orders.filter(isWaiting).map(keyOf));
  const different = orders.filter((order) => {
    const key = keyOf(order);
    return order.status === 'approved' && serviceOf(order) !== undefined && !seen.has(key) && seen.add(key);
  });
  return different.slice(0, most);
}

/** The orders of a list sorted newest first that were rejected since an instant in milliseconds, and not made again. */
export function ordersToMend<O extends Order & Pick<Ticket, 'updatedAt'>>(orders: readonly O[], since: number): O[] {
  const made = new Set<string>();
  return orders.filter((order) => {
    const key = keyOf(order);
    const isMade = made.has(key);
    made.add(key);
    return order.status === 'rejected' && !isMade && Date.parse(order.updatedAt) >= since;
  });
}

type Waiting = Pick<Ticket, 'status' | 'dialCode' | 'paymentDeclaredAt'>;

/** The tickets that wait, in their order: those with a code still to dial, those said to be paid, and those without a code. */
export function splitWaiting<T extends Waiting>(tickets: readonly T[]): { toPay: T[]; declared: T[]; uncoded: T[] } {
  const waiting = tickets.filter(isWaiting);
  const open = waiting.filter(({ paymentDeclaredAt }) => !paymentDeclaredAt);
  return {
    toPay: open.filter(({ dialCode }) => dialCode),
    declared: waiting.filter(({ paymentDeclaredAt }) => paymentDeclaredAt),
    uncoded: open.filter(({ dialCode }) => !dialCode),
  };
}

const demandOf = (path: ServicePath) => path.at(-1)?.demand ?? Number.MAX_SAFE_INTEGER;

/** The final service most asked for below each family, of that country where the family has one. */
export function suggestServices(catalogue: readonly Service[], country: string, most: number): ServicePath[] {
  const isOf = (path: ServicePath) => path.some(({ name }) => fold(name) === fold(country));
  const paths = pathsOf(catalogue).filter((path) => path.at(-1)?.isFinalLevel);
  // One that is final is one tap away already.
  const families = catalogue.filter(({ parentId, isFinalLevel }) => parentId === null && !isFinalLevel);
  const suggested = families.map((family) => {
    const below = paths.filter((path) => path[0] === family);
    const own = below.filter(isOf);
    return [...(own.length > 0 ? own : below)].sort((a, b) => demandOf(a) - demandOf(b))[0];
  });
  return suggested.filter((path) => path !== undefined).slice(0, most);
}
