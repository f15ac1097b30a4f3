import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewService } from '#contract/catalogue.ts';
import { countRows, orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildPaymentType,
  buildService,
} from '#server/testing/builders.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let user: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
  user = (await buildCaller(api)).client;
  await buildPaymentType(api.db);
});
afterAll(() => api.close());

const ask = (id: number | undefined, userPrice: number | string) =>
  api.client().get(`/api/commission/${id}?userPrice=${userPrice}`);

async function commissionsOf(fields: Partial<NewService>, amounts: number[]): Promise<number[]> {
  const id = (await buildFinalService(api.db, fields)).at(-1)?.id;
  const answers = await Promise.all(amounts.map((amount) => ask(id, amount)));
  expect(answers.map((answer) => answer.status)).toEqual(amounts.map(() => 200));
  return answers.map((answer) => answer.body.commission as number);
}

type Range = NewService['commissionRanges'][number];
const fixed = (minPrice: number, maxPrice: number | null, commissionValue: number): Range => ({
  minPrice,
  maxPrice,
  commissionValue,
  commissionType: 'fixed',
});
const percent = (minPrice: number, maxPrice: number | null, commissionValue: number): Range => ({
  minPrice,
  maxPrice,
  commissionValue,
  commissionType: 'percentage',
});

describe('the commission on an amount', () => {
  test('is the fixed value, whatever the amount, and nothing on nothing', async () => {
    expect(await commissionsOf({ commissionValue: 250 }, [0, 1, 999, 10_000_000])).toEqual([0, 250, 250, 250]);
  });

  test('is a percentage in whole francs, half a franc rounded up', async () => {
    const fields = { commissionType: 'percentage', commissionValue: 1 } as const;
    expect(await commissionsOf(fields, [49, 50, 149, 150, 1000, 10_000_000])).toEqual([0, 1, 1, 2, 10, 100_000]);
    const oneAndAQuarter = { commissionType: 'percentage', commissionValue: 1.25 } as const;
    expect(await commissionsOf(oneAndAQuarter, [39, 40, 119, 120])).toEqual([0, 1, 1, 2]);
    expect(await commissionsOf({ commissionType: 'percentage', commissionValue: 100 }, [1, 777])).toEqual([1, 777]);
  });

  test('is that of the range which holds the amount, its two bounds included, and nothing in a gap', async () => {
    const commissionRanges = [
      fixed(500, 1000, 50),
      percent(1001, 5000, 2),
      fixed(10_000, 10_000, 7),
      percent(20_000, null, 0.5),
    ];
    expect(
      await commissionsOf(
        { commissionType: 'range', commissionRanges },
        [1, 499, 500, 1000, 1001, 5000, 5001, 9999, 10_000, 10_001, 19_999, 20_000, 10_000_000],
      ),
    ).toEqual([0, 0, 50, 50, 20, 100, 0, 0, 7, 0, 0, 100, 50_000]);
  });

  test('is nothing while a service has no range yet', async () => {
    expect(await commissionsOf({ commissionType: 'range', commissionValue: 9 }, [1, 1000])).toEqual([0, 0]);
  });

  test.each([-1, '1.5', 'abc', 'NaN', 'Infinity', 10_000_001, '1e309', '1;drop', "1' OR '1'='1", '[1]', '%00'])(
    'is not told for %s',
    async (userPrice) => {
      const id = (await buildFinalService(api.db)).at(-1)?.id;
      expect(await ask(id, userPrice)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    },
  );

  test('is not told without an amount, nor for a service that does not exist', async () => {
    const id = (await buildFinalService(api.db)).at(-1)?.id;
    expect(await api.client().get(`/api/commission/${id}`)).toMatchObject({ status: 400, body: { code: 'INVALID' } });
    expect(await ask(2_147_483_647, 100)).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
    for (const wrong of [0, -1]) expect(await ask(wrong, 100)).toMatchObject({ status: 400 });
    expect(await api.client().get('/api/commission/abc?userPrice=1')).toMatchObject({ status: 400 });
  });

  test('follows a change of the service at once', async () => {
    const id = (await buildFinalService(api.db)).at(-1)?.id;
    expect((await ask(id, 1000)).body).toEqual({ commission: 100 });
    await admin.put(`/api/admin/services/${id}`, serviceForm({ commissionType: 'percentage', commissionValue: 7 }));
    expect((await ask(id, 1000)).body).toEqual({ commission: 70 });
    await admin.put(
      `/api/admin/services/${id}`,
      serviceForm({ commissionType: 'range', commissionRanges: [fixed(1, null, 3)] }),
    );
    expect((await ask(id, 1000)).body).toEqual({ commission: 3 });
  });
});

/** Half up, in exact arithmetic that shares nothing with the code under test. */
function expectedCommission(amount: number, type: string, value: number): number {
  if (amount === 0) return 0;
  const hundredths = BigInt(Math.round(value * 100));
  if (type === 'fixed') return Number((hundredths * 2n + 100n) / 200n);
  return Number((BigInt(amount) * hundredths * 2n + 10_000n) / 20_000n);
}

const value = (highest: number) => fc.integer({ min: 0, max: highest * 100 }).map((hundredths) => hundredths / 100);
const rate = fc.oneof(
  fc.record({ commissionType: fc.constant('fixed' as const), commissionValue: value(5000) }),
  fc.record({ commissionType: fc.constant('percentage' as const), commissionValue: value(100) }),
);
/** Ranges in order: each starts some francs after the one before ended; the last may have no end. */
const ranges = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2000 }), rate), { maxLength: 5 }),
    fc.boolean(),
  )
  .map(([steps, open]) => {
    let next = 0;
    return steps.map(([gap, width, each], index): Range => {
      const minPrice = next + gap;
      const maxPrice = open && index === steps.length - 1 ? null : minPrice + width;
      next = minPrice + width + 1;
      return { minPrice, maxPrice, ...each };
    });
  });
const rule = fc.oneof(
  rate.map((each) => ({ ...each, commissionRanges: [] as Range[] })),
  ranges.map((list) => ({ commissionType: 'range' as const, commissionValue: 0, commissionRanges: list })),
);

const rules = 20;
test('the API, an exact calculation and the ticket agree on any rule and amount', async () => {
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(
      rule,
      fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 4 }),
      async (...given) => {
        const [fields, chosen] = given;
        const created = await admin.post(
          '/api/services',
          serviceForm({ name: 'Règle', isFinalLevel: true, allowUserPriceInput: true, ...fields }),
        );
        expect(created.status).toBe(201);
        const path = [{ id: created.body.id as number }];
        const edges = fields.commissionRanges.flatMap(({ minPrice, maxPrice }) => [
          minPrice - 1,
          minPrice,
          ...(maxPrice === null ? [] : [maxPrice, maxPrice + 1]),
        ]);
        const amounts = [...new Set([...chosen, ...edges, 10_000_000])].filter((amount) => amount >= 0);
        for (const amount of amounts) {
          cases += 1;
          const holds = fields.commissionRanges.find(
            ({ minPrice, maxPrice }) => minPrice <= amount && amount <= (maxPrice ?? amount),
          );
          const [type, of] = fields.commissionType === 'range' ? [holds?.commissionType, holds?.commissionValue] : [];
          const commission =
            fields.commissionType === 'range'
              ? expectedCommission(holds ? amount : 0, type ?? 'fixed', of ?? 0)
              : expectedCommission(amount, fields.commissionType, fields.commissionValue);
          expect((await ask(created.body.id, amount)).body, `${amount} F`).toEqual({ commission });
        }
        const amount = Math.max(1, chosen[0] ?? 1);
        const { commission } = (await ask(created.body.id, amount)).body;
        const ticket = await user.post(
          '/api/tickets',
          orderBody(path, { userPrice: amount, totalPrice: amount + commission }),
        );
        expect(ticket).toMatchObject({
          status: 201,
          body: { amount, commission, totalPrice: String(amount + commission) },
        });
        const solved = await user.post(
          '/api/tickets',
          orderBody(path, { totalPrice: amount + commission, beneficiaryPhoneNumber: '70 00 00 01' }),
        );
        expect(solved.status).toBe(201);
        expect(solved.body.amount + solved.body.commission).toBe(amount + commission);
        expect((await ask(created.body.id, solved.body.amount)).body.commission).toBe(solved.body.commission);
      },
    ),
    { numRuns: rules, seed: 226 },
  );
  expect(cases).toBeGreaterThan(6 * rules);
});

describe('hidden branches', () => {
  test('are invisible at every depth, to people, to guests and in the commission', async () => {
    const chain: { id: number; level: number }[][] = [];
    for (const level of [1, 2, 3, 4]) chain.push(await buildService(api.db, { name: `Étage ${level}` }, chain.at(-1)));
    chain.push(await buildService(api.db, { name: 'Bout', isFinalLevel: true }, chain.at(-1)));
    const ids = chain.map((path) => path.at(-1)?.id as number);
    const listed = async (parentId?: number) => {
      const answer = await api
        .client()
        .get(parentId === undefined ? '/api/services' : `/api/services?parentId=${parentId}`);
      expect(answer.status).toBe(200);
      return answer.body.map((each: { id: number }) => each.id) as number[];
    };
    /** Whether each of the five is listed under its parent. */
    const visible = async () => {
      const lists = await Promise.all([undefined, ...ids.slice(0, 4)].map(listed));
      return ids.map((id, index) => lists[index]?.includes(id));
    };
    expect(await visible()).toEqual([true, true, true, true, true]);
    for (const [depth, id] of ids.entries()) {
      const hidden = await admin.put(`/api/admin/services/${id}`, serviceForm({ isVisible: false }));
      expect(hidden).toMatchObject({ status: 200, body: { isVisible: false } });
      expect(await visible()).toEqual(ids.map((_, index) => index < depth));
      expect(await ask(ids[4], 100)).toMatchObject({ status: 404, body: { code: 'SERVICE_NOT_FOUND' } });
      const all = (await admin.get('/api/admin/services')).body.map((each: { id: number }) => each.id);
      expect(all).toEqual(expect.arrayContaining(ids));
      await admin.put(`/api/admin/services/${id}`, serviceForm({ isVisible: true }));
    }
    expect(await visible()).toEqual([true, true, true, true, true]);
  });

  test('show an administrator no more than people in the public list', async () => {
    const [root] = await buildService(api.db, { name: 'Secret', isVisible: false });
    await buildService(api.db, { name: 'Dessous' }, root && [root]);
    for (const client of [admin, user, api.client()]) {
      expect(JSON.stringify((await client.get('/api/services')).body)).not.toContain('Secret');
      expect(await client.get(`/api/services?parentId=${root?.id}`)).toMatchObject({ status: 200, body: [] });
    }
    expect(await countRows(api, 'services', `name = 'Dessous'`)).toBe(1);
  });

  test('an unknown parent has nothing under it, and what is no id is refused', async () => {
    expect(await api.client().get('/api/services?parentId=2147483647')).toMatchObject({ status: 200, body: [] });
    for (const parentId of ['0', '-1', 'abc', '1;drop', '1.5', 'null', '2147483648', '%00'])
      expect(await api.client().get(`/api/services?parentId=${parentId}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID' },
      });
  });
});
