const day = 24 * 3_600;

/** Images; the largest upload stands in `contract/uploads.ts`. */
export const imageLimits = {
  /** Most pixels of an image; phones take 50 million. */
  pixels: 51_000_000,
  /** Scans of a JPEG; programs write twelve. Five million random bytes hold 80 sequences that look like one. */
  scans: 300,
  /** Most pixels of a progressive JPEG or an interlaced PNG, which is decoded as a whole: some 100 MB, twice that at 16 bits. */
  wholePixels: 25_000_000,
  /** Time to decode; the largest photographs take one second. */
  seconds: 5,
  /** One at a time. Waiting images have 5 MB each at most. */
  encoding: { atOnce: 1, waiting: 8, retryAfterSeconds: 2 },
  /** Age at which an image that no row names is deleted. A form that is never saved leaves one behind. */
  unusedSeconds: day,
  /** Bytes of images in memory: a large catalogue's at card size, and a few backgrounds. */
  memoryBytes: 16 * 1024 * 1024,
} as const;
