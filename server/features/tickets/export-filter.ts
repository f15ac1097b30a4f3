import type { Db } from '#server/database/connect.ts';
import type { TicketSearch } from './search-tickets.ts';
import { listMatchingPaths } from './store.ts';

/** A search as a condition over `tickets t`, with its parameters from $1 on, for the thread that writes the file. */
export async function exportFilterOf(
  db: Db,
  { search, status, from, to, userId }: TicketSearch,
): Promise<{ where: string; values: unknown[] }> {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (status) conditions.push(`t.status = ${parameter(status)}`);
  if (from) conditions.push(`t.created_at >= ${parameter(from)}::timestamptz`);
  if (to) conditions.push(`t.created_at <= ${parameter(to)}::timestamptz`);
  if (userId) conditions.push(`t.user_id = ${parameter(userId)}`);
  if (search) {
    const found = [`t.path_id = any(${parameter(await listMatchingPaths(db, search))}::int[])`];
    if (/^\d+$/.test(search)) found.push(`t.id::text like ${parameter(`%${search}%`)}`);
    conditions.push(`(${found.join(' or ')})`);
  }
  return { where: conditions.join(' and ') || 'true', values };
}
