/** Every limit of reading a statement file, with its reason. */
export const statementLimits = {
  /** A file: 80,000 rows of MTN's 55 columns as CSV, or 200,000 of Wave's 11. */
  fileBytes: 32 * 1024 * 1024,
  /** Two months of the busiest account known, and what one transaction of PostgreSQL inserts in seconds. */
  rows: 200_000,
  /** Those rows at MTN's width. */
  cells: 12_000_000,
  /** Rows of a sheet before its header; Orange has 22. */
  preambleRows: 200,
  /** What the sheets of an Excel file say they hold once inflated: they are read as a stream. */
  sheetsBytes: 512 * 1024 * 1024,
  /** The same for its other parts, which are in memory whole: all texts of 100,000 rows take 25 MB. */
  otherPartsBytes: 64 * 1024 * 1024,
  /** Faults that the answer lists; all are counted. */
  faultsListed: 500,
  /** Rows that the thread hands over at once: 8 ms of JSON for the other thread. */
  rowsPerChunk: 5_000,
  /** Files that wait for the one that is read. */
  waiting: 3,
  retryAfterSeconds: 30,
  /** For one file: 200,000 rows take 20 s on a slow machine. */
  readMs: 60_000,
  /** Of the thread, whose JavaScript then ends: the file is refused, and the process lives on. */
  youngMegabytes: 32,
  oldMegabytes: 320,
  /** What the process may grow by meanwhile: no limit of a thread counts its buffers. 100,000 rows of MTN take 220 MB. */
  grownBytes: 1024 * 1024 * 1024,
  /** Between two looks at the time and that. */
  watchMs: 50,
} as const;

export type StatementLimits = Record<keyof typeof statementLimits, number>;
