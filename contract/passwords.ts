import * as z from 'zod/mini';
import { opaque, verbatim } from './shapes.ts';

export const minimumPasswordLength = 6;

/** A limit of 128 characters bounds the cost of hashing. */
export const password = verbatim(
  minimumPasswordLength,
  128,
  'Password must be at least 6 characters',
  'Le mot de passe est limité à 128 caractères.',
  opaque,
);

/** Checks that a new password was typed twice alike. */
export const matching = z.refine<{ confirmPassword: string; password?: string; newPassword?: string }>(
  (form) => form.confirmPassword === (form.password ?? form.newPassword),
  { error: "Passwords don't match", path: ['confirmPassword'] },
);

/** An existing password as typed, under any earlier rules: its hash may be of that spelling. */
export const presentPassword = verbatim(1, 128, 'Password is required');
