import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { safeParse } from 'zod/mini';
import type { Endpoint, Upload } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { invalid, issuesOf } from './failures.ts';

/**
 * Reads a multipart body: the JSON of its data field, checked, and its one file, held in memory (5 MB at most).
 * Anything malformed is a 400, and nothing is left on the disk.
 */
export async function readUpload(
  request: FastifyRequest,
  { upload, body }: Endpoint & { upload: Upload },
): Promise<{ body: unknown; file: Buffer | undefined }> {
  if (!request.isMultipart()) throw new Failure('MEDIA_TYPE');
  let file: Buffer | undefined;
  let data: unknown;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname === upload.fileField) file = bytes;
      } else if (part.fieldname === upload.dataField) data = part.value;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_')) throw error;
    throw new Failure('UPLOAD_MALFORMED');
  }
  if (upload.required && !file?.length) throw new Failure('FILE_MISSING');
  return { body: upload.dataField ? parseData(data, body) : {}, file: file?.length ? file : undefined };
}

function parseData(data: unknown, schema: Endpoint['body']): unknown {
  let parsed: unknown;
  try {
    parsed = typeof data === 'string' ? JSON.parse(data) : data;
  } catch {
    throw new Failure('UPLOAD_MALFORMED');
  }
  const result = safeParse(schema, parsed);
  if (!result.success) throw invalid(issuesOf(result.error));
  return result.data;
}
