import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { decisionsMeasuredAtLeast } from '#contract/tickets.ts';
import type { Topic } from '#contract/topics.ts';
import { signUpBody, startSignUp, takeResetToken } from '#server/testing/auth-steps.ts';
import { orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildFinalService,
  buildPaymentType,
  buildService,
  buildTicket,
  buildUser,
  knownPassword,
  nextNumber,
  nextPhone,
} from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { hearTopics, sidOf, type TopicListener } from '#server/testing/hear-topics.ts';
import { paymentCalls, paymentReads, paymentStatements } from '#server/testing/payment-topics.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { buildWorld, type Call, type World } from '#server/testing/world.ts';

let api: TestApi;
let heard: TopicListener;
beforeAll(async () => {
  api = await startTestApi();
  heard = hearTopics(api);
  // Enough for a usual time.
  const { id } = await buildUser(api.db);
  const hourAgo = { status: 'approved' as const, createdAt: new Date(Date.now() - 3_600_000) };
  await Promise.all(Array.from({ length: decisionsMeasuredAtLeast }, () => buildTicket(api.db, id, hourAgo)));
  // Every answer is made anew: one from memory would hide a change that nobody announced.
  await api.app.changeFeed.stop();
});
afterAll(() => api.close());

describe('the topics that a read declares', () => {
  const reads: Record<string, string[]> = {
    readLiveness: ['/api/health/live'],
    readReadiness: ['/api/health/ready'],
    readMe: ['/api/auth/me'],
    listUsers: ['/api/admin/users?limit=10'],
    readUser: ['/api/admin/users/{a}'],
    readBackups: ['/api/admin/backups'],
    listRejectReasons: ['/api/admin/reject-reasons'],
    readContact: ['/api/contact'],
    readSms: ['/api/admin/sms'],
    listSmsDeliveries: ['/api/admin/sms/deliveries'],
    readCodeDelivery: ['/api/auth/code-delivery?purpose=signup'],
    listAuditEntries: ['/api/admin/audit?actorId={a}'],
    listServices: ['/api/services', '/api/services?parentId={root}'],
    listCatalogue: ['/api/catalogue'],
    listAllServices: ['/api/admin/services'],
    exportCatalogue: ['/api/admin/catalogue-export'],
    readServiceUse: ['/api/admin/services/{root}/use', '/api/admin/services/{final}/use'],
    readCommission: ['/api/commission/{final}?userPrice=1000'],
    listPaymentTypes: ['/api/payment-types'],
    listDialTemplates: ['/api/admin/payment-types/{paymentType}/dial-templates'],
    readContentPage: ['/api/content-pages/{slug}'],
    listContentPages: ['/api/admin/content-pages'],
    readPageBackground: ['/api/admin/background-settings'],
    listTickets: ['/api/admin/tickets?limit=10'],
    readTicket: ['/api/admin/tickets/{ticket}'],
    exportTickets: ['/api/admin/ticket-export?timeZone=Africa/Lome&userId={a}'],
    countPendingTickets: ['/api/admin/pending-tickets'],
    readDecisionTime: ['/api/decision-time'],
    readDashboard: ['/api/admin/dashboard?timeZone=Africa/Lome'],
    readOwnTicket: ['/api/tickets/{ticket}'],
    readReceiptCode: ['/api/tickets/{ticket}/receipt'],
    readReceipt: ['/api/receipts/{receipt}'],
    listUserTickets: ['/api/tickets/user/{a}', '/api/tickets/user/{b}'],
    listNotifications: ['/api/notifications/user/{a}', '/api/notifications/user/{b}'],
    countUnread: ['/api/notifications/user/{a}/unread-count'],
    readNotification: ['/api/notifications/{notification}'],
    readPushKey: ['/api/push/key'],
    listBeneficiaries: ['/api/beneficiaries'],
    ...paymentReads,
  };

  const password = 'nouveau1';
  /** What writes; a body is made, and what it needs is done, before anything is read. */
  const calls: Call[] = [
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
    ['a', 'PATCH /api/auth/profile', () => ({ firstName: 'Zoé', lastName: 'Sow', email: 'zoe@exemple.bf' })],
    ['admin', 'POST /api/auth/signout'],
    ['guest', 'POST /api/auth/signout'],
    ['admin', 'PATCH /api/admin/users/{a}/reset-password', () => ({ password })],
    ['admin', 'PATCH /api/admin/users/{a}/deactivate'],
    ['admin', 'PATCH /api/admin/users/{unverified}/activate'],
    ['admin', 'PATCH /api/admin/users/{a}/administrator', () => ({ isAdmin: true })],
    ['admin', 'PUT /api/admin/reject-reasons', () => ({ reasons: [randomUUID()] })],
    ['admin', 'PUT /api/admin/contact', () => ({ whatsapp: nextPhone(), phone: nextPhone(), email: null })],
    [
      'admin',
      'PUT /api/admin/sms/settings',
      () => ({ perDay: 1_000 + nextNumber(), perCountryAndDay: 1_000, onDecision: true }),
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
    [
      'admin',
      'PUT /api/admin/payment-types/{paymentType}/dial-templates/{template}',
      () => ({ template: '*144*{marchand}*XX#', merchant: '1234', state: 'broken', message: 'En panne' }),
    ],
    ['admin', 'DELETE /api/admin/payment-types/{paymentType}/dial-templates/{template}'],
    [
      'admin',
      'POST /api/admin/payment-types/{paymentType}/dial-templates',
      () => ({ country: '+228', template: '*145*5*{montant}*{marchand}#', merchant: '1234' }),
    ],
    ['a', 'POST /api/tickets/{ticket}/code-report', () => ({ reason: 'other' })],
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
    ['a', 'PUT /api/beneficiaries/+22670123456', () => ({ name: randomUUID() })],
    ['a', 'DELETE /api/beneficiaries/+22670000001'],
    ...paymentCalls,
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
    `insert into contact_settings (email) values ('aide@exemple.bf')
       on conflict (id) do update set email = 'a' || contact_settings.email`,
    `insert into sms_settings (per_day) values (2000)
       on conflict (id) do update set per_day = (sms_settings.per_day + 1) % 1000000`,
    "insert into sms_gateways (name, position, dial_codes) values ('{a}', 0, '226')",
    `insert into sms_messages (recipient, status, drop_after) values ('+22670123456', 'failed', now())`,
    "insert into audit_log (actor_id, action, ip) values ({a}, 'POST /api/auth/signin', 'x')",
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
    "update dial_templates set state = 'reported' where id = {template}",
    "update dial_templates set merchant = '00000000' where id = {template}",
    "insert into code_reports (ticket_id, dial_template_id, reason) values ({ticket}, {template}, 'other')",
    'delete from payment_types where id = {paymentType}',
    "update content_pages set title = 'Autre' where id = {page}",
    'delete from background_settings',
    'update tickets set user_id = {b} where id = {ticket}',
    'delete from tickets where id = {ticket}',
    "update ticket_events set created_at = created_at + interval '1 h' where status <> 'pending'",
    'update notifications set user_id = {b} where id = {notification}',
    'delete from notifications where user_id = {a}',
    "update beneficiaries set name = 'Papa' where user_id = {a}",
    ...paymentStatements,
  ];
  const writes: [name: string, prepare: (world: World) => Promise<() => Promise<unknown>>][] = [
    ...statements.map((statement): (typeof writes)[number] => [
      statement,
      async ({ fill }) =>
        async () =>
          expect((await api.pool.query(fill(statement))).rowCount).toBeGreaterThan(0),
    ]),
    ...calls.map(([by, call, makeBody, headersOf], index): (typeof writes)[number] => [
      `${index + 1}. ${call} by ${by}`,
      async (world) => {
        const [method, url = ''] = world.fill(call).split(' ');
        const body = await makeBody?.(world);
        return async () => {
          const { status } = await world.clients[by].send(method as Endpoint['method'], url, body, headersOf?.(world));
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
    const world = await buildWorld(api);
    const write = await prepare(world);
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
            const whole = `${headers['x-total-count']} ${body}`;
            read.push({ kind, client, operation, url, status: statusCode, whole });
          }
        return read;
      });
      return (await Promise.all(answers)).flat();
    };
    // What is read may be recorded, so the log is read before.
    const ofLog = ['listAuditEntries'];
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
  /** Starts a thread each time. It has the rows of `listTickets`, which is read whatever is written. */
  const slowest = 'exportTickets';
  const isWorthReading = (kind: string, operation: string, write: string) =>
    operation !== slowest || (kind === 'admin' && /ticket|user/.test(write));
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

  test.each(writes)(
    'are enough for %s: each answer that changed depends on one that is announced',
    async (...write) => {
      const changes = await observe(write);
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.filter(({ covering, byRights }) => covering.length === 0 && !byRights)).toEqual([]);
    },
  );

  test('are all needed: for each there is a write that changes the answer and announces no other of them', async () => {
    const needed = new Set<string>();
    for (const write of writes)
      for (const { what, covering, byRights } of await observe(write))
        if (covering.length === 1 && !byRights) needed.add(`${what.split(' ')[0]} ${covering[0]}`);
    const declared = eachRead.flatMap(({ operation, topics: own = [] }) => own.map((topic) => `${operation} ${topic}`));
    expect([...needed].toSorted(), 'each topic has a row in `calls` or `statements` that announces it alone').toEqual(
      declared.toSorted(),
    );
  });
});
