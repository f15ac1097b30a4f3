import { newService } from '#contract/catalogue-edits.ts';
import type { Db } from '#server/database/connect.ts';
import { doOnce } from '#server/database/store.ts';
import { insertService, listAllServices, replaceRanges } from '#server/features/catalogue/store.ts';
import { createContentPage, listContentPages, lockPageBackground } from '#server/features/pages/store.ts';
import { insertDialTemplate } from '#server/features/payment-types/dial-templates-store.ts';
import { insertPaymentType, listPaymentTypes } from '#server/features/payment-types/store.ts';
import { type StarterService, starterCatalogue, starterPaymentTypes } from './catalogue.ts';
import { starterPages } from './pages.ts';

/** Writes the starter catalogue, payment types, pages and background, once; answers whether this call did. */
export async function writeStarterData(db: Db): Promise<boolean> {
  return doOnce(db, 'starter-data', async (tx) => {
    // A database that came with a catalogue of its own, restored or imported, keeps what it has.
    if ((await listAllServices(tx)).length === 0) await insertTree(tx, starterCatalogue, null, 1);
    if ((await listPaymentTypes(tx, { all: true })).length === 0)
      for (const { templates = [], ...paymentType } of starterPaymentTypes) {
        const { id: paymentTypeId } = await insertPaymentType(tx, paymentType);
        for (const template of templates) await insertDialTemplate(tx, { ...template, paymentTypeId });
      }
    if ((await listContentPages(tx)).length === 0)
      for (const page of starterPages) await createContentPage(tx, { ...page, isActive: true });
    // Where none is, it writes the defaults.
    await lockPageBackground(tx);
  });
}

async function insertTree(tx: Db, level: StarterService[], parentId: number | null, depth: number): Promise<void> {
  for (const [index, { children, ...given }] of level.entries()) {
    const { removeImage: _, commissionRanges, ...fields } = newService.parse({ ...given, parentId, sortOrder: index });
    const id = await insertService(tx, { ...fields, level: depth, pictureUrl: null });
    await replaceRanges(tx, id, commissionRanges);
    await insertTree(tx, children ?? [], id, depth + 1);
  }
}
