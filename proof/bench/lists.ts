import { parseArgs } from 'node:util';
import type { Ends } from './children.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { callAsAdministrator, fill, makeFolder, openProduct } from './product.ts';

type Query = Record<string, string>;
interface Ticket {
  id: number;
  createdAt: string;
  userId: number | null;
  beneficiaryPhoneNumber: string;
  totalPrice: string;
  servicePath: { name: string }[];
}

/**
 * How long an administrator waits for the lists, the searches and the dashboard at a million tickets, beside ten thousand, by turns:
 * one call after the other. The data folders named on the command line are used as they are, and stay; else both are generated,
 * which takes minutes (`--tickets` makes the large one smaller).
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const options = { small: { type: 'string' }, large: { type: 'string' } } as const;
  const { values } = parseArgs({
    args,
    options: {
      ...options,
      calls: { type: 'string', default: '60' },
      tickets: { type: 'string', default: '1000000' },
    },
  });
  const many = Number(values.tickets);
  const sides = [
    await open(ends, values.small, { users: 1_000, tickets: 10_000 }),
    await open(ends, values.large, { users: many / 10, tickets: many }),
  ];
  const rows: Rows = {};
  for (const [title, makePath] of Object.entries(questions)) {
    const each = await Promise.all(
      sides.map(async (side) => ({ side, path: await makePath(side), times: [] as number[] })),
    );
    for (let call = -5; call < Number(values.calls); call += 1)
      for (const { side, path, times } of each) {
        // Another address each time: an answer from memory is not measured.
        const { ms } = await side.call('GET', `${path}${path.includes('?') ? '&' : '?'}turn=${call}`);
        // The first calls of each warm it up.
        if (call >= 0) times.push(ms);
      }
    const [small = [], large = []] = each.map(({ times }) => times);
    const [few, p50] = [percentile(small, 0.5), percentile(large, 0.5)];
    rows[title] = {
      ...figure(percentile(large, 0.95), { below: 50 }),
      'p50 (ms)': round(p50),
      'p95 at 10,000': round(percentile(small, 0.95)),
      'times as long (p50)': round(p50 / few),
    };
  }
  return rows;
}

async function open(ends: Ends, folder: string | undefined, volume: { users: number; tickets: number }) {
  const dataDir = folder ?? makeFolder(ends);
  if (!folder) await fill(ends, dataDir, volume);
  const call = await callAsAdministrator(await openProduct(ends, dataDir, { LOG_LEVEL: 'error' }));
  return {
    call,
    tickets: async (query: Query = {}) => (await call('GET', list(query))).json<Ticket[]>(),
    count: async (query: Query) =>
      Number((await call('GET', list({ ...query, limit: '1' }))).headers.get('x-total-count')),
  };
}
type Side = Awaited<ReturnType<typeof open>>;

const list = (query: Query) => `/api/admin/tickets?${new URLSearchParams(query)}`;
const day = 86_400_000;
const newest = async (side: Side) => (await side.tickets({ limit: '1' }))[0] as Ticket;

const lastMonth = { from: new Date(Date.now() - 30 * day).toISOString() };
const pending = { status: 'pending' };
/** The tickets are spread evenly over a year. */
const oldestMonth = async (side: Side): Promise<Query> => {
  const [last] = await side.tickets({ to: new Date(Date.now() - 335 * day).toISOString(), limit: '1' });
  const to = last?.createdAt ?? '';
  return { to, from: new Date(Date.parse(to) - 30 * day).toISOString() };
};
const oneUser = async (side: Side): Promise<Query> => {
  const owned = (await side.tickets()).find(({ userId }) => userId);
  return { userId: String(owned?.userId) };
};
const deep = async (side: Side): Promise<Query> => ({ before: String(Math.floor((await newest(side)).id / 2)) });
/** A word of the paths whose share of the tickets comes nearest to what is wanted. */
const word = (share: number) => async (side: Side) => {
  const all = await side.count({});
  const found = (await side.tickets({ limit: '1000' })).flatMap(({ servicePath }) =>
    servicePath.flatMap(({ name }) => name.split(/[\s']+/)),
  );
  let best = { word: '', distance: Number.POSITIVE_INFINITY };
  for (const each of new Set(found.filter(({ length }) => length > 3))) {
    const distance = Math.abs(Math.log((await side.count({ search: each })) / all / share));
    if (distance < best.distance) best = { word: each, distance };
  }
  return { search: best.word };
};
const [common, rare] = [word(0.2), word(1 / 300)];
const sms = async (side: Side): Promise<Query> => {
  const { beneficiaryPhoneNumber, totalPrice } = await newest(side);
  const from = beneficiaryPhoneNumber.slice(4);
  return { search: `Vous avez recu ${totalPrice} FCFA du ${from}. Nouveau solde: 15250 FCFA. ID: PP261122.1402.B77` };
};

/** A list of tickets by all of these. */
const tickets =
  (...parts: (Query | ((side: Side) => Promise<Query>))[]) =>
  async (side: Side) => {
    const queries = await Promise.all(parts.map((part) => (typeof part === 'function' ? part(side) : part)));
    return list(Object.assign({}, ...queries) as Query);
  };
const at = (path: string) => async () => path;

const questions: Record<string, (side: Side) => Promise<string>> = {
  'first page': tickets(),
  'a deep page': tickets(deep),
  'oldest first': tickets({ order: 'oldest' }),
  pending: tickets(pending),
  'pending, oldest first': tickets(pending, { order: 'oldest' }),
  'rejected, deep': tickets(deep, { status: 'rejected' }),
  'the oldest month': tickets(oldestMonth),
  'a user': tickets(oneUser),
  'rejected, last 30 days': tickets(lastMonth, { status: 'rejected' }),
  'approved, oldest month, user': tickets(oldestMonth, oneUser, { status: 'approved' }),
  'search: a ticket number': tickets(async (side) => ({ search: String((await newest(side)).id) })),
  'search: a name': tickets({ search: 'ouedraogo' }),
  'search: end of a number': tickets(async (side) => ({
    search: (await newest(side)).beneficiaryPhoneNumber.slice(4),
  })),
  'search: a total': tickets(async (side) => ({ search: (await newest(side)).totalPrice })),
  'search: an SMS': tickets(sms),
  'search: three digits': tickets({ search: '482' }),
  'search: three digits, approved': tickets({ search: '482', status: 'approved' }),
  'search: a common word, pending': tickets(common, pending),
  'search: a rare word': tickets(rare),
  'search: a rare word, rejected': tickets(rare, { status: 'rejected' }),
  'search: a rare word, last 30 days': tickets(rare, lastMonth),
  'search: two letters': tickets({ search: 'fo' }),
  'search: an absent word': tickets({ search: 'introuvable' }),
  users: at('/api/admin/users'),
  'users: a name': at('/api/admin/users?search=ouedraogo'),
  'users: a number': at('/api/admin/users?search=70%2012%2034'),
  dashboard: at('/api/admin/dashboard?timeZone=Africa/Ouagadougou'),
  'pending count': at('/api/admin/pending-tickets'),
};
