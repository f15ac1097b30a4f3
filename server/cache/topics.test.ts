import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Topic } from '#contract/topics.ts';
import { signUpBody, startSignUp, takeResetToken } from '#server/testing/auth-steps.ts';
import { orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildNotification,
  buildPaymentType,
  buildService,
  buildTicket,
  knownPassword,
  nextPhone,
} from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { hearTopics, sidOf, type TopicListener } from '#server/testing/hear-topics.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
let heard: TopicListener;
beforeAll(async () => {
  api = await startTestApi();
  heard = hearTopics(api);
  // Every answer is made anew: one from memory would hide a change that nobody announced.
  await api.app.changeFeed.stop();
});
afterAll(() => api.close());

describe('the topics that a read declares', () => {
  /** Six callers, and one thing of each kind; `{name}` in a text becomes the id of what has that name. */
  async function buildWorld() {
    const { user: a, client: byA } = await buildCaller(api);
    const { user: b, client: byB } = await buildCaller(api);
    const { user: administrator, client: byAdmin } = await buildAdmin(api);
    const guestFields = { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null };
    const { user: guest, client: byGuest } = await buildCaller(api, guestFields);
    const { user: unverified, client: byUnverified } = await buildCaller(api, { isVerified: false });
    const commissionRanges = [{ minPrice: 1, maxPrice: null, commissionType: 'fixed' as const, commissionValue: 5 }];
    const [root, final] = await buildFinalService(api.db, { commissionType: 'range', commissionRanges });
    const paymentType = await buildPaymentType(api.db, randomUUID());
    await api.pool.query('insert into payment_types (name, is_active) values ($1, false)', [randomUUID()]);
    const page = { slug: randomUUID(), title: 'Aide', content: 'Texte' };
    const { body: stored } = await byAdmin.post('/api/admin/content-pages', page);
    await byAdmin.post('/api/admin/background-settings', { opacity: 10, blur: 1 });
    const named = { serviceId: final?.id ?? null, paymentTypeId: paymentType.id, paymentTypeName: paymentType.name };
    const ticket = await buildTicket(api.db, a.id, named);
    const notification = await buildNotification(api.db, a.id);
    await buildNotification(api.db, b.id);
    const things = { a, b, admin: administrator, guest, unverified, root, final, paymentType, page: stored, ticket };
    const ids = Object.entries<{ id: number } | undefined>({ ...things, notification });
    const idOf = Object.fromEntries(ids.map(([name, thing]) => [name, String(thing?.id)]));
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => idOf[name] ?? page.slug);
    const people = { guest: byGuest, unverified: byUnverified, a: byA, b: byB, admin: byAdmin };
    return { ...things, clients: { stranger: api.client(), ...people }, idOf, fill };
  }
  type World = Awaited<ReturnType<typeof buildWorld>>;
  type Kind = keyof World['clients'];

  const reads: Record<string, string[]> = {
    readLiveness: ['/api/health/live'],
    readReadiness: ['/api/health/ready'],
    readMe: ['/api/auth/me'],
    listUsers: ['/api/admin/users?limit=10'],
    readUser: ['/api/admin/users/{a}'],
    readBackups: ['/api/admin/backups'],
    listRejectReasons: ['/api/admin/reject-reasons'],
    readSms: ['/api/admin/sms'],
    listSmsDeliveries: ['/api/admin/sms/deliveries'],
    readCodeDelivery: ['/api/auth/code-delivery?purpose=signup'],
    listAuditEntries: ['/api/admin/audit?actorId={a}'],
    exportAudit: ['/api/admin/audit-export?actorId={a}'],
    listServices: ['/api/services', '/api/services?parentId={root}'],
    listCatalogue: ['/api/catalogue'],
    listAllServices: ['/api/admin/services'],
    exportCatalogue: ['/api/admin/catalogue-export'],
    readServiceUse: ['/api/admin/services/{root}/use', '/api/admin/services/{final}/use'],
    readCommission: ['/api/commission/{final}?userPrice=1000'],
    listPaymentTypes: ['/api/payment-types'],
    readContentPage: ['/api/content-pages/{slug}'],
    listContentPages: ['/api/admin/content-pages'],
    readPageBackground: ['/api/admin/background-settings'],
    listTickets: ['/api/admin/tickets?limit=10'],
    readTicket: ['/api/admin/tickets/{ticket}'],
    exportTickets: ['/api/admin/ticket-export?timeZone=Africa/Lome&userId={a}'],
    countPendingTickets: ['/api/admin/pending-tickets'],
    readDashboard: ['/api/admin/dashboard?timeZone=Africa/Lome'],
    readOwnTicket: ['/api/tickets/{ticket}'],
    listUserTickets: ['/api/tickets/user/{a}', '/api/tickets/user/{b}'],
    listNotifications: ['/api/notifications/user/{a}', '/api/notifications/user/{b}'],
    countUnread: ['/api/notifications/user/{a}/unread-count'],
    readNotification: ['/api/notifications/{notification}'],
    readPushKey: ['/api/push/key'],
  };

  const password = 'nouveau1';
  /** What writes; a body is made, and what it needs is done, before anything is read. */
  const calls: [by: Kind, call: string, body?: (world: World) => object | Promise<object>][] = [
    ['stranger', 'POST /api/auth/signup', () => signUpBody(nextPhone())],
    ['stranger', 'POST /api/auth/verify-otp', signedUp],
    ['stranger', 'POST /api/auth/guest'],
    ['a', 'POST /api/auth/guest'],
    ['a', 'POST /api/auth/signin', ({ a }) => ({ phoneOrEmail: a.phone, password: knownPassword })],
    ['admin', 'POST /api/auth/signin', ({ a }) => ({ phoneOrEmail: a.phone, password: knownPassword })],
    ['guest', 'POST /api/auth/signin', ({ b }) => ({ phoneOrEmail: b.phone, password: knownPassword })],
    ['guest', 'POST /api/auth/verify-otp', signedUp],
    ['stranger', 'POST /api/auth/reset-password', resetForm],
    ['a', 'POST /api/auth/signout'],
    ['admin', 'POST /api/auth/signout'],
    ['guest', 'POST /api/auth/signout'],
    ['admin', 'PATCH /api/admin/users/{a}/reset-password', () => ({ password })],
    ['admin', 'PATCH /api/admin/users/{a}/deactivate'],
    ['admin', 'PATCH /api/admin/users/{unverified}/activate'],
    ['admin', 'PATCH /api/admin/users/{a}/administrator', () => ({ isAdmin: true })],
    ['admin', 'PUT /api/admin/reject-reasons', () => ({ reasons: [randomUUID()] })],
    [
      'admin',
      'PUT /api/admin/sms/settings',
      () => ({ perDay: 1_000 + Math.floor(Math.random() * 900_000), perCountryAndDay: 1_000, onDecision: true }),
    ],
    ['admin', 'POST /api/admin/sms/test', () => ({ phone: nextPhone() })],
    ['admin', 'DELETE /api/admin/users/{a}'],
    ['admin', 'DELETE /api/admin/users/{guest}'],
    ['admin', 'POST /api/services', ({ root }) => serviceForm({ name: 'Eau', parentId: root?.id })],
    ['admin', 'PUT /api/admin/services/{final}', () => serviceForm({ name: 'Gaz' })],
    ['admin', 'PUT /api/admin/services/{final}', () => serviceForm({ isVisible: false })],
    ['admin', 'PUT /api/admin/services/{final}', () => serviceForm({ commissionRanges: [] })],
    ['admin', 'DELETE /api/admin/services/{final}'],
    ['admin', 'PUT /api/admin/service-order', otherOrder],
    ['admin', 'POST /api/admin/catalogue-import', () => ({ csv: 'name\nEau', dryRun: false })],
    ['admin', 'POST /api/admin/payment-types', () => ({ name: randomUUID() })],
    ['admin', 'PUT /api/admin/payment-types/{paymentType}', () => ({ isActive: false })],
    ['admin', 'PUT /api/admin/payment-types/{paymentType}', () => ({ icon: '🟠', countries: ['+226'] })],
    ['admin', 'DELETE /api/admin/payment-types/{paymentType}'],
    ['admin', 'POST /api/admin/content-pages', () => ({ slug: randomUUID(), title: 'T', content: 'x' })],
    ['admin', 'PUT /api/admin/content-pages/{page}', () => ({ isActive: false })],
    ['admin', 'DELETE /api/admin/content-pages/{page}'],
    ['admin', 'POST /api/admin/background-settings', () => ({ opacity: 77 })],
    ['b', 'POST /api/tickets', order],
    ['a', 'POST /api/tickets/{ticket}/payment-declaration', () => ({ reference: 'PP240512.1234.A12345' })],
    ['admin', 'PATCH /api/tickets/{ticket}/status', () => ({ status: 'rejected', reason: 'Illisible' })],
    [
      'admin',
      'POST /api/admin/ticket-decisions',
      ({ ticket }) => ({ status: 'approved', tickets: [{ id: ticket.id }] }),
    ],
    ['a', 'PATCH /api/notifications/{notification}/read'],
    // The lists are long from then on.
    ['stranger', 'POST /api/init-data', emptyCatalogue],
  ];
  const statements = [
    "update users set first_name = 'Zita' where id = {a}",
    'update users set is_admin = true where id = {a}',
    'update users set is_admin = false where id = {admin}',
    'update users set is_verified = false where id = {a}',
    'delete from users where id = {b}',
    "insert into backups (file, finished_at, bytes) values ('x', now(), 1)",
    "update reject_reasons set text = text || '.'",
    `insert into sms_settings (per_day) values (2000)
       on conflict (id) do update set per_day = (sms_settings.per_day + 1) % 1000000`,
    "insert into sms_gateways (name, position, dial_codes) values ('{a}', 0, '226')",
    `insert into sms_messages (recipient, status, drop_after) values ('+22670123456', 'failed', now())`,
    "insert into audit_log (actor_id, action, status, ip) values ({a}, 'POST /api/auth/signin', 200, 'x')",
    "insert into alarms (key, level, message) values ('topics', 'warning', 'x')",
    `insert into sign_in_attempts (account, source, failures, next_at, forget_at)
       values ('user:{a}', 'any', 20, now(), now() + interval '1 h')`,
    'delete from sessions where user_id = {admin}',
    'delete from sessions where user_id in ({a}, {guest})',
    'update services set price = null where id = {final}',
    "update commission_ranges set commission_value = '7' where service_id = {final}",
    'delete from commission_ranges where service_id = {final}',
    'delete from services where id = {final}',
    'update payment_types set is_active = not is_active',
    'delete from payment_types where id = {paymentType}',
    "update content_pages set title = 'Autre' where id = {page}",
    'delete from background_settings',
    'update tickets set user_id = {b} where id = {ticket}',
    'delete from tickets where id = {ticket}',
    'update notifications set user_id = {b} where id = {notification}',
    'delete from notifications where user_id = {a}',
  ];
  const writes: [name: string, prepare: (world: World) => Promise<() => Promise<unknown>>][] = [
    ...statements.map((statement): (typeof writes)[number] => [
      statement,
      async ({ fill }) =>
        async () =>
          expect((await api.pool.query(fill(statement))).rowCount).toBeGreaterThan(0),
    ]),
    ...calls.map(([by, call, makeBody], index): (typeof writes)[number] => [
      `${index + 1}. ${call} by ${by}`,
      async (world) => {
        const [method, url = ''] = world.fill(call).split(' ');
        const body = await makeBody?.(world);
        return async () => {
          const { status } = await world.clients[by].send(method as Endpoint['method'], url, body);
          expect([200, 201]).toContain(status);
        };
      },
    ]),
  ];

  async function emptyCatalogue(): Promise<object> {
    for (const table of ['services', 'payment_types', 'content_pages']) await api.pool.query(`delete from ${table}`);
    return {};
  }
  async function otherOrder(): Promise<object> {
    await buildService(api.db);
    const { body } = await api.client().get('/api/services');
    return { parentId: null, ids: body.map(({ id }: { id: number }) => id).toReversed() };
  }
  async function signedUp(): Promise<object> {
    const phone = nextPhone();
    return { phone, code: (await startSignUp(api, phone)).code };
  }
  async function resetForm({ a }: World): Promise<object> {
    return { token: (await takeResetToken(api, a.phone)).token, newPassword: password, confirmPassword: password };
  }
  async function order(): Promise<object> {
    const { name } = await buildPaymentType(api.db, randomUUID());
    return orderBody(await buildFinalService(api.db), { paymentTypeName: name });
  }

  interface Change {
    /** What read changed, for whom, and how. */
    what: string;
    /** The topics that its endpoint declares and the write announced. */
    covering: Topic[];
    /** Whether the caller was let in or shut out, which the topics of their session and person tell. */
    byRights: boolean;
  }

  /** Reads everything as everybody, before and after a write, under the cookies that they had before. */
  async function changesBy([name, prepare]: (typeof writes)[number]): Promise<Change[]> {
    const world = await buildWorld();
    const write = await prepare(world);
    // What the worker has yet to note of a message would change what is read, whatever is written.
    await vi.waitFor(
      async () =>
        expect((await api.pool.query("select id from sms_messages where status = 'queued'")).rows).toEqual([]),
      { timeout: 10_000, interval: 10 },
    );
    // What b reads is what a does.
    const { b: _, ...callers } = world.clients;
    const readers = Object.entries(callers).map(([kind, { cookies }]) => {
      const client = api.client();
      for (const [name, value] of cookies) client.cookies.set(name, value);
      return { kind, client };
    });
    const readEach = async (operations: string[], by = readers) => {
      const answers = by.map(async ({ kind, client }) => {
        const read = [];
        for (const operation of operations.filter((each) => isWorthReading(kind, each, name)))
          for (const url of reads[operation]?.map(world.fill) ?? []) {
            const cookies = Object.fromEntries(client.cookies);
            const { statusCode, body, headers } = await request(api.app, { method: 'GET', url, cookies });
            expect(statusCode, url).toBeLessThan(500);
            read.push({
              kind,
              client,
              operation,
              url,
              status: statusCode,
              whole: `${headers['x-total-count']} ${body}`,
            });
          }
        return read;
      });
      return (await Promise.all(answers)).flat();
    };
    // What is read may be recorded, so the log is read before.
    const ofLog = ['listAuditEntries', 'exportAudit'];
    const others = Object.keys(reads).filter((operation) => !ofLog.includes(operation));
    const readAll = async () => [...(await readEach(ofLog)), ...(await readEach(others))];
    // Once for the log, which is read as far as it is about a: what is refused them a second time adds no row.
    await readEach(
      Object.keys(reads).filter((operation) => find(operation).access !== 'anyone'),
      readers.filter(({ kind }) => kind === 'a'),
    );
    const before = await readAll();
    const announced = await heard.during(async () => void (await write()));
    const after = await readAll();
    return before.flatMap(({ kind, client, operation, url, status, whole }, index) => {
      const now = after[index];
      if (!now || (now.status === status && now.whole === whole)) return [];
      const { path, access, topics: declared = [] } = find(operation);
      const inPath = new RegExp(path.replace(/:(\w+)/g, '(?<$1>[^/?]+)')).exec(url)?.groups;
      const names = { ...inPath, callerId: world.idOf[kind], sid: sidOf(client) } as Record<string, string>;
      const isAnnounced = (topic: Topic) =>
        announced.includes(topic.replace(/\{(\w+)\}/, (_, name) => `${names[name]}`));
      const refused = [status, now.status].some((each) => each === 401 || each === 403);
      const rights = access !== 'anyone' && refused ? (['user:{callerId}', 'session:{sid}'] as const) : [];
      return {
        what: `${operation} ${url} by ${kind}: ${status}, now ${now.status}; announced ${announced}`,
        covering: declared.filter(isAnnounced),
        byRights: rights.some(isAnnounced),
      };
    });
  }
  const isFull = inject('scale') === 'full';
  /**
   * What one reader stands for is read by that one: what is the same for everybody by `a`, and by whoever is refused one read
   * of each kind of access, and what depends on them. The slow tier has every reader read everything, after every write.
   */
  const isWorthReading = (kind: string, operation: string, write: string) => {
    if (operation === slowest)
      return kind === 'admin' && (isFull ? /ticket|user/ : /delete from tickets|first_name/).test(write);
    if (kind === 'admin' || isFull) return true;
    const { access, topics: own = [] } = find(operation);
    if (ofEachAccess.includes(operation) || own.some((topic) => /\{(callerId|sid)\}/.test(topic))) return true;
    return kind === 'a' && access !== 'admin';
  };
  const ofEachAccess = ['listServices', 'readMe', 'countUnread', 'listUsers'];
  /** Starts a thread each time. It has the rows of `listTickets`, which is read whatever is written. */
  const slowest = 'exportTickets';
  const find = (operation: string) => endpoints.find((each) => each.operation === operation) as Endpoint;

  /** Each write happens once, whichever tests look at it. */
  const observed = new Map<string, Promise<Change[]>>();
  function observe(write: (typeof writes)[number]): Promise<Change[]> {
    const [name] = write;
    const changes = observed.get(name) ?? changesBy(write);
    observed.set(name, changes);
    return changes;
  }

  const eachRead = endpoints.filter(({ method }) => method === 'GET');
  test('are held for every read', () => {
    expect(Object.keys(reads).toSorted(), 'each GET has a row in `reads`').toEqual(
      eachRead.map(({ operation }) => operation).toSorted(),
    );
  });

  test.each(writes.filter((_, index) => isFull || index % 5 === 0))(
    'are enough for %s: each answer that changed depends on one that is announced',
    async (...write) => {
      const changes = await observe(write);
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.filter(({ covering, byRights }) => covering.length === 0 && !byRights)).toEqual([]);
    },
  );

  if (isFull)
    test('are all needed: for each there is a write that changes the answer and announces no other of them', async () => {
      const needed = new Set<string>();
      for (const write of writes)
        for (const { what, covering, byRights } of await observe(write))
          if (covering.length === 1 && !byRights) needed.add(`${what.split(' ')[0]} ${covering[0]}`);
      const declared = eachRead.flatMap(({ operation, topics: own = [] }) =>
        own.map((topic) => `${operation} ${topic}`),
      );
      expect([...needed].toSorted(), 'each topic has a row in `calls` or `statements` that announces it alone').toEqual(
        declared.toSorted(),
      );
    }, 120_000);
});
