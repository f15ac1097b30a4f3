import * as z from 'zod/mini';
import { endpoint, text } from './endpoint.ts';
import { password } from './passwords.ts';
import { countryCodes, defaultCountryCode } from './phone.ts';
import { user } from './users.ts';

const userAnswer = z.object({ user });
const phone = z
  .string('Phone number is required')
  .check(z.trim(), z.minLength(1, 'Phone number is required'), z.maxLength(40));
const phoneOrEmail = z
  .string('Phone number or email is required')
  .check(z.trim(), z.minLength(1, 'Phone number or email is required'), z.maxLength(254));

export const otpLength = 4;
/** Seconds a code lives, and a person waits before the second, third and later codes of a day. */
export const otpLifetime = 300;
export const otpCoolDowns = [60, 120, 300] as const;

const code = z.string('OTP code must be 4 digits').check(z.regex(/^[0-9]{4}$/, 'OTP code must be 4 digits'));

/** Absent, null and empty all mean "no e-mail". */
const email = z.optional(
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
    z.nullish(z.email('Invalid email').check(z.maxLength(254))),
  ),
);

const matching = z.refine<{ confirmPassword: string; password?: string; newPassword?: string }>(
  (form) => form.confirmPassword === (form.password ?? form.newPassword),
  { error: "Passwords don't match", path: ['confirmPassword'] },
);

export const signUpForm = z
  .object({
    firstName: text(80),
    lastName: text(80),
    phone,
    email,
    password,
    confirmPassword: password,
    countryCode: z._default(z.enum(countryCodes), defaultCountryCode),
  })
  .check(matching);

export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/signup',
  caller: 'anyone',
  summary: 'Creates an unverified account and sends a code by SMS.',
  body: signUpForm,
  response: userAnswer,
  status: 201,
});

export const signInForm = z.object({
  phoneOrEmail,
  password: z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(128, 'Password is required')),
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/signin',
  caller: 'anyone',
  summary: 'Opens a session. A number never verified gets 403 PHONE_NOT_VERIFIED and a fresh code.',
  body: signInForm,
  response: userAnswer,
});

export const signInAsGuest = endpoint({
  method: 'POST',
  path: '/api/auth/guest',
  caller: 'anyone',
  summary: 'Opens a guest session; a live guest session answers its own guest again.',
  response: userAnswer,
});

export const verifyOtp = endpoint({
  method: 'POST',
  path: '/api/auth/verify-otp',
  caller: 'anyone',
  summary: 'Verifies a sign-up code and opens a session.',
  body: z.object({ phone, code }),
  response: userAnswer,
});

const sent = z.object({
  message: z.string(),
  /** Seconds before another code may be asked for. */
  retryAfter: z.number(),
});

export const resendOtp = endpoint({
  method: 'POST',
  path: '/api/auth/resend-otp',
  caller: 'anyone',
  summary: 'Sends a new sign-up code.',
  body: z.object({ phone }),
  response: sent,
});

export const forgotPasswordForm = z.object({ phoneOrEmail });

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  caller: 'anyone',
  summary: 'Sends a reset code to a verified number.',
  body: forgotPasswordForm,
  response: z.object({ phone: z.string() }),
});

export const verifyResetOtp = endpoint({
  method: 'POST',
  path: '/api/auth/verify-reset-otp',
  caller: 'anyone',
  summary: 'Exchanges a reset code for a token that lives 10 minutes.',
  body: z.object({ phone, code }),
  response: z.object({ token: z.string() }),
});

export const resendResetOtp = endpoint({
  method: 'POST',
  path: '/api/auth/resend-reset-otp',
  caller: 'anyone',
  summary: 'Sends a new reset code.',
  body: z.object({ phone }),
  response: sent,
});

export const resetPasswordForm = z
  .object({
    newPassword: password,
    confirmPassword: password,
    token: z.string().check(z.minLength(1), z.maxLength(200)),
  })
  .check(matching);

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  caller: 'anyone',
  summary: 'Sets the password a token allows, and ends every session of the account.',
  body: resetPasswordForm,
  response: z.object({ message: z.string() }),
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/signout',
  caller: 'anyone',
  summary: 'Ends this session, if there is one.',
  response: z.object({ message: z.string() }),
});

export const readMe = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  caller: 'signed-in',
  summary: 'The person this session belongs to.',
  response: userAnswer,
});
