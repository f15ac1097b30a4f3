const hour = 3_600;

/** Push notifications. */
export const pushLimits = {
  /** Browsers of one person: a phone, a tablet, shared computers. Beyond it the oldest is removed. */
  perUser: 10,
  /** Time for a push service to answer: its reply is one line, and other jobs wait meanwhile. */
  requestMs: 5_000,
  /** How long a push service tries to deliver: a day-old decision is seen in the app anyway. */
  lifetimeSeconds: 24 * hour,
  /** Tries for one browser. The queue's pauses grow by e, so a service may be down for half an hour. */
  tries: 8,
  /** Queues, each running one job at a time: this leaves two of a process's job places to messages with codes. */
  queues: 2,
  /** A higher number runs later: after every other due job. */
  priority: 10,
} as const;
