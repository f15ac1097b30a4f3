import type * as z from 'zod/mini';
import type { createPaymentType as createPaymentTypeEndpoint } from '#contract/payment-types.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import { requireImageFromHere } from '#server/features/uploads/require-image-from-here.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { insertPaymentType, type PaymentTypeRow } from './store.ts';

/** Throws INVALID for a picture that was not uploaded here, PAYMENT_TYPE_TAKEN. */
export async function createPaymentType(
  { images }: ImageTools,
  write: AuditedWrite,
  fields: z.output<typeof createPaymentTypeEndpoint.body>,
): Promise<PaymentTypeRow> {
  await requireImageFromHere(images, fields.pictureUrl);
  return write(async (tx, note) => {
    const created = await insertPaymentType(tx, fields);
    note({ target: created.id });
    return created;
  });
}
