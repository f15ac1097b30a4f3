import * as z from 'zod/mini';

/** How deep the catalogue goes: the specification's five. */
export const maximumLevel = 5;

export const level = z.int().check(z.gte(1), z.lte(maximumLevel));
