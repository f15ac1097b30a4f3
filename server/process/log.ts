import pino, { type DestinationStream, type Logger } from 'pino';
import { otpLength } from '#contract/auth.ts';
import { countryCodes } from '#contract/phone.ts';

/** The beginning of a failed query tells which it was. */
const queryCharacters = 500;

/** What a log says of an error: drizzle's carry the query's parameters, pg's the connection, and both hold secrets. */
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
// As people write numbers, and as a path has a space.
const gap = String.raw`(?:[\s.-]|%20)?`;
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const redactions: [what: RegExp, by: string][] = [
  // Headers that open something, in an object or in a list of names and values.
  [
    new RegExp(
      String.raw`("(?:cookie|set-cookie|authorization|proxy-authorization)"\s*[:,]\s*)(?:${text}|\[[^\]]*\])`,
      'gi',
    ),
    '$1"…"',
  ],
  [/\b((?:__Host-)?guichet_\w+)=[^;"\\\s]+/g, '$1=…'],
  [new RegExp(String.raw`("(?:password|newPassword|confirmPassword|token|secret)"\s*:\s*)${text}`, 'g'), '$1"…"'],
  // A code of an SMS; an error's has letters, or more digits.
  [new RegExp(String.raw`("code"\s*:\s*)"\d{${otpLength}}"`, 'g'), '$1"…"'],
  // Numbers in E.164, with or without their plus; not the addresses that look like one.
  [
    new RegExp(String.raw`(?<!\d|"address":")(?:\+|%2B|00)?(${codes})${gap}(?:\d${gap}){6,8}(\d\d)(?!\d)`, 'gi'),
    '+$1…$2',
  ],
];

/** A line of the log without what opens an account or tells whose it is. The one place where that is decided. */
export function redact(line: string): string {
  return redactions.reduce((left, [what, by]) => left.replace(what, by), line);
}

/** JSON lines on the standard output, or on the given stream; cookies, secrets and numbers never get in, at any level. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: describeError }, hooks: { streamWrite: redact } };
  return destination ? pino(options, destination) : pino(options);
}
