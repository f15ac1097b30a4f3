import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { reorderServices as reorderServicesEndpoint } from '#contract/catalogue-edits.ts';
import { Failure } from '#contract/failure.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type CataloguedService, listChildren, lockCatalogue, updateServiceRows } from './store.ts';

/** Distance between neighbours, so that another service can be put between them by hand. */
const step = 10;

/** Orders the services under a parent, or the roots. Throws ORDER_CHANGED if the ids are not those of the place, and CHANGED_MEANWHILE. */
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
    // A service that keeps its number is not written, so that other edits of it are not refused.
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
