import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import { invalid } from './failures.ts';

/** The library's, but that a schema that throws has refused: no input makes a 500. */
export const refusingValidator: FastifySchemaCompiler<ZodType> = (route) => {
  const validate = validatorCompiler(route);
  return (data: unknown) => {
    try {
      return validate(data);
    } catch {
      return { error: invalid([]) };
    }
  };
};
