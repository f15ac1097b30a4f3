/** For an answer on a slow network, before it counts as lost: a slow line's round trip, several times over. */
export const requestTimeoutMs = 25_000;

/** Without typing, before what was typed is asked about: typing a word asks one question and not one per letter. */
export const typingPauseMs = 350;

/** Rows that a list shows before "Afficher plus", and again with each press: more than most people have. */
export const rowsPerPage = 50;

/** Calls of one thing that takes many, such as marking every notification read: more would only wait for each other. */
export const callsAtOnce = 4;

/** After the page began to load, while what it asked for itself is still today's: as long as such a question may take. */
export const earlyAnswersCountForMs = requestTimeoutMs;
