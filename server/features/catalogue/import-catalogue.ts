import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { CatalogueColumn } from '#contract/catalogue-columns.ts';
import type { importCatalogue as importCatalogueEndpoint } from '#contract/catalogue-edits.ts';
import { type NewService, newService, serviceChange } from '#contract/catalogue-edits.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import {
  catalogueLimits,
  type FileError,
  type FileRow,
  fieldColumns,
  fieldFormats,
  importSentences,
  readCatalogueFile,
} from './catalogue-file.ts';
import { finalWithChildren, levelUnder, requirePercentage } from './service-checks.ts';
import {
  type CataloguedService,
  insertServices,
  listAllServices,
  lockCatalogue,
  rangesOf,
  replaceRangesOf,
  updateServiceRows,
} from './store.ts';

type ImportResult = z.output<typeof importCatalogueEndpoint.response>;
type Fields = Omit<NewService, 'parentId' | 'level' | 'removeImage'>;

/** A row of the file with the planned change of its service. */
interface Planned {
  row: FileRow;
  /** The stored service; undefined for a new one. */
  current: CataloguedService | undefined;
  parent: CataloguedService | null;
  fields: Fields;
}

/** Writes all services of a CSV file, or none if a row is wrong or for a dry run. The answer lists the errors. */
export async function importCatalogue(
  write: AuditedWrite,
  { csv, dryRun }: z.output<typeof importCatalogueEndpoint.body>,
): Promise<ImportResult> {
  const file = readCatalogueFile(csv);
  return write(async (tx, note) => {
    await lockCatalogue(tx);
    const plan = planImport(file.rows, await listAllServices(tx));
    const errors = [...file.errors, ...plan.errors];
    const isRight = errors.length === 0;
    const [created, updated] = isRight ? [plan.created.length, plan.updated.length] : [0, 0];
    const counts = { created, updated, unchanged: isRight ? file.rows.length - created - updated : 0 };
    const written = isRight && !dryRun;
    const changes = written && created + updated > 0;
    if (changes) await writePlan(tx, plan);
    note(changes ? { details: counts } : { unchanged: true });
    return { ...counts, written, errors: errors.slice(0, catalogueLimits.toldErrors) };
  });
}

type Plan = ReturnType<typeof planImport>;

/** Writes in few SQL statements, since orders wait for the catalogue meanwhile. */
async function writePlan(tx: Db, { created, updated }: Plan): Promise<void> {
  const rowOf = ({ fields: { commissionRanges: _, ...fields }, parent }: Planned) => ({
    ...fields,
    parentId: parent?.id ?? null,
    level: (parent?.level ?? 0) + 1,
  });
  const ids = updated.map(({ current }) => (current as CataloguedService).id);
  await updateServiceRows(
    tx,
    updated.map((planned, place) => ({ ...rowOf(planned), id: ids[place] as number })),
  );
  ids.push(
    ...(await insertServices(
      tx,
      created.map((planned) => ({ ...rowOf(planned), pictureUrl: null })),
    )),
  );
  const ranges = [...updated, ...created].map(({ fields }) => fields.commissionRanges);
  await replaceRangesOf(tx, new Map(ids.map((id, place) => [id, ranges[place] ?? []])));
}

/** Plans the changes of a file's rows together, in any order. */
function planImport(rows: readonly FileRow[], stored: readonly CataloguedService[]) {
  const known = new Map(stored.map((service) => [service.id, service]));
  const { refuse, attempt, errors } = collectErrors();

  const lineOf = new Map<number, number>();
  /** The service that a row names; undefined for a new one, null for a wrong row. */
  const findNamed = (row: FileRow): CataloguedService | undefined | null => {
    const cell = row.cells.get('id')?.trim();
    if (!cell) return undefined;
    const found = known.get(readId(cell));
    const { idTwice, unknownService, notAnId } = importSentences;
    const before = found && lineOf.get(found.id);
    if (before !== undefined) refuse(row, 'id', idTwice(before));
    else if (found) lineOf.set(found.id, row.line);
    else refuse(row, 'id', /^\d+$/.test(cell) ? unknownService : notAnId);
    return found && before === undefined ? found : null;
  };

  const findParent = (row: FileRow, current: CataloguedService | undefined): CataloguedService | null => {
    const cell = row.cells.get('parent')?.trim();
    const stays = current && current.parentId !== null ? (known.get(current.parentId) ?? null) : null;
    if (cell === undefined || (!cell && !current)) return stays;
    const parent = cell ? known.get(readId(cell)) : null;
    if (cell && !parent)
      refuse(row, 'parent', /^\d+$/.test(cell) ? failureSentences.unknownParent : importSentences.notAnId);
    else if (current && (parent?.id ?? null) !== current.parentId) refuse(row, 'parent', importSentences.notMoved);
    return parent ?? null;
  };

  const planned = rows.flatMap((row): Planned[] => {
    const current = findNamed(row);
    if (current === null) return [];
    return [{ row, current, fields: readFields(row, current, { refuse, attempt }), parent: findParent(row, current) }];
  });
  const isFinal = new Map(stored.map(({ id, isFinalLevel }) => [id, isFinalLevel]));
  for (const { current, fields } of planned) if (current) isFinal.set(current.id, fields.isFinalLevel);
  const parents = new Set(stored.map(({ parentId }) => parentId));
  for (const { row, current, fields, parent } of planned) {
    if (current && fields.isFinalLevel && parents.has(current.id))
      refuse(row, 'isFinalLevel', finalWithChildren().message);
    if (!current && parent)
      attempt(row, 'parent', () => levelUnder({ ...parent, isFinalLevel: isFinal.get(parent.id) ?? false }));
  }
  return {
    created: planned.filter(({ current }) => !current),
    updated: planned.filter(({ current, fields }) => current && !isDeepStrictEqual(fields, fieldsOf(current))),
    errors: errors(),
  };
}

/** Reads the service's fields, by the schema and rules of the calls that create or change one. */
function readFields(
  row: FileRow,
  current: CataloguedService | undefined,
  { refuse, attempt }: Pick<ReturnType<typeof collectErrors>, 'refuse' | 'attempt'>,
): Fields {
  const fields = current ? fieldsOf(current) : noFields;
  const given: Record<string, unknown> = current ? {} : { name: '' };
  for (const column of fieldColumns) {
    const cell = row.cells.get(column);
    const { mayBeEmpty, read } = fieldFormats[column];
    if (cell === undefined) continue;
    if (mayBeEmpty || cell.trim() !== '')
      attempt(row, column, () => {
        given[column] = read(cell);
      });
    // New services get a default; existing services keep their value.
    else if (current) refuse(row, column, importSentences.cannotBeEmpty);
  }
  const parsed = z.safeParse<typeof newService | typeof serviceChange>(current ? serviceChange : newService, given);
  for (const { path, message } of parsed.error?.issues ?? []) refuse(row, path[0] as CatalogueColumn, message);
  if (!parsed.data) return fields;
  const { parentId: _, level: __, removeImage: ___, ...said } = parsed.data;
  const read = { ...fields, ...said };
  attempt(row, 'commissionValue', () => requirePercentage(read));
  return { ...read, commissionRanges: read.commissionRanges.toSorted((one, other) => one.minPrice - other.minPrice) };
}

/** Collects the errors of a file, the first of each cell. */
function collectErrors() {
  const cells = new Map<string, FileError>();
  const refuse = ({ line }: FileRow, column: CatalogueColumn, message: string) => {
    const key = `${line} ${column}`;
    if (!cells.has(key)) cells.set(key, { line, column, message });
  };
  /** Refuses the cell with the sentence of the failure that a check throws. */
  const attempt = (row: FileRow, column: CatalogueColumn, check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refuse(row, column, error.message);
    }
  };
  return { refuse, attempt, errors: () => [...cells.values()].toSorted((one, other) => one.line - other.line) };
}

/** The id in a cell; NaN for anything else. */
const readId = (cell: string) => (/^\d+$/.test(cell) ? Number(cell) : Number.NaN);

function fieldsOf(service: CataloguedService): Fields {
  const { id, pictureUrl, level, parentId, parentLevel, createdAt, updatedAt, ranges, ...fields } = service;
  return { ...fields, commissionRanges: rangesOf({ ranges }) };
}

/** Placeholder fields for a new service with a wrong row; they are never written. */
const { parentId: _, level: __, removeImage: ___, ...noFields } = newService.parse({ name: '?' });
