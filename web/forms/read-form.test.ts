import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { resetPasswordForm, signUpForm } from '#contract/auth.ts';
import { ApiError, NoAnswer } from '#web/api/client.ts';
import { readForm, serverErrors } from './read-form.ts';

const signUp = {
  firstName: ' Awa ',
  lastName: 'Sawadogo',
  phone: '70 12 34 56',
  email: '',
  password: 'secret',
  confirmPassword: 'secret',
  countryCode: '+225',
};

describe('a form', () => {
  test('that is right gives its data as the contract reads it, and no errors', () => {
    const read = readForm(signUpForm, { ...signUp, isAdmin: 'true' });
    expect(read).toEqual({ data: { ...signUp, firstName: 'Awa', email: null } });
  });

  test.each([
    [{ phone: ' ' }, { phone: 'Saisissez votre numéro de téléphone.' }],
    [{ email: 'awa' }, { email: "Cette adresse e-mail n'est pas valide." }],
    [{ confirmPassword: '' }, { confirmPassword: 'Confirmez le mot de passe.' }],
    [{ confirmPassword: 'short' }, { confirmPassword: 'Le mot de passe doit contenir au moins 6 caractères.' }],
    [{ confirmPassword: 'another' }, { confirmPassword: 'Les mots de passe ne correspondent pas.' }],
    [
      { firstName: '', lastName: 'x'.repeat(81) },
      { firstName: 'Ce champ est requis.', lastName: 'Ce champ est limité à 80 caractères.' },
    ],
  ])('with %j says, in French, what is wrong with each field', (change, errors) => {
    expect(readForm(signUpForm, { ...signUp, ...change })).toEqual({ errors });
  });

  test('gives the first complaint about a field, and names a field inside another by its path', () => {
    const item = z.object({ name: z.string().check(z.minLength(2, 'Court.'), z.regex(/^a/, 'Sans a.')) });
    const read = readForm(z.object({ items: z.array(item) }), { items: [{ name: 'ab' }, { name: 'b' }] });
    expect(read).toEqual({ errors: { 'items.1.name': 'Court.' } });
  });

  test('that lacks its fields is refused on each', () => {
    expect(Object.keys(readForm(resetPasswordForm, {}).errors ?? {})).toEqual(
      expect.arrayContaining(['newPassword', 'confirmPassword', 'token']),
    );
  });
});

describe('what a refusing server says of each field', () => {
  const refusal = (body: unknown) => new ApiError(400, JSON.stringify(body), 'Bad Request');

  test('is read in French, the first complaint about each', () => {
    const issues = [
      { path: 'password', message: 'Password is required' },
      { path: 'phone', message: 'Numéro de téléphone invalide.' },
      { path: 'password', message: 'Trop long.' },
    ];
    expect(serverErrors(refusal({ code: 'INVALID', message: 'Password is required', issues }))).toEqual({
      password: 'Saisissez votre mot de passe.',
      phone: 'Numéro de téléphone invalide.',
    });
  });

  test.each<[what: string, error: unknown]>([
    ['a refusal that names no field', refusal({ code: 'PHONE_TAKEN', message: 'Ce numéro est déjà utilisé.' })],
    ['a page that is no JSON', new ApiError(502, '<html>', 'Bad Gateway')],
    ['no answer', new NoAnswer('x')],
    ['nothing', undefined],
  ])('is nothing for %s', (_, error) => {
    expect(serverErrors(error)).toEqual({});
  });
});
