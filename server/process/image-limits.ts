/** Times and sizes of images, each with its reason; the largest upload stands in `contract/uploads.ts`. */
const minute = 60;
const day = 24 * 60 * minute;

export const imageLimits = {
  /** Photographs of phones have 50 million at most. */
  pixels: 51_000_000,
  /** Of a PNG or WebP, above a phone's panorama: what is held while lines are averaged grows with their width. */
  side: 16_384,
  /**
   * What decoding may hold (`decoded-bytes.ts`): a photograph of 48 megapixels in several scans. A process grew by 150 MB at most: by that much for such
   * a photograph, 148 MB for the largest WebP, 113 MB for the worst PNG, and 20 to 30 MB for one of 12 to 50 megapixels in a single scan.
   */
  decodedBytes: 144_000_000,
  /** None of those took more than 1.2 s of a processor. Not heeded while an image is turned. */
  decodeSeconds: 3,
  /** One at a time takes up to 150 MB, and a thread that files are read with; those that wait 5 MB each at most. */
  decoding: { atOnce: 1, waiting: 8, retryAfterSeconds: 2 },
  /** How long an uploaded image waits for the row that will name it: a form that is never saved leaves one behind. */
  unusedSeconds: day,
  /** Images kept in memory: a large catalogue's at the size of its cards, and a few backgrounds. */
  memoryBytes: 16 * 1024 * 1024,
  /** For how long without another look: what another process deleted is shown no longer than this. */
  memoryMs: minute * 1_000,
} as const;

/** A bucket of images, which answers over a network. */
export const storageLimits = {
  /** For an answer, its last byte included: half a megabyte at 1 Mb/s. */
  answerMs: 4_000,
  /** Before another try, of which there are as many: all together take less than a handler may. */
  pausesMs: [200, 600],
  /** Once no try was answered, the next one: until then nobody waits for what is not there. */
  awayMs: 2_000,
  /** Requests under way, and those that wait for them; an image that phones ask for together is asked for once. */
  requests: { atOnce: 16, waiting: 200, retryAfterSeconds: 5 },
  retryAfterSeconds: 5,
} as const;
