import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { hasZodFastifySchemaValidationErrors, validatorCompiler } from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import * as z from 'zod';
import { Failure, type FailureCode, type Issue } from '#contract/failure.ts';
import { sqlState } from '#server/database/connect.ts';
import { httpLimits } from './limits.ts';

// Messages that the contract does not word itself are French.
z.config(z.locales.fr());

/** Fastify's and its plugins' own errors, as refusals of ours. */
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

/**
 * SQLSTATEs that mean "not now" (PostgreSQL, appendix A): no connection or resources, timeouts, conflicts, or a server
 * that takes no writes.
 */
const passingDatabaseErrors = /^(?:08|53|57|58|40|55P03|25P0[34]|25006)/;
/** What the driver and the system say of a connection that is not there, or not any more, by their words or their code. */
const unreachable =
  /ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTCONN|ENOENT|EPIPE|ENOTFOUND|EAI_AGAIN|ERR_STREAM_(?:DESTROYED|WRITE_AFTER_END)|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|not queryable/;

/** The words and codes of an error and of what caused it. */
function spellWhole(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.message} ${'code' in error ? error.code : ''} ${spellWhole(error.cause)}`;
}

/** SQLSTATEs that the caller's data is at fault for (PostgreSQL, appendix A, class 22), behind the schemas' checks. */
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

/** What Node says of a body whose sender ended the connection (`abortIncoming` in its `lib/_http_server.js`). */
const isHungUp = ({ message, code }: FastifyError) => message === 'aborted' && code === 'ECONNRESET';

/** Any error as the refusal that the caller gets. */
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
  // @fastify/static says 403 of a path it will not look at: for the caller there is nothing there.
  if (error.statusCode === 404 || error.statusCode === 403) return new Failure('NOT_FOUND');
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new Failure(error.statusCode === 413 ? 'TOO_LARGE' : 'INVALID');
  return new Failure('INTERNAL');
}

/** Answers every error as a failure body. What went wrong with us is logged whole under the id that the caller gets. */
export function answerFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // Fastify's time for a call covers its body, which may still be on its way.
  const isLate = error.code === 'FST_ERR_HANDLER_TIMEOUT' && !request.raw.complete;
  const failure = isLate ? new Failure('TOO_SLOW') : asFailure(error);
  // What is still on its way is not waited for.
  if (failure.code === 'TOO_SLOW') reply.header('connection', 'close');
  const ours = failure.status >= 500;
  // A refusal of ours is meant, such as that of a third export at once; whatever else comes to this, or caused one, is trouble.
  if (ours && error instanceof Failure && error.cause === undefined)
    request.log.info({ code: failure.code }, 'request refused');
  else if (ours) request.log.error({ err: error }, 'request failed');
  const { retryAfter } = failure.details;
  // Of other refusals the same call again never succeeds.
  if (retryAfter && (failure.status === 429 || failure.status === 503))
    reply.header('retry-after', Math.ceil(retryAfter));
  void reply.code(failure.status).send({
    ...failure.details,
    message: failure.message,
    code: failure.code,
    ...(ours && { requestId: request.id }),
  });
}

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
