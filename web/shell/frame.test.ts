import { expect, test } from 'vitest';
import { seenAt } from './frame.tsx';

const now = new Date(2026, 10, 21, 18, 30);

test('of today, the hour alone', () => {
  expect(seenAt(new Date(2026, 10, 21, 14, 2).getTime(), now)).toBe('données de 14:02');
});

test('of another day, the day too', () => {
  expect(seenAt(new Date(2026, 10, 20, 9, 5).getTime(), now)).toBe('données du 20 nov. à 09:05');
});
