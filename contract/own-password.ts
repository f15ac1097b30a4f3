import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { matching, password, presentPassword } from './passwords.ts';
import { done } from './shapes.ts';

export const changePasswordForm = z
  .object({ currentPassword: presentPassword, newPassword: password, confirmPassword: password })
  .check(matching);

export const changePassword = endpoint('changePassword', 'POST', '/api/auth/change-password', {
  access: 'verified',
  summary: 'Sets the caller’s own password, given the present one, and ends every other session of theirs.',
  body: changePasswordForm,
  response: done,
  setsCookie: true,
  failures: ['PASSWORD_WRONG', 'PASSWORD_COMMON'],
  audit: { title: 'Mot de passe changé', fields: [] },
});

export const confirmPasswordForm = z.object({ password: presentPassword });

export const confirmPassword = endpoint('confirmPassword', 'POST', '/api/auth/confirm-password', {
  access: 'admin',
  summary: 'Gives the caller’s password again, for calls that are made within an hour of it.',
  body: confirmPasswordForm,
  response: done,
  failures: ['PASSWORD_WRONG'],
  audit: { title: 'Mot de passe confirmé', fields: [] },
});
