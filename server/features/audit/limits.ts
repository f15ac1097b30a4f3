export const auditLimits = {
  /** Characters kept of a long field: an entry is a line, not a copy. */
  fieldCharacters: 300,
  /** Two years: disputes about payments seldom begin later. */
  keptDays: 730,
} as const;
