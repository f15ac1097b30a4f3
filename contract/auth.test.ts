import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { resetPasswordForm, signUpForm, verifyOtp, verifyResetOtp } from './auth.ts';
import { accountStatus } from './users.ts';

/** The first message of each refused field, by path. */
function refusals(schema: z.ZodMiniType, given: unknown): Record<string, string> {
  const { error } = z.safeParse(schema, given);
  return Object.fromEntries((error?.issues ?? []).toReversed().map((issue) => [issue.path.join('.'), issue.message]));
}

const signUp = {
  firstName: 'Awa',
  lastName: 'Sawadogo',
  phone: '70 12 34 56',
  email: 'awa@exemple.bf',
  password: 'secret',
  confirmPassword: 'secret',
  countryCode: '+226',
};

describe('signing up', () => {
  test('takes the seven fields and nothing else; without a country it is Burkina Faso', () => {
    expect(z.parse(signUpForm, { ...signUp, isAdmin: true, isVerified: true, id: 1 })).toEqual(signUp);
    const { countryCode: _, ...rest } = signUp;
    expect(z.parse(signUpForm, rest).countryCode).toBe('+226');
  });

  test.each([
    ['', null],
    [null, null],
    ['awa@exemple.bf', 'awa@exemple.bf'],
  ])('the e-mail %j becomes %j', (email, expected) => {
    expect(z.parse(signUpForm, { ...signUp, email }).email).toBe(expected);
  });

  test.each([
    [{ firstName: '  ' }, 'firstName', 'Ce champ est requis.'],
    [{ lastName: undefined }, 'lastName', expect.any(String)],
    [{ phone: ' ' }, 'phone', 'Saisissez votre numéro de téléphone.'],
    [{ email: 'awa' }, 'email', "Cette adresse e-mail n'est pas valide."],
    [{ countryCode: '+33' }, 'countryCode', expect.any(String)],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ password: 'x'.repeat(129) }, 'password', 'Le mot de passe est limité à 128 caractères.'],
    [{ confirmPassword: 'secret2' }, 'confirmPassword', "Passwords don't match"],
    [{ firstName: 'A\0wa' }, 'firstName', expect.any(String)],
  ])('%j is refused on %s', (change, path, message) => {
    expect(refusals(signUpForm, { ...signUp, ...change })).toMatchObject({ [path]: message });
  });

  test('takes any two equal passwords of 6 to 128 characters, as they are, and no two different ones', () => {
    const password = fc.string({ minLength: 6, maxLength: 60 });
    fc.assert(
      fc.property(password, password, (one, other) => {
        expect(z.parse(signUpForm, { ...signUp, password: one, confirmPassword: one }).password).toBe(one);
        const both = z.safeParse(signUpForm, { ...signUp, password: one, confirmPassword: other });
        expect(both.success).toBe(one === other);
      }),
    );
  });
});

describe('a code', () => {
  test.each(['', '123', '12345', '12a4', '12 4', ' 1234', '1234\n', '１２３４', '-123', '1.23'])(
    '%j is refused',
    (code) => {
      for (const { body } of [verifyOtp, verifyResetOtp])
        expect(refusals(body, { phone: '70123456', code })).toEqual({ code: 'OTP code must be 4 digits' });
    },
  );

  test('is any four digits, and stays text with its leading zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), (number) => {
        const code = String(number).padStart(4, '0');
        expect(z.parse(verifyOtp.body, { phone: '70123456', code }).code).toBe(code);
      }),
    );
    expect(z.safeParse(verifyOtp.body, { phone: '70123456', code: 1234 }).success).toBe(false);
  });
});

test.each([
  [{ newPassword: '12345' }, 'newPassword', 'Password must be at least 6 characters'],
  [{ confirmPassword: '12345' }, 'confirmPassword', 'Password must be at least 6 characters'],
  [{ confirmPassword: 'another1' }, 'confirmPassword', "Passwords don't match"],
  [{ token: '' }, 'token', expect.any(String)],
])('a new password with %j is refused on %s', (change, path, message) => {
  const form = { newPassword: 'secret1', confirmPassword: 'secret1', token: 'abc' };
  expect(z.parse(resetPasswordForm, form)).toEqual(form);
  expect(refusals(resetPasswordForm, { ...form, ...change })).toMatchObject({ [path]: message });
});

test.each([
  [{ isAdmin: true, isGuest: false, isVerified: false }, 'Admin'],
  [{ isAdmin: false, isGuest: true, isVerified: false }, 'Invité'],
  [{ isAdmin: false, isGuest: false, isVerified: true }, 'Vérifié'],
  [{ isAdmin: false, isGuest: false, isVerified: false }, 'Non vérifié'],
])('%j is shown as %s', (person, status) => {
  expect(accountStatus(person)).toBe(status);
});
