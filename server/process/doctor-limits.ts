/** Limits of `doctor` alone; it shares those of alarms (`server/features/alarms/conditions.ts`). */
export const doctorLimits = {
  /** Of the whole machine, or of the container: what the product and PostgreSQL run in. */
  memoryBytes: 480_000_000,
  /** For an answer from somewhere else. */
  answerMs: 8_000,
} as const;
