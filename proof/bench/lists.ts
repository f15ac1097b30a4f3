import { parseArgs } from 'node:util';
import type { Product } from '../../e2e/product.ts';
import { signInAdministrator } from './administrator.ts';
import { percentile, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

/**
 * How long an administrator waits for the lists, the searches and the dashboard at a million tickets, beside ten thousand,
 * in the same run: one caller, one call after the other, small and large by turns. The data folders named on the command
 * line are used as they are, and stay; else both are made up, which takes minutes.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({
    args: stage.args,
    options: { small: { type: 'string' }, large: { type: 'string' }, calls: { type: 'string', default: '60' } },
  });
  const calls = Number(values.calls);
  const small = await open(stage, values.small, { users: 1_000, tickets: 10_000 });
  const large = await open(stage, values.large, { users: 100_000, tickets: 1_000_000 });
  const rows: Rows = {};
  for (const [title, makePath] of Object.entries(questions())) {
    const paths = [await makePath(small), await makePath(large)] as const;
    const times: [number[], number[]] = [[], []];
    for (let call = -5; call < calls; call += 1)
      for (const [side, each] of [small, large].entries()) {
        const time = await timeOf(each, paths[side] as string);
        // The first calls of each warm it up.
        if (call >= 0) times[side as 0 | 1].push(time);
      }
    const [few, many] = times;
    rows[title] = {
      'p50 (ms)': round(percentile(many, 0.5)),
      'p95 (ms)': round(percentile(many, 0.95)),
      'at 10,000: p50': round(percentile(few, 0.5)),
      'at 10,000: p95': round(percentile(few, 0.95)),
      'p95 asked for': '< 50',
      'times as long (p50)': round(percentile(many, 0.5) / percentile(few, 0.5)),
      'asked for': '≤ 2',
    };
  }
  return rows;
}

interface Side {
  product: Product;
  cookie: string;
}

async function open(
  stage: Stage,
  folder: string | undefined,
  volume: { users: number; tickets: number },
): Promise<Side> {
  const dataDir = folder ?? makeFolder(stage);
  if (!folder) await fill(stage, dataDir, volume);
  const product = await openProduct(stage, dataDir, { LOG_LEVEL: 'error' });
  return { product, cookie: await signInAdministrator(product) };
}

async function get({ product, cookie }: Side, path: string): Promise<Response> {
  const response = await fetch(product.url + path, { headers: { cookie } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function timeOf(side: Side, path: string): Promise<number> {
  const start = performance.now();
  await (await get(side, path)).arrayBuffer();
  return performance.now() - start;
}

interface Ticket {
  id: number;
  createdAt: string;
  userId: number | null;
  beneficiaryPhoneNumber: string;
  totalPrice: string;
  servicePath: { name: string }[];
}

async function tickets(side: Side, query: Record<string, string> = {}): Promise<Ticket[]> {
  return (await get(side, list(query))).json() as Promise<Ticket[]>;
}
async function total(side: Side, query: Record<string, string>): Promise<number> {
  return Number((await get(side, list({ ...query, limit: '1' }))).headers.get('x-total-count'));
}

function list(query: Record<string, string>): string {
  return `/api/admin/tickets?${new URLSearchParams(query)}`;
}

/** What is asked, each as a path for a side, with what that side has. */
function questions(): Record<string, (side: Side) => Promise<string>> {
  const day = 86_400_000;
  const lastMonth = { from: new Date(Date.now() - 30 * day).toISOString() };
  const oldestMonth = async (side: Side) => {
    // A year of tickets, evenly: the oldest one is found from the front of its own month.
    const year = { to: new Date(Date.now() - 335 * day).toISOString() };
    const [newest] = await tickets(side, { ...year, limit: '1' });
    return {
      to: newest?.createdAt ?? '',
      from: new Date(Date.parse(newest?.createdAt ?? '') - 30 * day).toISOString(),
    };
  };
  const someUser = async (side: Side) => {
    const page = await tickets(side);
    return { userId: String(page.find((ticket) => ticket.userId)?.userId) };
  };
  const deep = async (side: Side) => {
    const [newest] = await tickets(side, { limit: '1' });
    return { before: String(Math.floor((newest?.id ?? 2) / 2)) };
  };
  /** A word of the paths whose share of the tickets comes nearest to what is wanted. */
  const wordOf = (share: number) => async (side: Side) => {
    const all = await total(side, {});
    const words = new Set(
      (await tickets(side, { limit: '1000' })).flatMap((ticket) =>
        ticket.servicePath.flatMap(({ name }) => name.split(/[\s']+/)),
      ),
    );
    let best = { word: '', distance: Number.POSITIVE_INFINITY };
    for (const word of [...words].filter((each) => each.length > 3)) {
      const distance = Math.abs(Math.log((await total(side, { search: word })) / all / share));
      if (distance < best.distance) best = { word, distance };
    }
    return { search: best.word };
  };
  const one = (query: Record<string, string>) => async () => list(query);
  const found =
    (make: (side: Side) => Promise<Record<string, string>>, more: Record<string, string> = {}) =>
    async (side: Side) =>
      list({ ...(await make(side)), ...more });
  const common = wordOf(0.2);
  const rare = wordOf(1 / 300);
  const pending = { status: 'pending' };
  return {
    'first page': one({}),
    'a deep page': found(deep),
    'a status: pending': one(pending),
    'a status: approved': one({ status: 'approved' }),
    'a status: rejected, deep': found(deep, { status: 'rejected' }),
    'the last 30 days': one(lastMonth),
    'the oldest month': found(oldestMonth),
    'a user': found(someUser),
    'status and month': one({ ...lastMonth, status: 'rejected' }),
    'status and user': found(someUser, { status: 'approved' }),
    'status, oldest month and user': async (side) =>
      list({ ...(await oldestMonth(side)), ...(await someUser(side)), status: 'approved' }),
    'search: a whole number': found(async (side) => ({ search: String((await tickets(side, { limit: '1' }))[0]?.id) })),
    'oldest first': one({ order: 'oldest' }),
    'oldest first, pending': one({ ...pending, order: 'oldest' }),
    'search: a name': one({ search: 'ouedraogo' }),
    'search: the end of a number': found(async (side) => ({
      search: (await tickets(side, { limit: '1' }))[0]?.beneficiaryPhoneNumber.slice(4) ?? '',
    })),
    'search: a total': found(async (side) => ({ search: (await tickets(side, { limit: '1' }))[0]?.totalPrice ?? '' })),
    'search: an SMS': found(async (side) => {
      const [ticket] = await tickets(side, { limit: '1' });
      const [from, total] = [ticket?.beneficiaryPhoneNumber.slice(4), ticket?.totalPrice];
      return { search: `Vous avez recu ${total} FCFA du ${from}. Nouveau solde: 15250 FCFA. ID: PP261122.1402.B77` };
    }),
    'search: three digits': one({ search: '482' }),
    'search: a common word': found(common),
    'search: a rare word': found(rare),
    'search: two letters': one({ search: 'fo' }),
    'search: an absent word': one({ search: 'introuvable' }),
    'search: two absent letters': one({ search: 'xq' }),
    'common word, pending': found(common, pending),
    'rare word, pending': found(rare, pending),
    'rare word, rejected': found(rare, { status: 'rejected' }),
    'rare word, last 30 days': found(rare, lastMonth),
    'two letters, rejected': one({ search: 'fo', status: 'rejected' }),
    'number, approved': one({ search: '482', status: 'approved' }),
    'users: first page': async () => '/api/admin/users',
    'users: a name': async () => '/api/admin/users?search=ouedraogo',
    'users: a number': async () => '/api/admin/users?search=70%2012%2034',
    'users: nobody': async () => '/api/admin/users?search=introuvable',
    dashboard: async () => '/api/admin/dashboard?timeZone=Africa/Ouagadougou',
    'pending count': async () => '/api/admin/pending-tickets',
  };
}
