import { deleteImageIfUnused } from '#server/features/uploads/delete-image-if-unused.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { deletePaymentTypeRow } from './store.ts';

/** Deletes a payment type with its picture; tickets keep its name. Throws PAYMENT_TYPE_NOT_FOUND. */
export async function deletePaymentType(tools: ImageTools, write: AuditedWrite, id: number): Promise<void> {
  const gone = await write(async (tx, note) => {
    const row = await deletePaymentTypeRow(tx, id);
    note({ before: { name: row.name } });
    return row;
  });
  if (gone.pictureUrl) await deleteImageIfUnused(tools, gone.pictureUrl);
}
