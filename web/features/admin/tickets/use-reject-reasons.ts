import { listRejectReasons } from '#contract/settings.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** The canned reject reasons, refetched when a screen opens. */
export const useRejectReasons = () => useEndpoint(listRejectReasons, {}, { freshForMs: 0 }).data?.reasons ?? [];
