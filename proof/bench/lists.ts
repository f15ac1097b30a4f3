import type { Ticket } from '../../contract/tickets.ts';
import type { Ends } from './children.ts';
import { figure, percentile, type Rows, readNumbers, round } from './figures.ts';
import { type Call, callAsAdministrator, fill, makeFolder, openProduct } from './product.ts';

type Query = Record<string, string>;

/**
 * How long an administrator waits for the lists, the searches and the dashboard at a million tickets (`--tickets`), one call after
 * the other (`--calls` of each). Generating the tickets takes minutes.
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { tickets, calls } = readNumbers(args, { tickets: 1_000_000, calls: 60 });
  const folder = makeFolder(ends);
  await fill(ends, folder, { users: tickets / 10, tickets });
  const { call } = await callAsAdministrator(await openProduct(ends, folder, { LOG_LEVEL: 'error' }));
  const rows: Rows = {};
  for (const [title, path] of Object.entries(await makeQuestions(call))) {
    const times: number[] = [];
    // The first five warm it up. Another number of rows each time, and so another answer: one from memory is not measured.
    for (let turn = -5; turn < calls; turn += 1) {
      const { ms } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${100 + turn}`);
      if (turn >= 0) times.push(ms);
    }
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share)) as [number, number];
    rows[`${title}, p95 (ms)`] = figure(p95, { below: 50 }, { 'p50 (ms)': round(p50) });
  }
  return rows;
}

const list = (...parts: Query[]) => `/api/admin/tickets?${new URLSearchParams(Object.assign({}, ...parts))}`;
const day = 86_400_000;

/** Each as a path, with what the database has. */
async function makeQuestions(call: Call): Promise<Record<string, string>> {
  const tickets = async (...parts: Query[]) => (await call('GET', list(...parts))).json<Ticket[]>();
  const page = await tickets();
  const newest = page[0] as Ticket;
  const [oldest] = await tickets({ order: 'oldest', limit: '1' });
  const deep = { before: String(Math.floor(newest.id / 2)) };
  const user = { userId: String(page.find(({ userId }) => userId)?.userId) };
  const lastMonth = { from: new Date(Date.now() - 30 * day).toISOString() };
  const oldestMonth = { to: new Date(Date.parse(oldest?.createdAt ?? '') + 30 * day).toISOString() };
  const from = newest.beneficiaryPhoneNumber.slice(4);
  const sms = `Vous avez recu ${newest.totalPrice} FCFA du ${from}. Nouveau solde: 15250 FCFA. ID: PP261122.1402.B77`;
  const [pending, approved, rejected] = [{ status: 'pending' }, { status: 'approved' }, { status: 'rejected' }];
  return {
    'first page': list(),
    'a deep page': list(deep),
    'pending, oldest first': list(pending, { order: 'oldest' }),
    'rejected, deep': list(rejected, deep),
    'the oldest month': list(oldestMonth),
    'a user': list(user),
    'rejected, last 30 days': list(rejected, lastMonth),
    'approved, oldest month, user': list(approved, oldestMonth, user),
    'search: a ticket number': list({ search: String(newest.id) }),
    'search: a name': list({ search: 'ouedraogo' }),
    'search: end of a number': list({ search: from }),
    'search: a total': list({ search: newest.totalPrice }),
    'search: an SMS': list({ search: sms }),
    'search: three digits, approved': list(approved, { search: '482' }),
    'search: a common word, pending': list(pending, { search: 'forfait' }),
    'search: two words': list({ search: 'bouquet togo' }),
    'search: a word, last 30 days': list({ search: 'timbre' }, lastMonth),
    'search: two letters': list({ search: 'fo' }),
    'search: an absent word': list({ search: 'introuvable' }),
    users: '/api/admin/users',
    'users: a name': '/api/admin/users?search=ouedraogo',
    'users: a number': '/api/admin/users?search=70%2012%2034',
    dashboard: '/api/admin/dashboard?timeZone=Africa/Ouagadougou',
    'pending count': '/api/admin/pending-tickets',
  };
}
