const day = 24 * 3_600;

/** Reports of codes that do not work (P9.12). */
export const dialCodeLimits = {
  /** People who must report one template within the time below: one may have mistyped, two may know each other. */
  peopleBeforeAlarm: 3,
  reportSeconds: day,
} as const;
