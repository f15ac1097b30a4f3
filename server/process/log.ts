import pino, { type DestinationStream, type Logger } from 'pino';
import { otpLength } from '#contract/auth.ts';
import { countryCodes } from '#contract/phone.ts';

/** Characters of a failed query that are logged: enough to recognise it. */
const queryCharacters = 500;

/** The parts of an error that are safe to log: drizzle's errors hold the query's parameters, pg's the connection. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, stack } = error;
  const query = 'query' in error ? { query: String(error.query).slice(0, queryCharacters) } : undefined;
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

const codes = countryCodes.map((code) => code.slice(1)).join('|');
// Separators inside written numbers; `%20` is a space in a path.
const gap = String.raw`(?:[\s.-]|%20)?`;
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const redactions: [what: RegExp, by: string][] = [
  // Headers with credentials, in an object or in a list of names and values.
  [
    new RegExp(
      String.raw`("(?:cookie|set-cookie|authorization|proxy-authorization)"\s*[:,]\s*)(?:${text}|\[[^\]]*\])`,
      'gi',
    ),
    '$1"…"',
  ],
  [/\b((?:__Host-)?guichet_\w+)=[^;"\\\s]+/g, '$1=…'],
  [new RegExp(String.raw`("(?:password|newPassword|confirmPassword|token|secret)"\s*:\s*)${text}`, 'g'), '$1"…"'],
  // A code sent by SMS. An error's code has letters, or more digits.
  [new RegExp(String.raw`("code"\s*:\s*)"\d{${otpLength}}"`, 'g'), '$1"…"'],
  // Numbers in E.164, with or without their plus, but not IP addresses that look like one.
  [
    new RegExp(String.raw`(?<!\d|"address":")(?:\+|%2B|00)?(${codes})${gap}(?:\d${gap}){6,8}(\d\d)(?!\d)`, 'gi'),
    '+$1…$2',
  ],
];

/** A log line without credentials, codes and phone numbers. The only place that decides what a log may hold. */
export function redact(line: string): string {
  return redactions.reduce((left, [what, by]) => left.replace(what, by), line);
}

/** Logs JSON lines to standard output or the given stream. Cookies, secrets and phone numbers are removed at every level. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: describeError }, hooks: { streamWrite: redact } };
  return destination ? pino(options, destination) : pino(options);
}
