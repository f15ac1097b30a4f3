import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { importCatalogue as importCatalogueEndpoint } from '#contract/catalogue.ts';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { catalogueLimits } from '#server/process/limits.ts';
import { type FileError, importSentences, readCatalogueFile } from './catalogue-file.ts';
import { type ImportPlan, type PlannedService, planImport } from './import-plan.ts';
import {
  insertServices,
  listAllServices,
  lockCatalogue,
  rangesOf,
  replaceRangesOf,
  updateServiceRows,
} from './store.ts';

type ImportResult = z.output<typeof importCatalogueEndpoint.response>;

/** Takes back what a dry run wrote, and brings out what it found. */
class DryRun extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super('a dry run');
    this.result = result;
  }
}

/** Writes all services of a CSV file, or none where a line is wrong or for a dry run. The answer lists wrong lines. */
export async function importCatalogue(
  write: AuditedWrite,
  { csv, dryRun }: z.output<typeof importCatalogueEndpoint.body>,
): Promise<ImportResult> {
  const file = readCatalogueFile(csv);
  try {
    return await write(async (tx, note) => {
      await lockCatalogue(tx);
      const plan = planImport(file.rows, await listAllServices(tx));
      const errors = [...file.errors, ...plan.errors];
      const counts = { created: plan.created.length, updated: plan.updated.length, unchanged: plan.unchanged };
      const changes = errors.length === 0 && counts.created + counts.updated > 0;
      if (changes) await writePlan(tx, plan);
      const result = { ...counts, written: errors.length === 0 && !dryRun, errors: firstOf(errors) };
      if (dryRun) throw new DryRun(result);
      note(changes ? { details: counts } : { unchanged: true });
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.result;
    throw error;
  }
}

/** In few statements, since orders wait for the catalogue meanwhile. */
async function writePlan(tx: Db, { created, updated, placed }: ImportPlan): Promise<void> {
  // All are roots at first: where they belong may still be on its way to its own place.
  const roots = created.map(({ fields: { commissionRanges: _, ...fields } }) => ({
    ...fields,
    parentId: null,
    level: 1,
    pictureUrl: null,
  }));
  const newIds = await insertServices(tx, roots);
  const idOfNew = new Map(created.map((service, index) => [service, newIds[index]]));
  const idOf = (service: PlannedService) => (service.current?.id ?? idOfNew.get(service)) as number;
  const rows = updated.map((service) => {
    const { commissionRanges: _, ...fields } = service.fields;
    return { ...fields, id: idOf(service) };
  });
  await updateServiceRows(tx, rows);
  const withOtherRanges = [...created, ...updated].filter(
    ({ current, fields }) => !isDeepStrictEqual(current ? rangesOf(current) : [], fields.commissionRanges),
  );
  await replaceRangesOf(tx, new Map(withOtherRanges.map((each) => [idOf(each), each.fields.commissionRanges])));
  const places = placed.map((service) => ({
    id: idOf(service),
    parentId: service.parent && idOf(service.parent),
    level: service.level,
  }));
  await updateServiceRows(tx, places);
}

function firstOf(errors: FileError[]): FileError[] {
  const told = errors.slice(0, catalogueLimits.toldErrors);
  const last = told.at(-1);
  if (!last || told.length === errors.length) return told;
  return [...told, { line: last.line, column: null, message: importSentences.moreErrors(errors.length - told.length) }];
}
