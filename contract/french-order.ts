/** Compares two texts of a list that people read as French sorts: case and accents last, numbers by their value. */
export const compareFrench = new Intl.Collator('fr', { numeric: true }).compare;
