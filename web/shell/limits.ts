/** Before a file of the app that did not come is asked for again: a train's tunnel, not a lost network. */
export const chunkRetryPausesMs = [1_000, 3_000] as const;

/** Before the next screens' files are fetched, where a browser does not tell when it is idle: the first screen is drawn by then. */
export const idleAfterMs = 2_000;
/** How long a phone that is never idle puts off what can wait. */
export const idleAtMostMs = 10_000;

/** Entries of the history whose scroll position outlasts a reload. */
export const scrollPlacesKept = 50;

/** Between looks for a newer version, while the page is seen. */
export const lookForUpdateEveryMs = 60 * 60_000;

/** For a service worker to have fetched the app, on a slow line; push needs one. */
export const workerReadyMs = 30_000;
