/** What the way through a code keeps until it ends; the keys are the specification's. */
const keys = {
  verification: 'pendingVerificationPhone',
  resetPhone: 'resetPasswordPhone',
  resetToken: 'resetPasswordToken',
} as const;
type Pending = keyof typeof keys;

export const readPending = (what: Pending) => localStorage.getItem(keys[what]) ?? undefined;
export const keepPending = (what: Pending, value: string) => localStorage.setItem(keys[what], value);
export const dropPending = (...what: Pending[]) => {
  for (const each of what) localStorage.removeItem(keys[each]);
};
