import { verbatim } from './shapes.ts';

export const minimumPasswordLength = 6;

/** 128 is where hashing a longer one would only cost time. */
export const password = verbatim(
  minimumPasswordLength,
  128,
  'Password must be at least 6 characters',
  'Password must be at most 128 characters',
);
