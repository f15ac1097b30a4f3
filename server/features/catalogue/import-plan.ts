import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { type NewService, newService, serviceChange } from '#contract/catalogue.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { maximumLevel } from '#contract/shapes.ts';
import {
  type FileColumn,
  type FileError,
  type FileRow,
  fieldColumns,
  formatOf,
  importSentences,
} from './catalogue-file.ts';
import { finalWithChildren, levelUnder, requirePercentage, tooDeep, underItself } from './service-checks.ts';
import { type CataloguedService, rangesOf } from './store.ts';

/** What a line of the file says of a service besides its place. */
export type PlannedFields = Omit<NewService, 'parentId' | 'level' | 'removeImage'>;

/** A service as the file leaves it. */
export interface PlannedService {
  /** What is stored now; nothing for a new one. */
  current: CataloguedService | undefined;
  /** The line that names it; a new one has one. */
  row: FileRow | undefined;
  fields: PlannedFields;
  parent: PlannedService | null;
  level: number;
}

type NamedService = PlannedService & { row: FileRow };

/** Whether its line hangs a service where it does not hang yet. */
function isHungAnew(service: PlannedService): service is NamedService {
  const { current, parent } = service;
  return current === undefined || (parent === null ? null : parent.current?.id) !== current.parentId;
}

type ImportRefusals = ReturnType<typeof collectRefusals>;

export function collectRefusals() {
  const errors: FileError[] = [];
  const rows = new Set<FileRow>();
  const refuse = (row: FileRow, column: FileColumn, message: string): void => {
    errors.push({ line: row.line, column, message });
    rows.add(row);
  };
  return {
    errors,
    refuse,
    /** Refuses a line by the sentence of the failure that a check throws. */
    attempt(row: FileRow, column: FileColumn, check: () => void): void {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refuse(row, column, error.message);
      }
    },
    isRefused: (row: FileRow) => rows.has(row),
  };
}

/** Finds the level of every service and refuses lines that break the catalogue's rules, judged together. */
export function checkPlannedTree(services: readonly PlannedService[], refusals: ImportRefusals): void {
  const children = Map.groupBy(services, ({ parent }) => parent);
  const reached = new Set(children.get(null));
  const carriers = new Map<PlannedService, NamedService>();
  for (const service of reached) {
    const carrier = isHungAnew(service) ? service : service.parent && carriers.get(service.parent);
    if (carrier) carriers.set(service, carrier);
    service.level = (service.parent?.level ?? 0) + 1;
    if (carrier === service) checkPlace(carrier, refusals);
    else if (carrier && service.level > maximumLevel && !refusals.isRefused(carrier.row))
      refusals.refuse(carrier.row, 'parent', tooDeep().message);
    for (const child of children.get(service) ?? []) reached.add(child);
  }
  const inCircles = findCircles(services.filter((service) => !reached.has(service)));
  for (const service of services) {
    const below = children.get(service) ?? [];
    if (becomesFinal(service) && !below.every(isHungAnew))
      refusals.refuse(service.row, 'isFinalLevel', finalWithChildren().message);
    if (inCircles.has(service) && isHungAnew(service)) refusals.refuse(service.row, 'parent', underItself().message);
  }
}

function checkPlace({ row, parent }: NamedService, { refuse, attempt, isRefused }: ImportRefusals): void {
  if (parent?.row && isRefused(parent.row)) refuse(row, 'parent', importSentences.parentRefused(parent.row.line));
  else
    attempt(row, 'parent', () => {
      levelUnder(parent && { level: parent.level, isFinalLevel: parent.fields.isFinalLevel });
    });
}

function becomesFinal(service: PlannedService): service is NamedService {
  return service.fields.isFinalLevel && service.current?.isFinalLevel === false;
}

/** The services whose way up comes back to them. Each is walked over once, however long a circle is and whatever hangs on it. */
function findCircles(services: readonly PlannedService[]): Set<PlannedService> {
  const seen = new Set<PlannedService>();
  const found = new Set<PlannedService>();
  for (const service of services) {
    const way: PlannedService[] = [];
    let at: PlannedService | null = service;
    for (; at && !seen.has(at); at = at.parent) {
      seen.add(at);
      way.push(at);
    }
    const from = at ? way.indexOf(at) : -1;
    if (from >= 0) for (const each of way.slice(from)) found.add(each);
  }
  return found;
}

export interface ImportPlan {
  created: PlannedService[];
  updated: PlannedService[];
  /** How many lines say what is stored already. */
  unchanged: number;
  /** Whatever gets a place, another one, or another level: also what only hangs below. */
  placed: PlannedService[];
  /** By line. With one of them nothing may be written. */
  errors: FileError[];
}

/** What the lines of a file make of the catalogue, in whatever order they stand. */
export function planImport(rows: readonly FileRow[], stored: readonly CataloguedService[]): ImportPlan {
  const refusals = collectRefusals();
  const byKey = planStored(stored);
  const named = rows.flatMap((row) => planRow(row, byKey, refusals) ?? []);
  for (const { service, row } of named) readParent(service, row, byKey, refusals);
  const services = [...new Set([...byKey.values(), ...named.map(({ service }) => service)])];
  checkPlannedTree(services, refusals);
  const right = named.filter(({ row }) => !refusals.isRefused(row)).map(({ service }) => service);
  const created = right.filter(({ current }) => !current);
  const updated = right.filter(
    (service) =>
      service.current && (isHungAnew(service) || !isDeepStrictEqual(service.fields, fieldsOf(service.current))),
  );
  return {
    created,
    updated,
    unchanged: right.length - created.length - updated.length,
    placed: services.filter((service) => isHungAnew(service) || service.level !== service.current?.level),
    errors: refusals.errors.toSorted((one, other) => one.line - other.line),
  };
}

/** The catalogue as it is, by the text of each id. */
function planStored(stored: readonly CataloguedService[]): Map<string, PlannedService> {
  const byKey = new Map<string, PlannedService>();
  // Parents come before their children.
  for (const current of stored)
    byKey.set(String(current.id), {
      current,
      row: undefined,
      fields: fieldsOf(current),
      parent: byKey.get(String(current.parentId)) ?? null,
      level: current.level,
    });
  return byKey;
}

function fieldsOf(service: CataloguedService): PlannedFields {
  const { id, pictureUrl, level, parentId, parentLevel, createdAt, updatedAt, ranges, ...fields } = service;
  return { ...fields, commissionRanges: rangesOf({ ranges }) };
}

/** Stand in for those of a new service whose line is wrong, and are never written. */
const noFields = withoutPlace(newService.parse({ name: '?' }));

function withoutPlace<T extends object>(data: T): Omit<T, 'parentId' | 'level' | 'removeImage'> {
  const { parentId: _, level: __, removeImage: ___, ...fields } = data as T & Record<string, unknown>;
  return fields as Omit<T, 'parentId' | 'level' | 'removeImage'>;
}

/** The service that a line names, with what the line says of it; nothing where it names none. */
function planRow(
  row: FileRow,
  byKey: Map<string, PlannedService>,
  refusals: ImportRefusals,
): { service: PlannedService; row: FileRow } | undefined {
  const key = keyIn(row.cells.get('id'));
  const known = key ? byKey.get(key) : undefined;
  const problem = idProblem(key, known);
  if (problem) {
    refusals.refuse(row, 'id', problem);
    return undefined;
  }
  const service = known ?? { current: undefined, row, fields: noFields, parent: null, level: 1 };
  if (key) byKey.set(key, service);
  service.row = row;
  service.fields = readFields(row, service, refusals) ?? service.fields;
  return { service, row };
}

function idProblem(key: string | undefined, known: PlannedService | undefined): string | undefined {
  if (key === undefined) return importSentences.notAnId;
  if (known?.row) return importSentences.idTwice(known.row.line);
  return /^\d/.test(key) && !known ? importSentences.unknownService : undefined;
}

/** An id as the texts of ids are compared, `@key`, or empty; nothing for anything else. */
function keyIn(cell = ''): string | undefined {
  const text = cell.trim();
  if (text === '' || /^@\S+$/.test(text)) return text;
  return /^\d{1,10}$/.test(text) ? String(Number(text)) : undefined;
}

/** What the service is to be, by the schema and the rules of the calls that create or change one. */
function readFields(
  row: FileRow,
  { current, fields }: PlannedService,
  { refuse, attempt, isRefused }: ImportRefusals,
): PlannedFields | undefined {
  const given: Record<string, unknown> = current ? {} : { name: '' };
  for (const column of fieldColumns) {
    const cell = row.cells.get(column);
    const { mayBeEmpty, read } = formatOf(column);
    if (cell === undefined) continue;
    if (mayBeEmpty || cell.trim() !== '')
      attempt(row, column, () => {
        given[column] = read(cell);
      });
    // Of a new service it says nothing, and there is a default; what is there already is not made up anew.
    else if (current) refuse(row, column, importSentences.cannotBeEmpty);
  }
  const parsed = z.safeParse<typeof newService | typeof serviceChange>(current ? serviceChange : newService, given);
  const issues = parsed.error?.issues ?? [];
  for (const [column, [first]] of Map.groupBy(issues, ({ path }) => path[0]))
    if (first) refuse(row, column as FileColumn, first.message);
  if (!parsed.success || isRefused(row)) return undefined;
  const data = { ...fields, ...withoutPlace(parsed.data) };
  attempt(row, 'commissionValue', () => requirePercentage(data));
  return { ...data, commissionRanges: data.commissionRanges.toSorted((one, other) => one.minPrice - other.minPrice) };
}

/** Hangs a service where its line says: a new one without a word is a root, and any other one stays. */
function readParent(
  service: PlannedService,
  row: FileRow,
  byKey: ReadonlyMap<string, PlannedService>,
  { refuse }: ImportRefusals,
): void {
  const cell = row.cells.get('parent');
  const key = keyIn(cell);
  if (cell === undefined) return;
  const parent = key === '' ? null : key && byKey.get(key);
  if (parent || parent === null) service.parent = parent;
  else if (!key) refuse(row, 'parent', importSentences.notAnId);
  else refuse(row, 'parent', key.startsWith('@') ? importSentences.unknownKey(key) : failureSentences.unknownParent);
}
