/** Duration of a toast (P24.1); a new one replaces it. */
export const toastMs = 5_000;

/** Duration of the check mark after copying (P9.2). */
export const copiedMs = 2_000;

/** Update period of relative times such as "5 minutes ago". */
export const clockTickMs = 30_000;

/** Between tries of what could not be loaded, while the server does not answer. */
export const retryEveryMs = 10_000;
