/** Polls and their periods, in milliseconds (P23.1). */

/** Maximum jitter of a page's periods, either way: phones started together fall out of step within minutes. */
export const pollSpread = 0.04;

/** A random factor of this page's periods, with mean 1. */
const jitter = 1 + pollSpread * (2 * Math.random() - 1);

/** A period with the jitter of this page, in milliseconds. */
export const periodOf = (everyMs: number) => Math.round(everyMs * jitter);

/** Average poll periods of open screens. Polls pause in a hidden tab, and resume at once when it is visible. */
export const pollEveryMs = {
  userTickets: 5_000,
  notifications: 10_000,
  unreadCount: 30_000,
  adminTickets: 5_000,
  adminServices: 5_000,
  /** People sign up less often than they order, and do not wait for an administrator. */
  adminUsers: 10_000,
  /** Daily figures, which need no action within seconds. */
  adminDashboard: 30_000,
  /** Rarely edited, by hand. Another administrator's change appears before saving. */
  adminContent: 30_000,
  adminSettings: 30_000,
  /** Backups are daily. */
  adminBackups: 30_000,
  adminAudit: 30_000,
  /** Shows the outcome of a test message. */
  adminSms: 10_000,
  /** Payments and messages come in within seconds, and a person waits beside them. */
  adminPayments: 5_000,
  adminPaymentAccounts: 30_000,
  pageBackground: 300_000,
} as const;

/** Milliseconds for which an answer is fresh when a screen opens again. */
export const freshForMs = {
  /** People move up and down in the catalogue; prices do change. */
  services: 5 * 60_000,
  /** Rarely changed, by hand. */
  contact: 5 * 60_000,
  /** A deactivated payment type disappears soon. */
  paymentTypes: 60_000,
  /** Named by hand, mostly on this phone. */
  beneficiaries: 60_000,
  /** A median of days. */
  decisionTime: 10 * 60_000,
  /** The commission depends on the amount, and both must be current. */
  commission: 0,
} as const;
