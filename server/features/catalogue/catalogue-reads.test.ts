import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listPaymentTypes } from '#server/features/payment-types/store.ts';
import { paymentTypes } from '#server/features/payment-types/tables.ts';
import { buildPaymentType, buildService } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { type CataloguedService, listReachableServices, listVisibleServices, readPlace } from './store.ts';
import { commissionRanges, services } from './tables.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(() => api.pool.query('delete from services'));
afterAll(() => api.close());

/** Every service as drizzle reads it, with its ranges. */
async function readAll(): Promise<CataloguedService[]> {
  const ranges = await api.db.select().from(commissionRanges);
  return (await api.db.select().from(services)).map((service) => ({
    ...service,
    ranges: ranges
      .filter(({ serviceId }) => serviceId === service.id)
      .toSorted((a, b) => a.minPrice - b.minPrice)
      .map(({ minPrice, maxPrice, commissionValue, commissionType }) => ({
        minPrice,
        maxPrice,
        commissionValue,
        commissionType,
      })),
  }));
}

const node = fc.record({
  /** Under which of those before it; where that is too deep, it is a root. */
  under: fc.nat(12),
  isVisible: fc.boolean(),
  sortOrder: fc.integer({ min: -1, max: 1 }),
  commissionValue: fc.constantFrom(0, 0.29, 99.99),
  ranges: fc.nat(2),
});

test('one statement reads what drizzle reads of the levels, the catalogue and the way to a service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(node, { maxLength: 12 }), async (nodes) => {
      await api.pool.query('delete from services');
      const paths: { id: number; level: number }[][] = [];
      for (const { under, ranges, ...fields } of nodes) {
        const above = paths[under] ?? [];
        // From the highest on, so that their order is not that of their making.
        const commissionRangesOf = [200, 1].slice(0, ranges).map((minPrice) => ({
          minPrice,
          maxPrice: minPrice === 1 ? 199 : null,
          commissionType: 'percentage' as const,
          commissionValue: 1.5,
        }));
        const under5 = above.length < 5 ? above : [];
        paths.push(await buildService(api.db, { ...fields, commissionRanges: commissionRangesOf }, under5));
      }
      const all = await readAll();
      const pathOf = (id: number | null): CataloguedService[] => {
        const found = all.find((each) => each.id === id);
        return found ? [...pathOf(found.parentId), found] : [];
      };
      const reachable = all.filter(({ id }) => pathOf(id).every(({ isVisible }) => isVisible));
      const byPlace = (a: CataloguedService, b: CataloguedService) => a.sortOrder - b.sortOrder || a.id - b.id;
      expect(await listReachableServices(api.db)).toStrictEqual(
        reachable.toSorted((a, b) => a.level - b.level || byPlace(a, b)),
      );
      for (const parentId of [undefined, 0, ...all.map(({ id }) => id)]) {
        const children = reachable.filter((each) => each.parentId === (parentId ?? null)).toSorted(byPlace);
        expect(await listVisibleServices(api.db, { parentId })).toStrictEqual(children);
        expect(await readPlace(api.db, parentId ?? 0)).toStrictEqual(pathOf(parentId ?? 0));
      }
    }),
    { numRuns: 25 },
  );
});

test('so it is with payment types, by name whatever its case', async () => {
  for (const name of ['orange', 'Moov', 'Coris', 'wave']) await buildPaymentType(api.db, name);
  await api.pool.query(`update payment_types set is_active = false, countries = '{+226,+223}' where name = 'Moov'`);
  const all = (await api.db.select().from(paymentTypes))
    .map((row) => ({ ...row, dialTemplates: [] }))
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  expect(await listPaymentTypes(api.db, { all: true })).toStrictEqual(all);
  expect(await listPaymentTypes(api.db, { all: false })).toStrictEqual(all.filter(({ isActive }) => isActive));
});
