import type * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError, NoAnswer, queryText } from './client.ts';

/**
 * Fetches a file from an endpoint; returns it with its number of rows, if counted. Throws `ApiError` for a refusal,
 * `NoAnswer` for an incomplete file.
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  query: z.input<E['query']> & object,
): Promise<{ file: Blob; rows: number | undefined }> {
  const lose = (cause: unknown): never => {
    throw new NoAnswer('the file did not come whole', { cause });
  };
  const asked = fetch(endpoint.path + queryText(query as Record<string, unknown>), { credentials: 'include' });
  const response = await asked.catch(lose);
  if (!response.ok) throw new ApiError(response.status, await response.text().catch(lose), response.statusText);
  const rows = response.headers.get('x-total-count');
  return { file: await response.blob().catch(lose), rows: rows === null ? undefined : Number(rows) };
}

/** Saves a file under this name, through the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after the click, in less than a minute.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
