import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const ok = z.object({ status: z.literal('ok') });

export const readLiveness = endpoint({
  method: 'GET',
  path: '/api/health/live',
  caller: 'anyone',
  summary: 'Answers as long as the process runs.',
  response: ok,
});

export const readReadiness = endpoint({
  method: 'GET',
  path: '/api/health/ready',
  caller: 'anyone',
  summary: 'Answers when the database does; 503 otherwise.',
  response: ok,
});
