import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { reorderServices as reorderServicesEndpoint } from '#contract/catalogue.ts';
import { Failure } from '#contract/failure.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type CataloguedService, listChildren, lockCatalogue, updateServiceRows } from './store.ts';

/** Between two neighbours, so that another one can be put there by hand. */
const step = 10;

/** Orders the services under a parent, or the roots. Throws ORDER_CHANGED for others, CHANGED_MEANWHILE. */
export async function reorderServices(
  write: AuditedWrite,
  { parentId, ids, expectedIds }: z.output<typeof reorderServicesEndpoint.body>,
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
    if (expectedIds) {
      const seen = before.map(({ id }) => id).filter((id) => expectedIds.includes(id));
      if (!isDeepStrictEqual(seen, expectedIds)) throw new Failure('CHANGED_MEANWHILE');
    }
    // A service that keeps its number is not changed, and what others write of it is not refused.
    const numberOf = new Map(before.map(({ id, sortOrder }) => [id, sortOrder]));
    const rows = ids.map((id, index) => ({ id, sortOrder: (index + 1) * step }));
    await updateServiceRows(
      tx,
      rows.filter(({ id, sortOrder }) => numberOf.get(id) !== sortOrder),
    );
    if (parentId !== null) note({ target: parentId });
    return listChildren(tx, parentId);
  });
}
