/** Before an answer counts as lost: several round trips of a slow connection. */
export const requestTimeoutMs = 25_000;

/** Without a byte sent or answered, before a call with a file counts as lost: its end lies for a minute in the buffers of a slow line, and a long statement is read for another. */
export const uploadStillMs = 120_000;

/** Answers of a page that are asked for again by their ETag: those of some screens with their lists. */
export const answersKept = 100;

/** A pause in typing before a request: one request for a word, not one per letter. */
export const typingPauseMs = 350;

/** Rows that a list shows at first, and adds with each "Afficher plus": more than most people have. */
export const rowsPerPage = 50;

/** Concurrent calls of one batch, such as marking every notification read; more would only queue. */
export const callsAtOnce = 4;

/** Consecutive unanswered calls before the connection counts as lost; a single one is common. */
export const lostInARow = 2;

/** Between probes of a lost connection on a screen that makes no other calls. */
export const probeEveryMs = 10_000;
