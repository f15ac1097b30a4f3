import type { RejectReasons } from '#contract/settings.ts';
import type { RejectReasonList } from './store.ts';

export function presentRejectReasons({ reasons, updatedAt }: RejectReasonList): RejectReasons {
  return { reasons, updatedAt: updatedAt?.toISOString() ?? null };
}
