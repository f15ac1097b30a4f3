import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { updatePaymentType as updatePaymentTypeEndpoint } from '#contract/payment-types.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import { requireImage } from '#server/features/uploads/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockPaymentType, type PaymentTypeRow, updatePaymentTypeRow } from './store.ts';

type Body = z.output<typeof updatePaymentTypeEndpoint.body>;
type Change = Omit<Body, 'expectedUpdatedAt'>;

/** Throws PAYMENT_TYPE_NOT_FOUND, PAYMENT_TYPE_TAKEN, CHANGED_MEANWHILE, INVALID for a foreign picture. */
export async function updatePaymentType(
  write: AuditedWrite,
  id: number,
  { expectedUpdatedAt, ...change }: Body,
): Promise<PaymentTypeRow> {
  return write(async (tx, note) => {
    const before = await lockPaymentType(tx, id);
    const names = Object.keys(change) as (keyof Change)[];
    const changed = names.filter((name) => !isDeepStrictEqual(before[name], change[name]));
    if (changed.length === 0) {
      note({ unchanged: true });
      return before;
    }
    requireUnchanged(before.updatedAt, expectedUpdatedAt);
    // A form sends back what it got, also where the image is lost.
    if (changed.includes('pictureUrl')) await requireImage(tx, change.pictureUrl);
    const after = await updatePaymentTypeRow(tx, id, change);
    note({ before: Object.fromEntries(changed.map((name) => [name, plain(before[name])])) });
    return after;
  });
}

/** As the audit log keeps it: the countries in one line. */
const plain = (value: PaymentTypeRow[keyof Change]) => (Array.isArray(value) ? value.join(' ') : value);
