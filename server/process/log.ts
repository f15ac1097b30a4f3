import pino, { type Logger } from 'pino';
import { logLimits } from './limits.ts';

/** What a log says of an error: drizzle's carry the query's parameters, pg's the connection, and both hold secrets. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, stack } = error;
  const query = 'query' in error ? { query: String(error.query).slice(0, logLimits.queryCharacters) } : undefined;
  const message = query ? 'Failed query' : error.message;
  return {
    type: name,
    message,
    ...query,
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined ? { cause: describeError(error.cause) } : {}),
    stack: query
      ? stack
          ?.split('\n')
          .filter((line) => line.startsWith('    at '))
          .join('\n')
      : stack,
  };
}

/** JSON lines on the standard output; cookies and secrets never get in. */
export function createLog(level: string): Logger {
  return pino({ level, serializers: { err: describeError } });
}
