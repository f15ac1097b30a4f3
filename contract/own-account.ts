import * as z from 'zod/mini';
import { emailOrNone, userAnswer } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { matching, password, presentPassword } from './passwords.ts';
import { done, nameText } from './shapes.ts';

export const changePasswordForm = z
  .object({ currentPassword: presentPassword, newPassword: password, confirmPassword: password })
  .check(matching);

export const changePassword = endpoint('changePassword', 'POST', '/api/auth/change-password', {
  access: 'verified',
  summary: "Sets the caller's own password, given the present one, and ends every other session of theirs.",
  body: changePasswordForm,
  response: done,
  setsCookie: true,
  failures: ['PASSWORD_WRONG', 'PASSWORD_COMMON'],
  audit: { title: 'Mot de passe changé', fields: [] },
});

export const profileForm = z.object({ firstName: nameText(80), lastName: nameText(80), email: emailOrNone });

export const changeProfile = endpoint('changeProfile', 'PATCH', '/api/auth/profile', {
  access: 'verified',
  summary: "Changes the caller's own name and e-mail address. The number stays: a code proved it.",
  body: profileForm,
  response: userAnswer,
  audit: { title: 'Profil modifié', fields: [] },
});
