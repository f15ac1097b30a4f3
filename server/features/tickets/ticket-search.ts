import type { Db } from '#server/database/connect.ts';
import { readTicketTally } from '#server/features/tallies/store.ts';
import { searchLimits } from '#server/process/limits.ts';
import {
  countTickets,
  listMatchingPaths,
  listTickets,
  readLastTicketId,
  type TicketFilter,
  type TicketSource,
  type TicketWithOwner,
} from './store.ts';

/** The numbers from 1 to `last` whose digits hold these in a row; `undefined` when there are more than `atMost`. */
export function numbersWith(digits: string, last: number, atMost: number): number[] | undefined {
  const found = new Set<number>();
  const places = String(last).length;
  const shift = 10 ** digits.length;
  for (let after = 0; after <= places - digits.length; after += 1) {
    const step = 10 ** after;
    // A number does not begin with a zero.
    for (let above = digits.startsWith('0') ? 1 : 0; ; above += 1) {
      const first = (above * shift + Number(digits)) * step;
      if (first > last) break;
      for (let number = first; number < first + step && number <= last; number += 1) found.add(number);
      if (found.size > atMost) return undefined;
    }
  }
  return [...found];
}

export type TicketSearch = TicketFilter & { search?: string | undefined };

/**
 * A page of the tickets that match, newest first, and how many there are in all: exactly without a search, a date or a
 * user, else up to 10,000. A search looks in the ticket's number, as text, and in the names of its path (P16.1). Common
 * matches are quickly found among the newest tickets, rare ones by their paths or possible numbers: so the newest are read
 * first.
 */
export async function searchTickets(
  db: Db,
  { search, ...filter }: TicketSearch,
  page: { limit: number; before?: number | undefined },
) {
  const sources = await sourcesOf(db, search, filter);
  const rows = await readPage(db, sources, { ...filter, ...page });
  return { rows, count: await countAll(db, sources, filter) };
}

async function sourcesOf(db: Db, search: string | undefined, { userId }: TicketFilter): Promise<TicketSource[]> {
  if (!search) return [{ by: 'all' }];
  const sources: TicketSource[] = [];
  const pathIds = await listMatchingPaths(db, search);
  // One user's tickets are few: they are all looked through.
  const everything = userId ? { newest: searchLimits.everything } : {};
  if (pathIds.length > 0) sources.push({ by: 'paths', pathIds, ...everything });
  if (/^\d{1,10}$/.test(search)) {
    const ids = numbersWith(search, await readLastTicketId(db), searchLimits.numbers);
    if (ids?.length !== 0)
      sources.push(ids ? { by: 'numbers', ids } : { by: 'digits', digits: search, newest: searchLimits.everything });
  }
  return sources;
}

async function readPage(
  db: Db,
  sources: readonly TicketSource[],
  query: TicketFilter & { limit: number; before?: number | undefined },
): Promise<TicketWithOwner[]> {
  if (sources.length === 0) return [];
  const isWide = sources.some((each) => each.by === 'paths' && each.pathIds.length > searchLimits.fewPaths);
  if (isWide) {
    const newest = sources.map((each) =>
      'newest' in each || each.by === 'paths' ? { ...each, newest: searchLimits.newest } : each,
    );
    const rows = await listTickets(db, newest, query);
    if (rows.length === query.limit) return rows;
  }
  return listTickets(db, sources, query);
}

async function countAll(db: Db, sources: readonly TicketSource[], filter: TicketFilter) {
  if (sources.length === 0) return { total: 0, capped: false };
  const { status, ...others } = filter;
  const unfiltered = Object.values(others).every((each) => each === undefined);
  if (sources[0]?.by !== 'all' || !unfiltered) return countTickets(db, sources, filter);
  const tally = await readTicketTally(db);
  const total = status ? tally[status] : tally.pending + tally.approved + tally.rejected;
  return { total, capped: false };
}
