/** Compares texts in French order: case and accents last, numbers by value. */
export const compareFrench = new Intl.Collator('fr', { numeric: true }).compare;
