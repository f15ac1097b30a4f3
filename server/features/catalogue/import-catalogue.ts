import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  type importCatalogue as importCatalogueEndpoint,
  type NewService,
  newService,
  serviceChange,
} from '#contract/catalogue.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { maximumLevel } from '#contract/shapes.ts';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { catalogueLimits } from '#server/process/limits.ts';
import {
  type FileColumn,
  type FileError,
  type FileRow,
  fieldColumns,
  fieldFormats,
  importSentences,
  readCatalogueFile,
} from './catalogue-file.ts';
import { finalWithChildren, requirePercentage, tooDeep, underItself } from './service-checks.ts';
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

/** A service as the file leaves it. */
interface Planned {
  /** What is stored now; nothing for a new one. */
  current: CataloguedService | undefined;
  /** The line that names it, if one does. */
  row: FileRow | undefined;
  fields: Fields;
  parent: Planned | null;
}

/** Writes all services of a CSV file, or none where a line is wrong or for a dry run. The answer lists what is wrong. */
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
    return { ...counts, written, errors: firstOf(errors) };
  });
}

function firstOf(errors: FileError[]): FileError[] {
  const more = errors.length - catalogueLimits.toldErrors;
  const told = errors.slice(0, catalogueLimits.toldErrors);
  const line = told.at(-1)?.line ?? 1;
  return more > 0 ? [...told, { line, column: null, message: importSentences.moreErrors(more) }] : told;
}

type Plan = ReturnType<typeof planImport>;

/** In few statements, since orders wait for the catalogue meanwhile; places in one, since the keys are checked at its end. */
async function writePlan(tx: Db, { created, updated, changed }: Plan): Promise<void> {
  const rowOf = (service: Planned) => {
    const { commissionRanges: _, ...fields } = service.fields;
    return { ...fields, parentId: service.parent?.current?.id ?? null, level: wayUp(service).length };
  };
  const idOf = ({ current }: Planned) => current?.id as number;
  await updateServiceRows(
    tx,
    changed.map((service) => ({ ...rowOf(service), id: idOf(service) })),
  );
  const newIds = await insertServices(
    tx,
    created.map((service) => ({ ...rowOf(service), pictureUrl: null })),
  );
  const ids = [...updated.map(idOf), ...newIds];
  const ranges = [...updated, ...created].map(({ fields }, place) => [ids[place] as number, fields.commissionRanges]);
  await replaceRangesOf(tx, new Map(ranges as [number, Fields['commissionRanges']][]));
}

/** What the lines of a file make of the catalogue, judged together, in whatever order they stand. */
function planImport(rows: readonly FileRow[], stored: readonly CataloguedService[]) {
  const cells = new Map<string, FileError>();
  /** The first fault of a cell is told. */
  const refuse = ({ line }: FileRow, column: FileColumn, message: string) => {
    const key = `${line} ${column}`;
    if (!cells.has(key)) cells.set(key, { line, column, message });
  };
  /** Refuses the cell by the sentence of the failure that a check throws. */
  const attempt = <T>(row: FileRow, column: FileColumn, check: () => T): T | undefined => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refuse(row, column, error.message);
      return undefined;
    }
  };

  const known = new Map<number, Planned>();
  // Parents come before their children.
  for (const current of stored) {
    const parent = (current.parentId !== null && known.get(current.parentId)) || null;
    known.set(current.id, { current, row: undefined, fields: fieldsOf(current), parent });
  }

  /** The service that a line names, or a new one; nothing where the line cannot be right. */
  const findNamed = (row: FileRow): Planned | undefined => {
    const cell = row.cells.get('id')?.trim();
    if (!cell) return { current: undefined, row, fields: noFields, parent: null };
    const found = known.get(readId(cell));
    if (found && !found.row) return Object.assign(found, { row });
    const { idTwice, unknownService, notAnId } = importSentences;
    refuse(row, 'id', found?.row ? idTwice(found.row.line) : /^\d+$/.test(cell) ? unknownService : notAnId);
    return undefined;
  };

  /** What the service is to be, by the schema and the rules of the calls that create or change one. */
  const readFields = (row: FileRow, { current, fields }: Planned): Fields => {
    const given: Record<string, unknown> = current ? {} : { name: '' };
    for (const column of fieldColumns) {
      const cell = row.cells.get(column);
      const { mayBeEmpty, read } = fieldFormats[column];
      if (cell === undefined) continue;
      if (mayBeEmpty || cell.trim() !== '')
        attempt(row, column, () => {
          given[column] = read(cell);
        });
      // Of a new service it says nothing, and there is a default; what is there already is not made up anew.
      else if (current) refuse(row, column, importSentences.cannotBeEmpty);
    }
    const parsed = z.safeParse<typeof newService | typeof serviceChange>(current ? serviceChange : newService, given);
    for (const { path, message } of parsed.error?.issues ?? []) refuse(row, path[0] as FileColumn, message);
    if (!parsed.data) return fields;
    const { parentId: _, level: __, removeImage: ___, ...said } = parsed.data;
    const read = { ...fields, ...said };
    attempt(row, 'commissionValue', () => requirePercentage(read));
    return { ...read, commissionRanges: read.commissionRanges.toSorted((one, other) => one.minPrice - other.minPrice) };
  };

  const named = rows.flatMap((row) => {
    const service = findNamed(row);
    if (!service) return [];
    service.fields = readFields(row, service);
    const cell = row.cells.get('parent')?.trim();
    const parent = cell ? known.get(readId(cell)) : null;
    if (cell !== undefined && parent !== undefined) service.parent = parent;
    else if (cell) refuse(row, 'parent', /^\d+$/.test(cell) ? failureSentences.unknownParent : importSentences.notAnId);
    return service;
  });
  const created = named.filter(({ current }) => !current);
  for (const service of [...known.values(), ...created]) {
    const way = wayUp(service);
    const moved = way.find(isHungAnew)?.row;
    const isUnderItself = way.indexOf(service, 1) > 0;
    // What only hangs on a circle is as it may be.
    if (moved && way.length > maximumLevel && (isUnderItself || new Set(way).size === way.length))
      refuse(moved, 'parent', (isUnderItself ? underItself() : tooDeep()).message);
    if (!service.parent?.fields.isFinalLevel) continue;
    const [row, column] = isHungAnew(service)
      ? [service.row, 'parent' as const]
      : [service.parent.row, 'isFinalLevel' as const];
    if (row) refuse(row, column, finalWithChildren().message);
  }
  const isOther = (service: Planned) =>
    isHungAnew(service) || !isDeepStrictEqual(service.fields, service.current && fieldsOf(service.current));
  return {
    created,
    updated: named.filter((service) => service.current && isOther(service)),
    /** Also what only hangs below another level than before. */
    changed: [...known.values()].filter((each) => isOther(each) || wayUp(each).length !== each.current?.level),
    errors: [...cells.values()].toSorted((one, other) => one.line - other.line),
  };
}

/** The id in a cell; no id for anything else. */
const readId = (cell: string) => (/^\d+$/.test(cell) ? Number(cell) : Number.NaN);

/** A service and what is above it, as far as one level more than there may be. */
function wayUp(service: Planned): Planned[] {
  const way = [service];
  for (let above = service.parent; above && way.length <= maximumLevel; above = above.parent) way.push(above);
  return way;
}

const isHungAnew = ({ current, parent }: Planned) =>
  current === undefined || (parent?.current?.id ?? null) !== current.parentId;

function fieldsOf(service: CataloguedService): Fields {
  const { id, pictureUrl, level, parentId, parentLevel, createdAt, updatedAt, ranges, ...fields } = service;
  return { ...fields, commissionRanges: rangesOf({ ranges }) };
}

/** Stand in for those of a new service whose line is wrong, and are never written. */
const { parentId: _, level: __, removeImage: ___, ...noFields } = newService.parse({ name: '?' });
