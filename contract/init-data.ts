import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const initData = endpoint('initData', 'POST', '/api/init-data', {
  access: 'anyone',
  summary: 'Makes sure the starter data was written once; never touches an existing catalogue.',
  body: z.nullish(z.object({})),
  response: z.object({ seeded: z.boolean() }),
});
