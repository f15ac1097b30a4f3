/** How long a toast stays (P24.1); a new one replaces it. */
export const toastMs = 5_000;

/** How long the check mark stays after copying (P9.2). */
export const copiedMs = 2_000;

/** After how long what says "5 minutes ago" is drawn again. */
export const clockTickMs = 30_000;
