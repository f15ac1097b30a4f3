/** Before a file of the app that did not come is asked for again: a train's tunnel, not a lost network. */
export const chunkRetryPausesMs = [1_000, 3_000] as const;
