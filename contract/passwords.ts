import * as z from 'zod/mini';
import { verbatim } from './shapes.ts';

export const minimumPasswordLength = 6;

/** 128 is where hashing a longer one would only cost time. */
export const password = verbatim(
  minimumPasswordLength,
  128,
  'Password must be at least 6 characters',
  'Le mot de passe est limité à 128 caractères.',
);

/** That a password to choose was typed twice alike. */
export const matching = z.refine<{ confirmPassword: string; password?: string; newPassword?: string }>(
  (form) => form.confirmPassword === (form.password ?? form.newPassword),
  { error: "Passwords don't match", path: ['confirmPassword'] },
);

/** A password that was chosen before, by whatever rules. */
export const presentPassword = verbatim(1, 128, 'Password is required');
