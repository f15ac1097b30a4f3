/** Displayed search results of a country: more would slow an old phone during typing. */
export const foundShown = 30;

/** Search results up to which those of other countries are shown at once. */
export const unfoldedAtMost = 6;

/** Services suggested where a search finds none. */
export const suggestedToSearch = 3;

/** Earlier orders offered on home. */
export const ordersAgain = 2;

/** For how long a rejected order is offered for mending on home: who waits longer has given it up. */
export const mendableMs = 3 * 24 * 60 * 60_000;

/** Services suggested to a newcomer on home. */
export const suggestedShown = 4;

/** Rows of a level up to which they stand in one column on a desk. */
export const oneColumn = 6;

/** Children of a family that its card shows on a desk. */
export const childrenShown = 4;

/** For how long the families wait for the person's first list of tickets, which stands above them. */
export const ownTicketsWaitMs = 1_000;

/** Requests to pay that home shows below the first, as rows. */
export const unpaidShown = 3;
