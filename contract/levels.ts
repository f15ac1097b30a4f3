import * as z from 'zod/mini';

/** The depth of the catalogue (P6.1). */
export const maximumLevel = 5;

export const level = z.int().check(z.gte(1), z.lte(maximumLevel));
