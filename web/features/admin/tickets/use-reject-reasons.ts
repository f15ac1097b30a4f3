import { listRejectReasons } from '#contract/settings.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';

/** The reasons that were set for rejecting, as they are when a screen opens. */
export const useRejectReasons = () => useEndpoint(listRejectReasons, {}, { freshForMs: 0 }).data?.reasons ?? [];
