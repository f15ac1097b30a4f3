import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Upload } from '#contract/endpoint.ts';

/** The OpenAPI document, from the endpoints' own schemas. */
export const openApiDocument: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Guichet', version: '1.0.0', description: 'Catalogue, tickets et administration.' },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'guichet_session' } },
    },
  },
  transform: (given) => {
    const transformed = jsonSchemaTransform(given);
    const { endpoint } = given.route.config ?? {};
    if (!endpoint) return transformed;
    return {
      ...transformed,
      schema: {
        ...transformed.schema,
        ...(endpoint.caller !== 'anyone' && { security: [{ session: [] }] }),
        ...(endpoint.idempotent && {
          headers: { type: 'object', properties: { 'idempotency-key': { type: 'string', maxLength: 255 } } },
        }),
        ...(endpoint.upload && { consumes: ['multipart/form-data'], body: multipartSchema(endpoint.upload) }),
      },
    };
  },
};

function multipartSchema({ fileField, dataField, required }: Upload) {
  return {
    type: 'object',
    properties: {
      [fileField]: { type: 'string', format: 'binary' },
      ...(dataField && { [dataField]: { type: 'string', description: 'JSON' } }),
    },
    required: [...(required ? [fileField] : []), ...(dataField ? [dataField] : [])],
  };
}
