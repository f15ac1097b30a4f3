/** Before another try to load a file: long enough for a train's tunnel. */
export const chunkRetryPausesMs = [1_000, 3_000] as const;

/** Before the next screens' files are fetched, in browsers without idle callbacks. */
export const idleAfterMs = 2_000;
/** The longest delay of idle work on a busy phone. */
export const idleAtMostMs = 10_000;

/** History entries whose scroll position survives a reload. */
export const scrollPlacesKept = 50;

/** Between checks for a newer version, while the page is visible. */
export const checkForUpdateEveryMs = 60 * 60_000;

/** For a service worker to fetch the app on a slow connection; push needs the worker. */
export const workerReadyMs = 30_000;
