import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { safeParse } from 'zod/mini';
import type { Endpoint, Upload } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { statementBytes, statementTooLarge } from '#contract/payment-feed.ts';
import { invalid, issuesOf } from './failures.ts';

/** Counts a file that a person uploaded, before it is processed. Throws TOO_MANY. */
export type CountUpload = (userId: number) => Promise<void>;

/** Reads a multipart body into memory: its validated data field and its one file, up to the size of its kind. Throws a 400 or a 413. */
export async function readUpload(
  request: FastifyRequest,
  { upload, body }: Endpoint & { upload: Upload },
): Promise<{ body: unknown; file: Buffer | undefined; fileName: string | undefined }> {
  if (!request.isMultipart()) throw new Failure('MEDIA_TYPE');
  let file: Buffer | undefined;
  let fileName: string | undefined;
  let isEmpty = false;
  let data: unknown;
  const fields: Record<string, unknown> = Object.create(null);
  const isStatement = upload.kind === 'statement';
  try {
    const limits = isStatement ? { fileSize: statementBytes } : undefined;
    for await (const part of request.parts(limits ? { limits } : {})) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname !== upload.fileField) continue;
        if (bytes.length > 0) [file, fileName] = [bytes, part.filename];
        // Browsers send an empty file field as an empty file without a name.
        else isEmpty = Boolean(part.filename);
      } else if (part.fieldname === upload.dataField) data = part.value;
      else fields[part.fieldname] = part.value;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // For images the code's own sentence names the size.
    if (isStatement && code === 'FST_REQ_FILE_TOO_LARGE')
      throw new Failure('FILE_TOO_LARGE', { message: statementTooLarge });
    if (code.startsWith('FST_')) throw error;
    throw new Failure('UPLOAD_MALFORMED');
  }
  if (isEmpty) throw new Failure('FILE_EMPTY');
  if (upload.required && !file) throw new Failure('FILE_MISSING');
  return { body: parseData(upload.dataField ? data : fields, body), file, fileName };
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
