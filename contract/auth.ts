import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { matching, password, presentPassword } from './passwords.ts';
import { countryCodes, defaultCountryCode } from './phone.ts';
import { component, composed, documented, done, formed, nameText, text, words } from './shapes.ts';
import { user } from './users.ts';

export const userAnswer = component('UserAnswer', z.object({ user }));
const phone = text(40, 'Saisissez votre numéro de téléphone.');
const phoneOrEmail = text(254, 'Phone number or email is required');

export const otpLength = 4;
/** Two retries for typing errors; a guesser's chance is 1 in 3,333. */
export const otpTries = 3;
/** Seconds a code lives, and the waits before the second, third and later codes of a day. */
export const otpLifetimeSeconds = 300;
export const otpCoolDownSeconds = [60, 120, 300] as const;

const code = formed(new RegExp(`^[0-9]{${otpLength}}$`), 'OTP code must be 4 digits');

const phoneOnly = component('PhoneOnly', z.object({ phone }));
const phoneAndCode = component('PhoneAndCode', z.object({ phone, code }));

const noEmail = "Cette adresse e-mail n'est pas valide.";
/** Null and empty both mean "no e-mail". */
export const emailOrNone = documented(
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? composed(value) || null : value)),
    z.nullable(z.email(noEmail).check(z.refine((value) => value.length <= 254, noEmail))),
  ),
  {
    description: 'An e-mail address; null and empty both mean none.',
    input: { type: ['string', 'null'], maxLength: 254 },
  },
);

export const signUpForm = z
  .object({
    firstName: nameText(80),
    lastName: nameText(80),
    phone,
    email: z.optional(emailOrNone),
    password,
    confirmPassword: password,
    countryCode: z._default(z.enum(countryCodes), defaultCountryCode),
  })
  .check(matching);

export const signUp = endpoint('signUp', 'POST', '/api/auth/signup', {
  access: 'anyone',
  summary: 'Creates an unverified account and sends a code by SMS.',
  body: signUpForm,
  response: userAnswer,
  status: 201,
  setsCookie: true,
  idempotent: true,
  failures: ['PHONE_INVALID', 'PHONE_TAKEN', 'SMS_PAUSED'],
});

export const signInForm = z.object({
  phoneOrEmail,
  password: presentPassword,
});

export const signIn = endpoint('signIn', 'POST', '/api/auth/signin', {
  access: 'anyone',
  looksAtSession: true,
  summary: 'Opens a session. A number never verified gets 403 PHONE_NOT_VERIFIED and a fresh code.',
  body: signInForm,
  response: userAnswer,
  setsCookie: true,
  failures: ['CREDENTIALS', 'DEACTIVATED', 'PHONE_NOT_VERIFIED', 'RESET_NEEDED', 'SMS_PAUSED'],
  audit: { title: 'Connexion', fields: [] },
});

export const signInAsGuest = endpoint('signInAsGuest', 'POST', '/api/auth/guest', {
  access: 'anyone',
  looksAtSession: true,
  summary: 'Opens a guest session; a live guest session answers its own guest again.',
  response: userAnswer,
  setsCookie: true,
  failures: ['CREDENTIALS'],
});

export const verifyOtp = endpoint('verifyOtp', 'POST', '/api/auth/verify-otp', {
  access: 'anyone',
  looksAtSession: true,
  summary:
    'Verifies a sign-up code and opens a session. After many wrong codes a right one gets 403 SECOND_CODE and a second SMS.',
  body: phoneAndCode,
  response: userAnswer,
  setsCookie: true,
  failures: ['PHONE_INVALID', 'CODE_INVALID', 'CREDENTIALS', 'ALREADY_VERIFIED', 'SECOND_CODE', 'SMS_PAUSED'],
  audit: { title: 'Numéro vérifié', fields: [] },
});

const codeSent = component(
  'CodeSent',
  z.object({
    message: words(),
    retryAfter: documented(z.int().check(z.gte(0)), { description: 'Seconds before another code may be asked for.' }),
  }),
);

export const resendOtp = endpoint('resendOtp', 'POST', '/api/auth/resend-otp', {
  access: 'anyone',
  summary: 'Sends a new sign-up code.',
  body: phoneOnly,
  response: codeSent,
  setsCookie: true,
  failures: ['PHONE_INVALID', 'USER_NOT_FOUND', 'ALREADY_VERIFIED', 'SMS_PAUSED'],
});

export const forgotPasswordForm = z.object({ phoneOrEmail });

export const forgotPassword = endpoint('forgotPassword', 'POST', '/api/auth/forgot-password', {
  access: 'anyone',
  summary: 'Sends a reset code to a verified number.',
  body: forgotPasswordForm,
  response: z.object({ phone: words() }),
  setsCookie: true,
  idempotent: true,
  failures: ['PHONE_INVALID', 'USER_NOT_FOUND', 'SMS_PAUSED'],
});

/** Lifetime of the token that a reset code is exchanged for. */
export const resetTokenSeconds = 600;

export const verifyResetOtp = endpoint('verifyResetOtp', 'POST', '/api/auth/verify-reset-otp', {
  access: 'anyone',
  summary:
    'Exchanges a reset code for a token that lives 10 minutes. After many wrong codes a right one gets 403 SECOND_CODE and a second SMS.',
  body: phoneAndCode,
  response: z.object({ token: words() }),
  setsCookie: true,
  idempotent: true,
  failures: ['PHONE_INVALID', 'CODE_INVALID', 'SECOND_CODE', 'SMS_PAUSED'],
  audit: { title: 'Code de réinitialisation vérifié', fields: [] },
});

export const resendResetOtp = endpoint('resendResetOtp', 'POST', '/api/auth/resend-reset-otp', {
  access: 'anyone',
  summary: 'Sends a new reset code.',
  body: phoneOnly,
  response: codeSent,
  setsCookie: true,
  failures: ['PHONE_INVALID', 'USER_NOT_FOUND', 'SMS_PAUSED'],
});

export const resetPasswordForm = z
  .object({
    newPassword: password,
    confirmPassword: password,
    token: text(200),
  })
  .check(matching);

export const resetPassword = endpoint('resetPassword', 'POST', '/api/auth/reset-password', {
  access: 'anyone',
  summary: 'Sets the password a token allows, and ends every session of the account.',
  body: resetPasswordForm,
  response: done,
  setsCookie: true,
  failures: ['TOKEN_INVALID'],
  audit: { title: 'Mot de passe réinitialisé', fields: [] },
});

export const signOut = endpoint('signOut', 'POST', '/api/auth/signout', {
  access: 'anyone',
  looksAtSession: true,
  summary: 'Ends this session, if there is one.',
  response: done,
  setsCookie: true,
  audit: { title: 'Déconnexion', fields: [] },
});

export const readMe = endpoint('readMe', 'GET', '/api/auth/me', {
  access: 'signed-in',
  summary: 'The person this session belongs to.',
  response: userAnswer,
  topics: ['user:{callerId}'],
});
