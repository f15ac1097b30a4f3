/** Results of a search that are drawn: nobody reads further, and an old phone draws no more while one types. */
export const foundShown = 30;

/** Orders that home offers to make again. */
export const ordersAgain = 2;

/** Services a person used that home offers. */
export const usedShown = 4;
