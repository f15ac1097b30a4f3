import { expect, test } from 'vitest';
import type { FileRow } from './catalogue-file.ts';
import { checkPlannedTree, collectRefusals, type PlannedFields, type PlannedService } from './import-plan.ts';

const lines = 5_000;

/** New services, each under the one that `parentOf` says by its place; how often a parent was asked for is counted. */
function plan(parentOf: (place: number) => number | null) {
  const asked = { count: 0 };
  const services: PlannedService[] = [];
  for (let place = 0; place < lines; place += 1)
    services.push({
      current: undefined,
      row: { line: place + 2 } as FileRow,
      fields: { isFinalLevel: false } as PlannedFields,
      level: 0,
      get parent() {
        asked.count += 1;
        const parent = parentOf(place);
        return parent === null ? null : (services[parent] ?? null);
      },
    });
  const refusals = collectRefusals();
  checkPlannedTree(services, refusals);
  return { refused: refusals.errors.map(({ line }) => line), asked: asked.count };
}

test.each<[string, (place: number) => number | null, refused: number]>([
  ['one circle', (place) => (place + 1) % lines, lines],
  ['circles of two', (place) => place ^ 1, lines],
  ['each its own parent', (place) => place, lines],
  ['all on a circle of three', (place) => (place < 3 ? (place + 1) % 3 : place - 1), 3],
])('%s: whoever is in a circle is refused, in a few looks at each line', (_, parentOf, refused) => {
  const checked = plan(parentOf);
  expect(checked.refused).toHaveLength(refused);
  expect(checked.asked).toBeLessThan(10 * lines);
});
