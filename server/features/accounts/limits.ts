const day = 24 * 3_600;

/** How long accounts stay that nobody uses. */
export const retentionSeconds = {
  /** After a guest's last session, which has then been deleted. */
  guests: 7 * day,
  /** Sign-ups whose code was never entered. The person can sign up again. */
  neverVerified: day,
} as const;
