import { expect, test } from 'vitest';
import { CannotStart } from '#server/process/cannot-start.ts';
import { auditPrune } from './audit-prune.ts';

const old = (days: string) => ['--older-than-days', days];

test.each([
  [[], '30 au moins'],
  [old('29'), '30 au moins'],
  [old('0'), '30 au moins'],
  [old('1e3'), '30 au moins'],
  [old('400.5'), '30 au moins'],
  [old('999999'), '30 au moins'],
  [old(''), '30 au moins'],
  [['--older-than-days', '-5'], "n'est pas compris"],
  [['--days', '400'], "n'est pas compris"],
  [['400'], "n'est pas compris"],
])('%j is refused', async (given, sentence) => {
  const failure = await auditPrune(given, new AbortController().signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CannotStart);
  expect(String(failure)).toContain(sentence);
});
