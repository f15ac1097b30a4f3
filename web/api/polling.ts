/** What is asked for again, and how often, in milliseconds (P23.1). */

/** How far a page's periods may lie from those below, either way: phones that were set going together fall out of step within minutes. */
export const pollSpread = 0.04;

/** By what a page multiplies its periods; on average by one. */
export const drawPace = () => 1 + pollSpread * (2 * Math.random() - 1);

/** What open screens poll, on average. Each waits while its tab is hidden, and asks at once when it is seen again. */
export const pollEveryMs = {
  userTickets: 5_000,
  notifications: 10_000,
  unreadCount: 30_000,
  adminTickets: 5_000,
  adminServices: 5_000,
  /** People sign up less often than they file, and do not wait for an administrator. */
  adminUsers: 10_000,
  /** Figures of the day, which need no action within seconds. */
  adminDashboard: 30_000,
  /** Changed by hand, now and then: who has one open hears of another's change before saving. */
  adminContent: 30_000,
  adminSettings: 30_000,
  /** Made once a day. */
  adminBackups: 30_000,
  /** Read afterwards, not line by line. */
  adminAudit: 30_000,
  /** Whoever sent a test message watches what becomes of it. */
  adminSms: 10_000,
  /** A person looks at their phone for it. */
  codeDelivery: 3_000,
  /** Drawn behind every screen. */
  pageBackground: 300_000,
} as const;

/** How often a screen asks what became of its code's SMS: for a minute, after which gateways tell no more; longer while it waits for one. */
export const codeDeliveryLooks = 20;

/** How long an answer counts as fresh when a screen opens again. */
export const freshForMs = {
  /** The catalogue is what people go up and down in; prices do change. */
  services: 5 * 60_000,
  /** An administrator who switches one off should not find it offered for long. */
  paymentTypes: 60_000,
  /** The commission follows the amount, and both must be today's. */
  commission: 0,
} as const;
