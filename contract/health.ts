import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component } from './shapes.ts';

const ok = component('Health', z.object({ status: z.literal('ok') }));

export const readLiveness = endpoint('readLiveness', 'GET', '/api/health/live', {
  access: 'anyone',
  summary: 'Answers as long as the process runs.',
  response: ok,
  topics: [],
});

export const readReadiness = endpoint('readReadiness', 'GET', '/api/health/ready', {
  access: 'anyone',
  summary: 'Answers when the product is for use: 503 while it starts or stops, and while the database is away.',
  response: ok,
  topics: [],
});
