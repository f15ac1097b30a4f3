import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ListPages, withFirstPage, withNewRow, withOlderPage } from './use-list.ts';

interface Row {
  id: number;
  version: number;
}

/** A page of a fake server's list, newest first, after a given row. */
function pageOf(all: Row[], limit: number, before?: number) {
  const rest = before === undefined ? all : all.filter((row) => row.id < before);
  return { rows: rest.slice(0, limit), limit, total: all.length, capped: false };
}

type Step = { kind: 'add'; count: number } | { kind: 'change' | 'remove'; place: number } | { kind: 'poll' | 'more' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constantFrom('change' as const, 'remove' as const), place: fc.nat(30) }),
  fc.record({ kind: fc.constantFrom('poll' as const, 'more' as const) }),
);

describe('a list of pages', () => {
  test('has no gap, no row twice, the right order, and its first page as the server has it, whatever happens between polls', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
        let all: Row[] = Array.from({ length: 12 }, (_, index) => ({ id: 12 - index, version: 0 }));
        let next = 13;
        const removed = new Set<number>();
        let known: ListPages<Row> = withFirstPage(undefined, pageOf(all, limit));
        for (const each of steps) {
          if (each.kind === 'add')
            for (let count = each.count; count > 0; count -= 1) all = [{ id: next++, version: 0 }, ...all];
          const row = 'place' in each ? all[each.place % all.length] : undefined;
          if (each.kind === 'change' && row)
            all = all.map((other) => (other === row ? { ...row, version: row.version + 1 } : other));
          if (each.kind === 'remove' && row) {
            removed.add(row.id);
            all = all.filter((other) => other !== row);
          }
          if (each.kind === 'poll') {
            known = withFirstPage(known, pageOf(all, limit));
            expect(withFirstPage(known, pageOf(all, limit)), 'the same page changes nothing').toEqual(known);
          }
          const last = known.rows.at(-1);
          if (each.kind === 'more' && known.hasMore && last)
            known = withOlderPage(known, last.id, pageOf(all, limit, last.id));
          if (each.kind !== 'poll') continue;
          const ids = known.rows.map((other) => other.id);
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
          expect(known.rows.slice(0, limit)).toEqual(all.slice(0, limit));
          // Every row of the server's down to the last known one is present.
          const end = ids.at(-1) ?? Number.POSITIVE_INFINITY;
          expect(ids.filter((id) => !removed.has(id))).toEqual(
            all
              .map((other) => other.id)
              .filter((id) => id >= end && ids.length > 0)
              .filter((id) => !removed.has(id)),
          );
          if (!known.hasMore) expect(all.filter((other) => other.id < end)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('drops an older page that was asked for after a row which is no longer the last', () => {
    const known = { rows: [{ id: 9 }, { id: 8 }], hasMore: true, total: 9, capped: false };
    expect(withOlderPage(known, 5, { rows: [{ id: 4 }], limit: 1, total: 9, capped: false })).toBe(known);
  });

  test('has a new row on top, which what is read next has there as well, and once however often it is told', () => {
    const known = { rows: [{ id: 9 }, { id: 8 }], hasMore: true, total: 4, capped: false };
    const added = withNewRow(known, { id: 10 });
    expect(added).toEqual({ rows: [{ id: 10 }, { id: 9 }, { id: 8 }], hasMore: true, total: 5, capped: false });
    expect(withNewRow(added, { id: 10 })).toBe(added);
    const read = { rows: [{ id: 10 }, { id: 9 }], limit: 2, total: 5, capped: false };
    expect(withFirstPage(added, read)).toEqual(added);
  });
});
