import { Failure } from '#contract/failure.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type CataloguedService, listChildren, lockCatalogue, updateServiceRows } from './store.ts';

/** Between two neighbours, so that another one can be put there by hand. */
const step = 10;

/**
 * Puts the services under a parent, or the roots, in an order; answers them in it. Throws ORDER_CHANGED unless they are
 * exactly the services there.
 */
export async function reorderServices(
  write: AuditedWrite,
  { parentId, ids }: { parentId: number | null; ids: readonly number[] },
): Promise<CataloguedService[]> {
  return write(async (tx, note) => {
    await lockCatalogue(tx);
    const before = await listChildren(tx, parentId);
    const named = new Set(ids);
    if (ids.length !== before.length || !before.every(({ id }) => named.has(id))) throw new Failure('ORDER_CHANGED');
    if (before.every(({ id }, index) => id === ids[index])) {
      note({ unchanged: true });
      return before;
    }
    await updateServiceRows(
      tx,
      ids.map((id, index) => ({ id, sortOrder: (index + 1) * step })),
    );
    if (parentId !== null) note({ target: parentId });
    return listChildren(tx, parentId);
  });
}
