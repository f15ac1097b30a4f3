/** Tickets above which a list is filtered by status: so many fit a phone's screen. */
export const filteredFrom = 5;
