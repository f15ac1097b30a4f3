import { expect, test } from 'vitest';
import { connectionsAllowed } from './open-files.ts';

test.each([
  [112, 20],
  [128, 28],
  [256, 92],
  [1_024, 476],
  [4_096, 2_012],
  [20_072, 10_000],
  [65_536, 10_000],
  [Number.POSITIVE_INFINITY, 10_000],
])('a process of %d open files has %d connections', (files, connections) => {
  expect(connectionsAllowed(files)).toBe(connections);
});

test.each([111, 64, 10])('%d open files are too few, in one sentence', (files) => {
  expect(() => connectionsAllowed(files)).toThrow(
    new RegExp(
      `^Ce processus ne peut ouvrir que ${files} fichiers à la fois.* au moins 112 : [^\\n]*\\(ulimit -n.*\\)\\.$`,
    ),
  );
});

test('the limit is that of this process', () => {
  expect(connectionsAllowed()).toBeGreaterThan(0);
});
