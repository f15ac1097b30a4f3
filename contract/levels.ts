import * as z from 'zod/mini';

/** How deep the catalogue goes (P6.1). */
export const maximumLevel = 5;

export const level = z.int().check(z.gte(1), z.lte(maximumLevel));
