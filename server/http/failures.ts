import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { hasZodFastifySchemaValidationErrors, validatorCompiler } from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import * as z from 'zod';
import { Failure, type FailureCode, type Issue } from '#contract/failure.ts';
import { sqlState } from '#server/database/connect.ts';
import { httpLimits } from './limits.ts';

// zod's own messages are French; the contract words the others.
z.config(z.locales.fr());

/** Errors of Fastify and its plugins, with the contract's codes for them. */
const frameworkErrors: Record<string, FailureCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  FST_PARTS_LIMIT: 'UPLOAD_MALFORMED',
  FST_FILES_LIMIT: 'UPLOAD_MALFORMED',
  FST_FIELDS_LIMIT: 'UPLOAD_MALFORMED',
  FST_PROTO_VIOLATION: 'UPLOAD_MALFORMED',
  FST_ERR_HANDLER_TIMEOUT: 'BUSY',
};

/** SQLSTATEs of transient errors (PostgreSQL, appendix A): no connection or resources, timeouts, conflicts, or a read-only server. */
const passingDatabaseErrors = /^(?:08|53|57|58|40|55P03|25P0[34]|25006)/;
/** Messages and codes of the driver and the system for a lost or absent connection. */
const unreachable =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTCONN|ENOENT|EPIPE|ENOTFOUND|EAI_AGAIN|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END)|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|not queryable/;

/** The messages and codes of an error and its causes. */
function spellWhole(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.message} ${'code' in error ? error.code : ''} ${spellWhole(error.cause)}`;
}

/** SQLSTATEs that the caller's data causes (PostgreSQL, appendix A, class 22) if it passes the schemas. */
export const callersFault: Record<string, string> = {
  '22001': 'a text too long for its column',
  '22003': 'a number out of range',
  '22007': 'an invalid date or time',
  '22008': 'a date or time out of range',
  '22021': 'a character that the encoding does not have',
  '22023': 'an invalid value of a parameter, such as an unknown time zone',
  '2201B': 'an invalid regular expression',
  '2201W': 'a negative limit',
  '22P02': 'text that is no value of its type',
  '22P03': 'binary data that is no value of its type',
  '22P05': 'a character that cannot be converted, such as NUL in JSON',
};

/** Turns zod's issues into the API's, with dotted paths. */
export function issuesOf(error: { issues: readonly { path: PropertyKey[]; message: string }[] }): Issue[] {
  return error.issues
    .slice(0, httpLimits.issuesTold)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
}

/** A refusal of input, worded by its first issue. */
export function invalid(issues: Issue[]): Failure {
  return new Failure('INVALID', { issues, ...(issues[0] && { message: issues[0].message }) });
}

/** Node's error for a body whose sender closed the connection (`abortIncoming` in its `lib/_http_server.js`). */
const isHungUp = ({ message, code }: FastifyError) => message === 'aborted' && code === 'ECONNRESET';

/** Turns any error into the failure that the caller gets. */
export function asFailure(error: FastifyError): Failure {
  if (error instanceof Failure) return error;
  if (hasZodFastifySchemaValidationErrors(error))
    return invalid(
      error.validation.map((each) => ({
        path: each.instancePath.split('/').filter(Boolean).join('.'),
        message: each.message ?? '',
      })),
    );
  const known = frameworkErrors[error.code];
  if (known) return new Failure(known, known === 'BUSY' ? { retryAfter: httpLimits.retryAfterSeconds } : {});
  if (isHungUp(error)) return new Failure('INVALID');
  const state = sqlState(error);
  if (state && state in callersFault) return new Failure('INVALID');
  if ((state && passingDatabaseErrors.test(state)) || unreachable.test(spellWhole(error)))
    return new Failure('BUSY', { retryAfter: httpLimits.retryAfterSeconds });
  if (error.statusCode === 429) return new Failure('TOO_MANY');
  // @fastify/static answers 403 for a path that it does not serve; callers get 404.
  if (error.statusCode === 404 || error.statusCode === 403) return new Failure('NOT_FOUND');
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new Failure(error.statusCode === 413 ? 'TOO_LARGE' : 'INVALID');
  return new Failure('INTERNAL');
}

/** Answers every error with a failure body. Server errors are logged in full, under the id that the caller gets. */
export function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // Fastify's handler timeout includes the time of the body, which may still be arriving.
  const isLate = error.code === 'FST_ERR_HANDLER_TIMEOUT' && !request.raw.complete;
  const failure = isLate ? new Failure('TOO_SLOW') : asFailure(error);
  // The rest of the body is not waited for.
  if (failure.code === 'TOO_SLOW') reply.header('connection', 'close');
  const ours = failure.status >= 500;
  // A failure without a cause is intended, such as a busy export. Any other error here is a fault.
  if (ours && error instanceof Failure && error.cause === undefined)
    request.log.info({ code: failure.code }, 'request refused');
  else if (ours) request.log.error({ err: error }, 'request failed');
  const { retryAfter } = failure.details;
  // Other refusals are permanent, so they get no Retry-After.
  if (retryAfter && (failure.status === 429 || failure.status === 503))
    reply.header('retry-after', Math.ceil(retryAfter));
  void reply.code(failure.status).send({
    ...failure.details,
    message: failure.message,
    code: failure.code,
    ...(ours && { requestId: request.id }),
  });
}

/** The library's validator, except that a schema that throws counts as a refusal: no input may cause a 500. */
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
