import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { updatePaymentType as updatePaymentTypeEndpoint } from '#contract/payment-types.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import { deleteImageIfUnused, type ImageTools, requireImageFromHere } from '#server/features/uploads/stored-images.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockPaymentType, type PaymentTypeRow, updatePaymentTypeRow } from './store.ts';

type Body = z.output<typeof updatePaymentTypeEndpoint.body>;
type Change = Omit<Body, 'expectedUpdatedAt'>;

/** Throws PAYMENT_TYPE_NOT_FOUND, PAYMENT_TYPE_TAKEN, CHANGED_MEANWHILE, INVALID for a foreign picture. */
export async function updatePaymentType(
  tools: ImageTools,
  write: AuditedWrite,
  id: number,
  { expectedUpdatedAt, ...change }: Body,
): Promise<PaymentTypeRow> {
  // Before the row is locked: a bucket far away may be slow to tell. Of a picture that stays nobody asks whether it is there.
  const missing = await requireImageFromHere(tools.images, change.pictureUrl).catch((error: unknown) => ({ error }));
  const { before, after } = await write(async (tx, note) => {
    const before = await lockPaymentType(tx, id);
    const names = Object.keys(change) as (keyof Change)[];
    const changed = names.filter((name) => !isDeepStrictEqual(before[name], change[name]));
    if (changed.length === 0) {
      note({ unchanged: true });
      return { before, after: before };
    }
    requireUnchanged(before.updatedAt, expectedUpdatedAt);
    if (missing && changed.includes('pictureUrl')) throw missing.error;
    const after = await updatePaymentTypeRow(tx, id, change);
    note({ before: Object.fromEntries(changed.map((name) => [name, plain(before[name])])) });
    return { before, after };
  });
  if (before.pictureUrl && before.pictureUrl !== after.pictureUrl) await deleteImageIfUnused(tools, before.pictureUrl);
  return after;
}

/** As the audit log keeps it: the countries in one line. */
const plain = (value: PaymentTypeRow[keyof Change]) => (Array.isArray(value) ? value.join(' ') : value);
