/** Sizes, times and costs of backups (`server/backup/`), each with its reason. */
export const backupLimits = {
  /** Data gathered before it is compressed: each piece is a turn of another thread. */
  pieceBytes: 256 * 1024,
  /** A piece, or the list of all there is, that a file may claim to hold: 400,000 images are listed in so much. */
  frameBytes: 64 * 1024 * 1024,
  /** The line at the beginning of a file. */
  headBytes: 256,
  /** What is sealed at a time: read back whole before any of it is believed. */
  sealedBytes: 64 * 1024,
  /** Deriving the key takes 32 MB and a third of a second: OWASP's second choice, which fits a server of 512 MB. */
  scrypt: { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 },
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
