import { and, asc, eq, getTableColumns, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { NewService } from '#contract/catalogue-edits.ts';
import { compareFrench } from '#contract/french-order.ts';
import { type CommissionRule, commissionRuleOf } from '#contract/pricing.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { columnsOf, requireRow } from '#server/database/rows.ts';
import type { ImageColumn } from '#server/features/uploads/store.ts';
import { commissionRanges, services } from './tables.ts';

export const servicePictures: ImageColumn = { table: services, column: services.pictureUrl };

export type ServiceRow = typeof services.$inferSelect;
type ServiceRange = Pick<
  typeof commissionRanges.$inferSelect,
  'minPrice' | 'maxPrice' | 'commissionValue' | 'commissionType'
>;

/** A service with its commission ranges, the lowest first. */
export type CataloguedService = ServiceRow & { ranges: ServiceRange[] };

const ranges = sql<ServiceRange[]>`coalesce((
  select json_agg(json_build_object('minPrice', min_price, 'maxPrice', max_price, 'commissionValue', commission_value,
    'commissionType', commission_type) order by min_price)
  from commission_ranges where service_id = services.id), '[]')`;

/** A query of services with their ranges, to be filtered and ordered. */
function selectServices(db: Db) {
  return db.select({ ...getTableColumns(services), ranges }).from(services);
}

/** Sorts parents before children, and equal `sortOrder` by name. */
const inOrder = (rows: CataloguedService[]): CataloguedService[] =>
  rows.toSorted(
    (a, b) =>
      a.level - b.level ||
      a.sortOrder - b.sortOrder ||
      (a.parentId ?? 0) - (b.parentId ?? 0) ||
      compareFrench(a.name, b.name) ||
      a.id - b.id,
  );

/** A service and its ancestors: one join per level. A recursive query takes ten times as long. */
const upwards = (id: number | Placeholder): SQL => sql`(
  select above.id, above.is_visible from services s
  left join services a on a.id = s.parent_id left join services b on b.id = a.parent_id
  left join services c on c.id = b.parent_id left join services d on d.id = c.parent_id
  cross join lateral (values (s.id, s.is_visible), (a.id, a.is_visible), (b.id, b.is_visible), (c.id, c.is_visible),
    (d.id, d.is_visible)) above(id, is_visible)
  where s.id = ${id} and above.id is not null)`;

/** The visible services under a parent, or the visible roots. Under a hidden service, at any height, nothing is visible. */
export async function listVisibleServices(
  db: Db,
  { parentId }: { parentId?: number | undefined },
): Promise<CataloguedService[]> {
  const isHere =
    parentId === undefined
      ? isNull(services.parentId)
      : and(eq(services.parentId, parentId), sql`(select bool_and(up.is_visible) from ${upwards(parentId)} up)`);
  return inOrder(await selectServices(db).where(and(isHere, eq(services.isVisible, true))));
}

/** Visible services without a hidden ancestor: those that visitors reach. */
const reachable = sql`(
  with recursive reachable(id) as (
    select id from services where parent_id is null and is_visible
    union select child.id from services child join reachable on child.parent_id = reachable.id
    where child.is_visible
  ) select id from reachable)`;

/** Counts all services, and those that visitors reach. */
export async function countServices(db: Db): Promise<{ total: number; visible: number }> {
  return { total: await db.$count(services), visible: await db.$count(services, inArray(services.id, reachable)) };
}

/** The services that visitors reach, parents before children. */
export async function listReachableServices(db: Db): Promise<CataloguedService[]> {
  return inOrder(await selectServices(db).where(inArray(services.id, reachable)));
}

/** The services from the root to this one, with their ranges; empty for an unknown one. */
export async function readPlace(db: Db, id: number): Promise<CataloguedService[]> {
  return selectServices(db)
    .where(sql`${services.id} in (select up.id from ${upwards(id)} up)`)
    .orderBy(asc(services.level))
    .prepare('place')
    .execute();
}

/** A service of the path that a ticket is filed for. */
export type PlacedService = Omit<CataloguedService, 'createdAt' | 'updatedAt'>;

/** `readPlace` as part of another SQL statement: an array of `PlacedService`. */
export const placeOf = (id: Placeholder): SQL => sql`(
  select coalesce(json_agg(place order by place.level), '[]') from (
    select ${columnsOf(services)}, ${ranges} as ranges from services where id in (select up.id from ${upwards(id)} up)) place)`;

/** The services right under a parent, or the roots, hidden ones included. */
export async function listChildren(db: Db, parentId: number | null): Promise<CataloguedService[]> {
  const isHere = parentId === null ? isNull(services.parentId) : eq(services.parentId, parentId);
  return inOrder(await selectServices(db).where(isHere));
}

/** Every service, parents before children. */
export async function listAllServices(db: Db): Promise<CataloguedService[]> {
  return inOrder(await selectServices(db));
}

export function isPathVisible(path: readonly Pick<ServiceRow, 'isVisible'>[]): boolean {
  return path.length > 0 && path.every((service) => service.isVisible);
}

/** A service with its ranges, locked until the transaction ends. */
export async function lockService(db: Db, id: number): Promise<CataloguedService | undefined> {
  await db.execute(sql`select from services where id = ${id} for update`);
  return findService(db, id);
}

export async function findService(db: Db, id: number): Promise<CataloguedService | undefined> {
  const [found] = await selectServices(db).where(eq(services.id, id));
  return found;
}

export async function countChildren(db: Db, id: number): Promise<number> {
  return db.$count(services, eq(services.parentId, id));
}

/** Levels below this service that are in use: 0 for a leaf. */
export async function heightBelow(db: Db, id: number): Promise<number> {
  const below = sql`
    with recursive down(id, height) as (
      select id, 0 from services where id = ${id}
      union select child.id, down.height + 1 from services child join down on child.parent_id = down.id
    ) select coalesce(max(height), 0)::int as height from down`;
  return (await requireRow<{ height: number }>(db, below)).height;
}

/** Locks the catalogue for changes until the transaction ends. */
export async function lockCatalogue(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('catalogue', 0))`);
}

/** The shared form of the lock: the catalogue cannot change, and its holders do not wait for each other. */
export const sharedCatalogueLock = sql`pg_advisory_xact_lock_shared(hashtextextended('catalogue', 0))`;

export type ServiceFields = Omit<NewService, 'removeImage' | 'commissionRanges' | 'level'> & {
  level: number;
  pictureUrl: string | null;
};

/** Rows of an SQL statement: with twenty columns a third of PostgreSQL's 65,535 parameters. */
const rowsAtOnce = 1_000;

/** Inserts services; answers their ids in order. */
export async function insertServices(db: Db, list: readonly ServiceFields[]): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < list.length; from += rowsAtOnce) {
    const rows = list.slice(from, from + rowsAtOnce);
    ids.push(...(await db.insert(services).values(rows).returning({ id: services.id })).map(({ id }) => id));
  }
  return ids;
}

export async function insertService(db: Db, fields: ServiceFields): Promise<number> {
  const [id] = await insertServices(db, [fields]);
  return id as number;
}

export async function updateServiceRow(db: Db, id: number, fields: Partial<ServiceFields>): Promise<void> {
  await db
    .update(services)
    .set({ ...fields, updatedAt: nextVersion() })
    .where(eq(services.id, id));
}

/** Moves a service under another parent. It and all below it change level in one SQL statement, since the foreign keys require it. */
export async function moveService(db: Db, id: number, to: { parentId: number | null; shift: number }): Promise<void> {
  await db.execute(sql`
    with recursive down(id) as (
      select id from services where id = ${id}
      union select child.id from services child join down on child.parent_id = down.id
    )
    update services set
      level = level + ${to.shift}::int,
      parent_id = case when services.id = ${id} then ${to.parentId}::int else parent_id end
    where services.id in (select down.id from down)`);
}

/** Changes the same fields of many services in one SQL statement, since foreign keys check the tree at its end. */
export async function updateServiceRows(
  db: Db,
  rows: readonly (Partial<ServiceFields> & { id: number })[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = getTableColumns(services);
  const names = Object.keys(first) as (keyof typeof first)[];
  const given = (name: string) => sql`given.${sql.identifier(name)}`;
  const types = names.map((name) => sql`${sql.identifier(name)} ${sql.raw(columns[name].getSQLType())}`);
  const fields = names.filter((name) => name !== 'id').map((name) => [name, given(name)]);
  await db
    .update(services)
    .set({ ...Object.fromEntries(fields), updatedAt: nextVersion() })
    .from(sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${sql.join(types, sql`, `)})`)
    .where(eq(services.id, given('id')));
}

export async function replaceRanges(db: Db, serviceId: number, ranges: NewService['commissionRanges']): Promise<void> {
  await replaceRangesOf(db, new Map([[serviceId, ranges]]));
}

/** Replaces the ranges of services. */
export async function replaceRangesOf(
  db: Db,
  rangesOf: ReadonlyMap<number, NewService['commissionRanges']>,
): Promise<void> {
  await db.delete(commissionRanges).where(inArray(commissionRanges.serviceId, [...rangesOf.keys()]));
  const rows = [...rangesOf].flatMap(([serviceId, ranges]) =>
    ranges.map((range) => ({ ...range, serviceId, commissionValue: String(range.commissionValue) })),
  );
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db.insert(commissionRanges).values(rows.slice(from, from + rowsAtOnce));
}

export async function deleteServiceRow(db: Db, id: number): Promise<void> {
  await db.delete(services).where(eq(services.id, id));
}

/** A stored service's commission in the contract's form. */
export const ruleOf = (service: PlacedService): CommissionRule =>
  commissionRuleOf({ ...service, commissionRanges: rangesOf(service) });

/** A stored service's ranges in the contract's form, the lowest first. */
export function rangesOf({ ranges }: Pick<CataloguedService, 'ranges'>): NewService['commissionRanges'] {
  return ranges.map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
    minPrice,
    maxPrice,
    commissionType,
    commissionValue: Number(commissionValue),
  }));
}
