/** Times and sizes of images, each with its reason; the largest upload stands in `contract/uploads.ts`. */
const minute = 60;
const day = 24 * 60 * minute;

export const imageLimits = {
  /** Above any phone's photo, below what exhausts the memory of a small server. */
  pixels: 40_000_000,
  /** One at a time takes up to 200 MB, and a thread that files are read with; those that wait 5 MB each at most. */
  decoding: { atOnce: 1, waiting: 8, retryAfterSeconds: 2 },
  /** Of images without sizes, which anybody may ask for: one has a place among the decoder's, and administrators the others. */
  makingSizes: { atOnce: 1, waiting: 4, retryAfterSeconds: 2 },
  /** How long an uploaded image waits for the row that will name it: a form that is never saved leaves one behind. */
  unusedSeconds: day,
  /** Images kept in memory: a large catalogue's at the size of its cards, and a few backgrounds. */
  memoryBytes: 16 * 1024 * 1024,
  /** For how long without another look: what another process deleted is shown no longer than this. */
  memoryMs: minute * 1_000,
} as const;
