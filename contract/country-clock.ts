/** How many hours the clock of a country is ahead of UTC, by its calling code: Benin and Niger are, the other five are not. */
export const hoursAhead = (country: string): number => (country === '+229' || country === '+227' ? 1 : 0);
