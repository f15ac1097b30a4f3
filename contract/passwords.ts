import * as z from 'zod/mini';

export const minimumPasswordLength = 6;

/** 128 is where hashing a longer one would only cost time. */
export const password = z
  .string('Password must be at least 6 characters')
  .check(
    z.minLength(minimumPasswordLength, 'Password must be at least 6 characters'),
    z.maxLength(128, 'Password must be at most 128 characters'),
  );
