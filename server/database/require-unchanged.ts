import { Failure } from '#contract/failure.ts';

/**
 * Refuses a change that was made from another version than the stored one, which its transaction holds. Nothing expected is
 * never refused; null expects that nothing was saved yet. Throws CHANGED_MEANWHILE.
 */
export function requireUnchanged(updatedAt: Date | null, expected: string | null | undefined): void {
  if (expected === undefined) return;
  const expectedTime = expected === null ? undefined : Date.parse(expected);
  // Both in milliseconds, which is what answers tell: the table keeps microseconds.
  if (updatedAt?.getTime() !== expectedTime) throw new Failure('CHANGED_MEANWHILE');
}
