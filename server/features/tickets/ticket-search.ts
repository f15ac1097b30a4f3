import { searchedWords } from '#contract/fold.ts';
import type { Db } from '#server/database/connect.ts';
import { listUserIdsBy, listUsersByPhones } from '#server/features/users/store.ts';
import { searchLimits } from './limits.ts';
import { type Message, readMeanings, readMessage, shortestReferencePart } from './read-search.ts';
import {
  countTickets,
  listMatchingPaths,
  listTickets,
  readLastTicketId,
  type TicketFilter,
  type TicketPage,
  type TicketSource,
  type TicketWithOwner,
} from './store.ts';
import { readTicketTally } from './tallies-store.ts';

/** The numbers from 1 to `last` that contain these digits in a row; `undefined` if there are more than `atMost`. */
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
 * A page of the matching tickets, with their number: exact without a search, a date or a user, else up to 10,000. Sources come from
 * `findSources`. Common matches are soon found among the first tickets, rare ones by their paths or possible numbers. So the first
 * tickets are searched first.
 */
export async function searchTickets(db: Db, { search, ...filter }: TicketSearch, page: TicketPage) {
  const sources = await findSources(db, search, filter);
  const rows = await readPage(db, sources, { ...filter, ...page });
  return { rows, count: await countAll(db, sources, filter) };
}

/**
 * The sources of a search (P16.1): tickets that contain it, or, if there are none, those that a pasted SMS names. Its references decide
 * first, then numbers with amounts, numbers, and its first amount.
 */
export async function findSources(
  db: Db,
  search: string | undefined,
  filter: Pick<TicketFilter, 'userId'>,
): Promise<TicketSource[]> {
  if (!search || searchedWords(search).length === 0) return [{ by: 'all' }];
  const said = await sourcesSaid(db, search, filter);
  const message = readMessage(search);
  if (!message || (await hasAny(db, said))) return said;
  for (const sources of await sourcesOfMessage(db, message)) if (await hasAny(db, sources)) return sources;
  return said;
}

/** Searched in all tickets: a filter that excludes every right one must not let others in. */
const hasAny = async (db: Db, sources: TicketSource[]) =>
  sources.length > 0 && (await countTickets(db, sources, {})).total > 0;

async function sourcesSaid(db: Db, search: string, { userId }: Pick<TicketFilter, 'userId'>): Promise<TicketSource[]> {
  const sources: TicketSource[] = [];
  const { ids, digits, name, ending, total, reference } = readMeanings(search);
  const pathIds = await listMatchingPaths(db, search);
  // One user's tickets are few, so all are searched.
  const everything = userId ? { first: searchLimits.everything } : {};
  if (pathIds.length > 0) sources.push({ by: 'paths', pathIds, ...everything });
  if (digits) {
    const numbers = numbersWith(digits, await readLastTicketId(db), searchLimits.numbers);
    if (!numbers) sources.push({ by: 'digits', digits, first: searchLimits.everything });
    else ids.push(...numbers);
  }
  if (ids.length > 0) sources.push({ by: 'numbers', ids });
  const userIds = name.length > 0 || ending ? await listUserIdsBy(db, { name, phoneEnding: ending }) : [];
  if (userIds.length > 0) sources.push({ by: 'users', userIds });
  if (ending) sources.push({ by: 'beneficiary', endings: [ending] });
  if (total !== undefined) sources.push({ by: 'total', total });
  if (reference)
    sources.push(
      reference.length < shortestReferencePart
        ? { by: 'references', references: [reference] }
        : { by: 'reference part', part: reference },
    );
  return sources;
}

async function sourcesOfMessage(db: Db, { ids, references, phones, totals }: Message): Promise<TicketSource[][]> {
  const userIds = (await listUsersByPhones(db, phones)).map(({ id }) => id);
  const [first] = totals;
  const withPhones = (costs: { totals?: number[] }): TicketSource[] => [
    ...(userIds.length > 0 ? [{ by: 'users' as const, userIds, ...costs }] : []),
    ...(phones.length > 0 ? [{ by: 'beneficiary' as const, endings: phones, ...costs }] : []),
  ];
  return [
    [
      ...(references.length > 0 ? [{ by: 'references' as const, references }] : []),
      ...(ids.length > 0 ? [{ by: 'numbers' as const, ids }] : []),
    ],
    totals.length > 0 ? withPhones({ totals }) : [],
    withPhones({}),
    first === undefined ? [] : [{ by: 'total', total: first }],
  ];
}

/** Sources that may have many of all tickets: a reference begins with its day. */
const isWide = (source: TicketSource) =>
  source.by === 'reference part' ||
  (source.by === 'paths' && source.pathIds.length > searchLimits.fewPaths) ||
  (source.by === 'users' && source.userIds.length > searchLimits.fewUsers);

async function readPage(
  db: Db,
  sources: readonly TicketSource[],
  query: TicketFilter & TicketPage,
): Promise<TicketWithOwner[]> {
  if (sources.length === 0) return [];
  if (sources.some(isWide)) {
    const first = sources.map((each) =>
      'first' in each || each.by === 'paths' || isWide(each) ? { ...each, first: searchLimits.first } : each,
    );
    const rows = await listTickets(db, first, query);
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
