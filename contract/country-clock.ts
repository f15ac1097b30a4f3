/** Hours that a country's clock is ahead of UTC, by its calling code: 1 in Benin and Niger, 0 in the other five. */
export const hoursAhead = (country: string): number => (country === '+229' || country === '+227' ? 1 : 0);
