import { failuresOfBrokenGateway } from '#contract/sms-panel.ts';

const day = 24 * 60 * 60 * 1_000;

/** From where on `doctor` calls something wrong. */
export const doctorLimits = {
  /** Between two clocks: codes and sessions end by the database's. */
  clockMs: 5_000,
  /** Room on a disk: a tenth, and as much as a day of a busy site writes. */
  freePart: 0.1,
  freeBytes: 1_000_000_000,
  /** Of the whole machine, or of the container: what the product and PostgreSQL run in. */
  memoryBytes: 480_000_000,
  /** For an answer from somewhere else. */
  answerMs: 8_000,
  /** Before the end of a certificate, which is renewed a month before it. */
  certificateMs: 14 * day,
  /** Of the last backup, which is made each day. */
  backupMs: 1.5 * day,
  /** Failures of a gateway, one after the other, with which it is one that does not work. */
  gatewayFailures: failuresOfBrokenGateway,
} as const;
