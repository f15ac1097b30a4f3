/** For an answer on a slow network, before it counts as lost: a slow line's round trip, several times over. */
export const requestTimeoutMs = 25_000;

/** Without typing, before what was typed is asked about: typing a word asks one question and not one per letter. */
export const typingPauseMs = 350;

/** Rows that a list shows before "Afficher plus", and again with each press: more than most people have. */
export const rowsPerPage = 50;

/** Calls of one thing that takes many, such as marking every notification read: more would only wait for each other. */
export const callsAtOnce = 4;

/** Answers kept of a person for use offline: visited levels and some tickets' pages, well below 5 MB. */
export const keptAnswersAtMost = 80;

/** Calls in a row without an answer, before the line counts as gone: one alone gets lost on any line. */
export const lostInARow = 2;

/** Between tries whether a line that seems gone is back, where nothing else is asked. */
export const probeEveryMs = 10_000;

/** Before an answer that says the same is kept anew, so that what is asked for often is not the oldest. */
export const keptAnswersRenewedMs = 3_600_000;
