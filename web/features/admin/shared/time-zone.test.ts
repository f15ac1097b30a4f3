import { expect, test } from 'vitest';
import { timeZone } from '#contract/shapes.ts';
import { zoneText } from './time-zone.ts';

test.each([
  ['Africa/Ouagadougou', 0, 'Africa/Ouagadougou'],
  ['Europe/Paris', 60, 'Europe/Paris'],
  [undefined, 0, '+00:00'],
  ['', 330, '+05:30'],
  ['Etc/Unknown', -210, '-03:30'],
  [undefined, 840, '+14:00'],
])('%j, %i minutes ahead, is sent as %s', (name, minutes, sent) => {
  expect(zoneText(name, minutes)).toBe(sent);
  expect(timeZone.safeParse(sent).success).toBe(true);
});
