/** Displayed search results: more would slow an old phone during typing. */
export const foundShown = 30;

/** Earlier orders offered on home. */
export const ordersAgain = 2;

/** Used services offered on home. */
export const usedShown = 4;
