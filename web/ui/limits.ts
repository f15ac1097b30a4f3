/** How long a toast stays, as specified; a new one replaces it. */
export const toastMs = 5_000;

/** How long the check mark stays after copying, as specified. */
export const copiedMs = 2_000;

/** After how long what says "5 minutes ago" is drawn again. */
export const clockTickMs = 30_000;
