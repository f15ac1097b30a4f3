import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { documentation } from '#contract/shapes.ts';

export type JsonSchema = Record<string, unknown>;

/** Where a shape is from the API's side: what it takes, or what it answers. A default makes the two differ. */
export type Direction = 'input' | 'output';

export interface SchemaCollector {
  /** The shapes with a name, for the document's components. */
  components: Record<string, JsonSchema>;
  /** A contract's schema as JSON Schema, draft 2020-12 as OpenAPI 3.1 has it. Throws where one name would mean two shapes. */
  convert(schema: z.ZodMiniType, direction: Direction): JsonSchema;
  /** The same under a name of its own, unless it has one; answers the reference. */
  convertAs(name: string, schema: z.ZodMiniType, direction: Direction): JsonSchema;
}

export function collectSchemas(): SchemaCollector {
  const components: Record<string, JsonSchema> = {};

  function add(name: string, definition: JsonSchema): void {
    const shape = withComponentReferences(definition);
    delete shape.id;
    const known = components[name];
    if (known && !isDeepStrictEqual(known, shape)) throw new Error(`${name} is the name of two shapes`);
    components[name] = shape;
  }

  function convert(schema: z.ZodMiniType, direction: Direction): JsonSchema {
    // Inside an array, so that a schema which is a component itself is referred to like any other.
    const { items, $defs } = z.toJSONSchema(z.array(schema), {
      io: direction,
      metadata: documentation,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(jsonSchema as JsonSchema, zodSchema, direction),
    }) as { items: JsonSchema; $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs ?? {})) add(name, definition);
    return withComponentReferences(items);
  }

  return {
    components,
    convert,
    convertAs(name, schema, direction) {
      const converted = convert(schema, direction);
      if ('$ref' in converted) return converted;
      add(name, converted);
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}

/** Leaves out what zod says of JavaScript rather than of the API, and puts in what a transformation hides. */
function tidy(json: JsonSchema, schema: z.core.$ZodType, direction: Direction): void {
  const { input } = documentation.get(schema as z.ZodMiniType) ?? {};
  delete json.input;
  if (input && direction === 'input') {
    for (const key of ['type', 'anyOf', 'pattern']) delete json[key];
    Object.assign(json, input);
  }
  // An answer may grow a field without breaking who reads it.
  delete json.additionalProperties;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === 'date-time' || json.format === 'email') delete json.pattern;
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}
