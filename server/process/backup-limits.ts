/** Sizes, times and costs of backups (`server/backup/`), each with its reason. */
export const backupLimits = {
  /** What is read, compressed and decompressed at a time: each piece is a turn of another thread. */
  pieceBytes: 256 * 1024,
  /** Rows of a table that are one file, held in memory until they are as many. */
  partBytes: 1024 * 1024,
  /** An image, or the list of all there is, that a file may claim to hold: 400,000 images are listed in so much. */
  entryBytes: 64 * 1024 * 1024,
  /**
   * The logarithm of scrypt's N; age sets r to 8 and p to 1. Deriving the key takes 64 MB and a third of a second, half of
   * OWASP's first choice: twice as much would not fit a server of 512 MB.
   */
  scryptWorkFactor: 16,
  /** Characters of a passphrase: six words. */
  passphraseCharacters: 16,
  /** New snapshots taken where an image was replaced within the moment between a snapshot and its images. */
  snapshots: 3,
  /** A scheduled backup is tried so often, some seconds apart, before the next day's. */
  attempts: 3,
  /** A day that was missed, since nothing ran at its hour, is made up for within this. */
  madeUpForMs: 23 * 3_600_000,
  /** An unfinished file that nobody has written to for so long is nobody's. */
  abandonedMs: 3_600_000,
} as const;
