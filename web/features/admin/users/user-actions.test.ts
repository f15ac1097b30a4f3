import { expect, test } from 'vitest';
import { actionsFor } from './user-actions.tsx';

const caller = 1;
const user = (flags: { isAdmin?: boolean; isGuest?: boolean; isVerified?: boolean }, id = 2) => ({
  id,
  isAdmin: false,
  isGuest: false,
  isVerified: false,
  ...flags,
});

test.each([
  ['a verified user', user({ isVerified: true }), ['reset-password', 'deactivate', 'delete']],
  ['an unverified user', user({}), ['reset-password', 'activate', 'delete']],
  ['a guest, who has no password and cannot be verified', user({ isGuest: true }), ['delete']],
  ['another administrator, who is protected', user({ isAdmin: true, isVerified: true }), []],
  ['oneself, whose password changes by the present one', user({ isAdmin: true, isVerified: true }, caller), []],
])('what is offered, for %s', (_, subject, expected) => {
  expect(actionsFor(subject, caller)).toEqual(expected);
});
