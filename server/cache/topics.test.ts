import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Access, type Endpoint, hasETag } from '#contract/endpoint.ts';
import { type Topic, topics } from '#contract/topics.ts';
import { buildAdmin, buildCaller, buildTicket } from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { makeRequest, type Request, setStage } from '#server/testing/stage.ts';
import { request, startTestApi, type TestClient } from '#server/testing/test-api.ts';

const api = await startTestApi();
// Every answer is made anew: one from memory would hide a change that nobody announced.
await api.app.changeFeed.stop();

/** In no answer that is kept, or what the feed itself is made of. */
const shownNowhere = [
  'change_feed',
  'changes',
  'images',
  'job_runners',
  'once_flags',
  'otp_codes',
  'otp_flows',
  'payment_previous_addresses',
  'product_keys',
  'push_keys',
  'push_subscriptions',
  'rate_limits',
  'reset_tokens',
  'tallies',
  'tally_changes',
];

test('the database announces each kind of statement on each table that answers show', async () => {
  const { rows } = await api.pool.query<{ table: string; kinds: number }>(`
      select relname as table, coalesce(bit_or(tgtype & 60) filter (where proname like 'announce%'), 0)::int as kinds
      from pg_class left join pg_trigger on tgrelid = pg_class.oid and not tgisinternal
        left join pg_proc on pg_proc.oid = tgfoid
      where relnamespace = 'public'::regnamespace and relkind = 'r' group by 1 order by 1`);
  const [insertion, every] = [4, 4 | 8 | 16 | 32];
  expect(rows.filter(({ kinds }) => kinds === 0).map(({ table }) => table)).toEqual(shownNowhere);
  const some = rows.filter(({ kinds }) => kinds !== 0 && kinds !== every);
  // A session that begins was in no answer before.
  expect(some).toEqual([{ table: 'sessions', kinds: every - insertion }]);
});

/** Those who read: what each may ask for. */
const readers: Record<string, Access[]> = {
  stranger: ['anyone'],
  guest: ['signed-in'],
  owner: ['signed-in', 'verified'],
  admin: ['admin'],
};
type Reader = keyof typeof readers;

/** What is answered from memory, as long as none of its topics is announced. */
const reads = endpoints.filter(hasETag);

interface World {
  clients: Record<string, TestClient>;
  ids: Record<string, number>;
  requests: { endpoint: Endpoint; request: Request; by: Reader }[];
  ask: (endpoint: Endpoint) => Promise<Request>;
}

/** A person with one thing of each kind, and all that may be read of them. */
async function buildWorld(): Promise<World> {
  const { user: owner, client } = await buildCaller(api);
  const { user: admin, client: byAdmin } = await buildAdmin(api);
  const fields = { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null };
  const { user: guest, client: byGuest } = await buildCaller(api, fields);
  const stage = setStage(api, owner);
  await buildTicket(api.db, owner.id, { status: 'approved' });
  const requests = [];
  for (const endpoint of reads)
    for (const [by, may] of Object.entries(readers))
      if (may.includes(endpoint.access) || (endpoint.looksAtSession && by !== 'guest'))
        requests.push({ endpoint, request: await makeRequest(endpoint, stage), by });
  return {
    clients: { stranger: api.client(), guest: byGuest, owner: client, admin: byAdmin },
    ids: { owner: owner.id, admin: admin.id, guest: guest.id },
    requests,
    ask: (endpoint) => makeRequest(endpoint, stage),
  };
}

const words = topics.map((topic) =>
  topic.replace(/\{(?:\w+Id|id)\}/, '(?:\\d+|\\*)').replace('{sid}', '(?:[0-9a-f]{64}|\\*)'),
);
const oneOfTheContract = expect.stringMatching(new RegExp(`^(?:${words.join('|')})$`));

/** The topics that are announced while something is done, each once. */
async function listAnnounced(work: () => Promise<unknown>): Promise<string[]> {
  const { rows: before } = await api.pool.query<{ now: string }>('select pg_current_snapshot()::text as now');
  await work();
  const { rows } = await api.pool.query<{ topic: string }>(
    'select distinct topic from changes where not pg_visible_in_snapshot(xid, $1) order by topic',
    [before[0]?.now],
  );
  const announced = rows.map(({ topic }) => topic);
  expect(announced).toEqual(announced.map(() => oneOfTheContract));
  return announced;
}

/** The primary key of a caller's session. */
const sidOf = (client: TestClient): string =>
  createHash('sha256')
    .update(client.cookies.get('guichet_session') ?? '')
    .digest('hex');

/** What is answered does one write after another, and says which answers changed of which none depends on what was announced. */
async function watchAnswers(world: World) {
  // Under the cookies that they have now, also after a write.
  const people = Object.entries(world.clients);
  const cookies = Object.fromEntries(people.map(([by, client]) => [by, Object.fromEntries(client.cookies)]));
  const sids = Object.fromEntries(people.map(([by, client]) => [by, sidOf(client)]));
  const read = async ({ request: asked, by }: World['requests'][number]) => {
    const { statusCode, body, headers } = await request(api.app, { url: asked.url, cookies: cookies[by] ?? {} });
    expect(statusCode, asked.url).toBeLessThan(500);
    return { statusCode, whole: `${statusCode} ${headers['x-total-count']} ${body}` };
  };
  const readAll = () => Promise.all(world.requests.map(read));
  let after = await readAll();
  return async (write: () => Promise<unknown>): Promise<string[]> => {
    const before = after;
    const announced = await listAnnounced(write);
    after = await readAll();
    return world.requests.flatMap(({ endpoint, request: asked, by }, index) => {
      const [then, now] = [before[index], after[index]];
      if (then?.whole === now?.whole) return [];
      const { path, access, topics: own = [] } = endpoint;
      const inPath = new RegExp(path.replace(/:(\w+)/g, '(?<$1>[^/?]+)')).exec(asked.url)?.groups;
      const names: Record<string, unknown> = { ...inPath, callerId: world.ids[by], sid: sids[by] };
      const fill = (topic: Topic) => topic.replace(/\{(\w+)\}/, (_, name) => `${names[name]}`);
      const isAnnounced = (topic: Topic) =>
        announced.includes(fill(topic)) || announced.includes(topic.replace(/\{\w+\}/, '*'));
      const isRefused = [then, now].some((each) => each?.statusCode === 401 || each?.statusCode === 403);
      const rights: Topic[] = access !== 'anyone' && isRefused ? ['user:{callerId}', 'session:{sid}'] : [];
      if ([...own, ...rights].some(isAnnounced)) return [];
      return `${endpoint.operation} by ${by}: ${then?.whole.slice(0, 200)}\nnow ${now?.whole.slice(0, 200)}\nannounced ${announced}`;
    });
  };
}

describe('no answer changes without the announcement of one of its topics', () => {
  const callers: Record<Access, string> = {
    anyone: 'stranger',
    'signed-in': 'guest',
    verified: 'owner',
    admin: 'admin',
  };
  const writes = endpoints.filter(({ method }) => method !== 'GET');
  // Of whom a call depends on without asking for it.
  const more = writes.filter(({ looksAtSession, operation }) => looksAtSession || operation === 'signOut');
  test.each([
    ...writes.map((each) => [each.operation, callers[each.access], each] as const),
    ...more.flatMap((each) => (['owner', 'guest'] as const).map((by) => [each.operation, by, each] as const)),
  ])('by %s of a %s', async (_, by, endpoint) => {
    const world = await buildWorld();
    const { method, url, body, headers } = await world.ask(endpoint);
    const findUnannounced = await watchAnswers(world);
    const unannounced = await findUnannounced(async () => {
      const answer = await world.clients[by]?.send(method, url, body, headers);
      expect([200, 201], JSON.stringify(answer?.body)).toContain(answer?.status);
    });
    expect(unannounced).toEqual([]);
  });

  test('by SQL that empties any table', async () => {
    // Rows of the log are only added, which calls do. Tables go before those that they refer to.
    const { rows } = await api.pool.query<{ name: string }>(
      `with recursive tables (id, depth) as (
         select oid, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         union select confrelid, depth + 1 from tables join pg_constraint on conrelid = id and confrelid <> id and depth < 9)
       select relname as name from tables join pg_class on oid = id where relname <> all($1)
       group by 1 order by max(depth), 1`,
      [[...shownNowhere, 'audit_log', 'users', 'sessions']],
    );
    expect(rows.length).toBeGreaterThan(13);
    const found: string[] = [];
    // Who reads is known until the end.
    for (const names of [[...rows.map(({ name }) => name), 'sessions'], ['users']]) {
      const findUnannounced = await watchAnswers(await buildWorld());
      for (const name of names)
        found.push(...(await findUnannounced(() => api.pool.query(`truncate ${name} cascade`))));
    }
    expect(found).toEqual([]);
  });
});
