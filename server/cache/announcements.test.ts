import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderBody, serviceForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildFinalService,
  buildMatchedLine,
  buildNotification,
  buildPaymentMessage,
  buildPaymentSource,
  buildPaymentType,
  buildTicket,
  buildUser,
  knownPassword,
} from '#server/testing/builders.ts';
import { hearTopics, sidOf, type TopicListener } from '#server/testing/hear-topics.ts';
import { startTestApi, type TestApi, type TestClient, type TestResponse } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let heard: TopicListener;
beforeAll(async () => {
  api = await startTestApi();
  heard = hearTopics(api);
});
beforeEach(async () => {
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

/** What a statement needs to be there, which is not announced. */
const there = (rows: string) => `set local guichet.quiet = 'on'; ${rows}; set local guichet.quiet = 'off'; `;

test('a ticket is announced to its user and to the administrators, its decision to the notifications too', async () => {
  const { user, client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  await buildPaymentType(api.db);
  const filed = await heard.of(201, () => client.post('/api/tickets', orderBody(path)));
  expect(filed).toEqual(expect.arrayContaining(['tickets', `user:${user.id}:tickets`]));
  expect(filed).not.toContain(`user:${user.id}:notifications`);

  const { id } = await buildTicket(api.db, user.id);
  const decide = () => admin.patch(`/api/tickets/${id}/status`, { status: 'approved' });
  expect(await heard.of(200, decide)).toEqual(
    expect.arrayContaining(['tickets', `user:${user.id}:tickets`, `user:${user.id}:notifications`]),
  );
  expect(await heard.of(200, decide)).not.toContain(`user:${user.id}:notifications`);
});

test('a notification read is announced to its user alone', async () => {
  const { user, client } = await buildCaller(api);
  const { id } = await buildNotification(api.db, user.id);
  const topics = await heard.of(200, () => client.patch(`/api/notifications/${id}/read`));
  expect(topics.filter((topic) => topic.includes(':notifications'))).toEqual([`user:${user.id}:notifications`]);
});

test('the end of a session is announced under the hash that the database knows, never under the cookie', async () => {
  const { client } = await buildCaller(api);
  const [cookie, sid] = [client.cookies.get('guichet_session') ?? '', sidOf(client)];
  const topics = await heard.of(200, () => client.post('/api/auth/signout'));
  expect(topics).toContain(`session:${sid}`);
  expect(topics.join()).not.toContain(cookie);
});

test('signing in again ends the session before', async () => {
  const { user, client } = await buildCaller(api);
  const sid = sidOf(client);
  const again = () => client.post('/api/auth/signin', { phoneOrEmail: user.phone, password: knownPassword });
  expect(await heard.of(200, again)).toContain(`session:${sid}`);
});

test.each(['deactivate', 'reset-password'])('%s announces the user and the end of each session', async (action) => {
  const { user, client } = await buildCaller(api);
  const body = action === 'reset-password' ? { password: 'nouveau1' } : undefined;
  const topics = await heard.of(200, () => admin.patch(`/api/admin/users/${user.id}/${action}`, body));
  expect(topics).toEqual(expect.arrayContaining(['users', `user:${user.id}`, `session:${sidOf(client)}`]));
});

test('activating and deleting announce the user; deleting, also the tickets that lose theirs', async () => {
  const user = await buildUser(api.db, { isVerified: false });
  const activate = () => admin.patch(`/api/admin/users/${user.id}/activate`);
  expect(await heard.of(200, activate)).toEqual(expect.arrayContaining(['users', `user:${user.id}`]));
  await buildTicket(api.db, user.id);
  await buildNotification(api.db, user.id);
  expect(await heard.of(200, () => admin.delete(`/api/admin/users/${user.id}`))).toEqual(
    expect.arrayContaining([
      'users',
      'tickets',
      `user:${user.id}`,
      `user:${user.id}:tickets`,
      `user:${user.id}:notifications`,
    ]),
  );
});

test('what is refused or only read announces nothing, but for its own row in the audit log', async () => {
  const { client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  const recorded = ['audit'];
  const calls: [number, string[], () => Promise<TestResponse>][] = [
    [200, [], () => api.client().get('/api/services')],
    [200, [], () => admin.get('/api/admin/tickets')],
    [200, [], () => admin.get('/api/admin/audit')],
    [409, [], () => client.post('/api/tickets', orderBody(path, { totalPrice: 1 }))],
    [403, recorded, () => client.post('/api/services', serviceForm({ name: 'x' }))],
    // A repeated one is counted, and written when the period ends.
    [403, [], () => client.post('/api/services', serviceForm({ name: 'x' }))],
    [400, recorded, () => admin.post('/api/services', serviceForm({ name: 'x', parentId: 2_000_000_000 }))],
    [409, recorded, () => admin.delete(`/api/admin/services/${path[0]?.id}`)],
    [
      401,
      recorded,
      () => api.client().post('/api/auth/signin', { phoneOrEmail: '+22670999999', password: 'faux-mot' }),
    ],
    [200, recorded, () => admin.get('/api/admin/audit-export')],
  ];
  for (const [status, announced, call] of calls) expect(await heard.of(status, call)).toEqual(announced);
});

describe('each statement on each table', () => {
  /** A user with one row of each kind; a name after a colon in a statement becomes the id of what has that name. */
  async function build() {
    const { user, client } = await buildCaller(api);
    const { user: other } = await buildCaller(api);
    const [, service] = await buildFinalService(api.db, {
      commissionType: 'range',
      commissionRanges: [{ minPrice: 1, maxPrice: null, commissionType: 'fixed', commissionValue: 5 }],
    });
    const ticket = await buildTicket(api.db, user.id);
    const orphan = await buildTicket(api.db, user.id);
    await api.pool.query('update tickets set user_id = null where id = $1', [orphan.id]);
    const { id: notification } = await buildNotification(api.db, user.id);
    const { id: paid } = await buildTicket(api.db, other.id);
    const { id: line, accountId } = await buildMatchedLine(api.db, paid);
    await buildPaymentSource(api.db, { accountId });
    await buildPaymentMessage(api.db, { accountId });
    const ids: Record<string, number | string | undefined> = {
      user: user.id,
      other: other.id,
      service: service?.id,
      ticket: ticket.id,
      orphan: orphan.id,
      notification,
      account: accountId,
      line,
      sid: sidOf(client),
    };
    return {
      user: user.id,
      other: other.id,
      sid: sidOf(client),
      fill: (text: string) => text.replace(/:(\w+)/g, (_, name) => `${ids[name]}`),
    };
  }

  const ticketRow = `insert into tickets (user_id, payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, fingerprint)
    select users.id, 'W', 1, 0, '1', '[{"id": 1, "name": "E", "price": null, "level": 1}]', '+22670123456', 'f' from users`;
  const everyone = ['user:{other}:tickets', 'user:{user}:tickets'];
  // A row for a statement that changes one.
  const report = "insert into code_reports (ticket_id, reason) values (:orphan, 'other')";
  const page = "insert into content_pages (slug, title, content) values ('q:user', 'T', 'x')";
  const background = 'insert into background_settings (opacity, blur, is_active) values (1, 1, false)';
  const reason = "insert into reject_reasons (position, text) values (90, 'X') on conflict do nothing";
  const contact = "insert into contact_settings (email) values ('a@b.bf') on conflict do nothing";
  const message = "insert into sms_messages (recipient, body, drop_after) values ('+22670123456', 'x', now())";
  const day = "insert into sms_days values ('2026-01-02', ':user', 1)";
  const gateway = "insert into sms_gateways (name, dial_codes) values ('h:user', '226')";
  const caps = 'insert into sms_settings default values on conflict do nothing';
  const alarm = "insert into alarms values ('b:user', 'warning', 'x')";
  const backup = "insert into backups (file) values ('y:user')";

  test.each<[statement: string, announced: string[]]>([
    ["insert into services (name) values ('Eau')", ['services']],
    ["update services set name = 'Gaz' where id = :service", ['services']],
    ['update commission_ranges set commission_value = 6 where service_id = :service', ['services']],
    ['delete from commission_ranges where service_id = :service', ['services']],
    ['delete from services where id = :service', ['services']],
    ['truncate commission_ranges', ['services']],
    ["insert into payment_types (name) values ('Wave :user')", ['payment-types']],
    [
      `${there("insert into payment_types (name) values ('D:user')")}update payment_types set is_active = true where name = 'Wave :user' or true`,
      ['payment-types'],
    ],
    [
      "insert into payment_types (name) values ('M:user'); delete from payment_types where name = 'M:user'",
      ['payment-types'],
    ],
    [
      `${there("insert into payment_types (name) values ('D:user')")}insert into dial_templates (payment_type_id, country, template)
         select min(id), '+226', '*144#' from payment_types having min(id) is not null on conflict do nothing;
       update dial_templates set state = 'verified'; delete from dial_templates`,
      ['payment-types'],
    ],
    ["insert into code_reports (ticket_id, reason) values (:ticket, 'other')", ['payment-types']],
    [`${there(report)}update code_reports set reason = 'no-answer'`, ['payment-types']],
    [`${there(report)}delete from code_reports`, ['payment-types']],
    ["insert into payment_accounts (country, number, label) values ('+226', ':user', 'Caisse')", ['payments']],
    ["update payment_accounts set label = 'Autre' where id = :account", ['payments']],
    ['delete from payment_accounts where id = :account', ['payments']],
    ['truncate payment_accounts cascade', ['payments']],
    ["insert into payment_sources (account_id, kind, secret_hash) values (:account, 'sms', 'x:user')", ['payments']],
    ['update payment_sources set last_seen_at = now() where account_id = :account', ['payments']],
    ['delete from payment_sources where account_id = :account', ['payments']],
    ['truncate payment_sources cascade', ['payments']],
    ["insert into payment_messages (account_id, content_hash) values (:account, 'x')", ['payments']],
    ["update payment_messages set state = 'ignored' where account_id = :account", ['payments']],
    ['delete from payment_messages where account_id = :account', ['payments']],
    ['truncate payment_messages', ['payments']],
    [
      `insert into payment_lines (account_id, line_key, direction, state, gross, paid_at, seen_in)
         values (:account, 'x', 'in', 'settled', 1100, now(), 8)`,
      ['payments'],
    ],
    ['update payment_lines set is_ignored = true where id = :line', ['payments']],
    ['delete from payment_lines where id = :line', ['payments']],
    ['truncate payment_lines cascade', ['payments']],
    [
      "insert into payment_matches (line_id, ticket_id, rule, evidence, undone_at) values (:line, :ticket, 'R1', '[]', now())",
      ['payments'],
    ],
    ['update payment_matches set undone_at = now() where line_id = :line', ['payments']],
    ['delete from payment_matches where line_id = :line', ['payments']],
    ['truncate payment_matches', ['payments']],
    ["insert into content_pages (slug, title, content) values ('p:user', 'T', 'x')", ['content-pages']],
    [`${there(page)}update content_pages set title = 'U'`, ['content-pages']],
    [`${there(page)}delete from content_pages`, ['content-pages']],
    ['truncate content_pages', ['content-pages']],
    ['insert into background_settings (opacity, blur, is_active) values (1, 1, false)', ['page-background']],
    [`${there(background)}update background_settings set opacity = 2`, ['page-background']],
    [`${there(background)}delete from background_settings`, ['page-background']],
    ['truncate background_settings', ['page-background']],
    [
      `${there('delete from reject_reasons')}insert into reject_reasons (position, text) values (90, 'X')`,
      ['settings'],
    ],
    [`${there(reason)}update reject_reasons set text = text || '.'`, ['settings']],
    [`${there(reason)}delete from reject_reasons where position = 90`, ['settings']],
    ['truncate reject_reasons', ['settings']],
    [`${there('delete from contact_settings')}insert into contact_settings (email) values ('a@b.bf')`, ['contact']],
    [`${there(contact)}update contact_settings set phone = '+22670123456'`, ['contact']],
    [`${there(contact)}delete from contact_settings`, ['contact']],
    ['truncate contact_settings', ['contact']],
    ["insert into sms_messages (recipient, body, drop_after) values ('+22670123456', 'x', now())", ['sms']],
    [`${there(message)}update sms_messages set failure = 'x'`, ['sms']],
    [`${there(message)}delete from sms_messages`, ['sms']],
    ['truncate sms_messages', ['sms']],
    ["insert into sms_days values ('2026-01-01', ':user', 1)", ['sms']],
    [`${there(day)}update sms_days set queued = 2`, ['sms']],
    [`${there(day)}delete from sms_days`, ['sms']],
    ['truncate sms_days', ['sms']],
    ["insert into sms_gateways (name, dial_codes) values ('g:user', '226')", ['sms']],
    [`${there(gateway)}update sms_gateways set failures_in_a_row = 1`, ['sms']],
    [`${there(gateway)}delete from sms_gateways`, ['sms']],
    ['truncate sms_gateways', ['sms']],
    [`${there('delete from sms_settings')}insert into sms_settings default values`, ['settings']],
    [`${there(caps)}update sms_settings set per_day = 1`, ['settings']],
    [`${there(caps)}delete from sms_settings`, ['settings']],
    ['truncate sms_settings', ['settings']],
    ["insert into alarms values ('a:user', 'warning', 'x')", ['alarms']],
    [`${there(alarm)}update alarms set level = 'critical'`, ['alarms']],
    [`${there(alarm)}delete from alarms`, ['alarms']],
    ['truncate alarms', ['alarms']],
    ["insert into backups (file) values ('x:user')", ['backups']],
    [`${there(backup)}update backups set bytes = 1`, ['backups']],
    [`${there(backup)}delete from backups`, ['backups']],
    ['truncate backups', ['backups']],
    ["insert into audit_log (action, status, ip) values ('x', 200, 'x')", ['audit']],
    ["select trim_audit_log(now() - interval '90 d')", ['audit']],
    [
      "insert into users (first_name, last_name, phone, is_guest) values ('Invité', '', 'guest:' || gen_random_uuid(), true)",
      ['users'],
    ],
    ["update users set email = 'a:user@example.org' where id = :user", ['user-names', 'user:{user}', 'users']],
    ['update users set is_admin = true where id = :user', ['user-names', 'user:{user}', 'users']],
    [
      "update users set password = 'x', updated_at = now() where id in (:user, :other)",
      ['user:{other}', 'user:{user}', 'users'],
    ],
    [
      'delete from users where id = :user',
      [
        'session:{sid}',
        'tickets',
        'user-names',
        'user:{user}',
        'user:{user}:notifications',
        'user:{user}:tickets',
        'users',
      ],
    ],
    [`${ticketRow} where id in (:user, :other)`, ['tickets', ...everyone]],
    ['update tickets set user_id = :other where id = :ticket', ['tickets', ...everyone]],
    ["update tickets set status = 'approved' where id = :orphan", ['tickets']],
    ['delete from tickets where id = :ticket', ['tickets', 'user:{user}:tickets']],
    ["insert into ticket_events (ticket_id, status) values (:ticket, 'approved')", ['tickets', 'user:{user}:tickets']],
    ["update ticket_events set reason = 'x' where ticket_id = :ticket", ['tickets', 'user:{user}:tickets']],
    ['delete from ticket_events where ticket_id = :ticket', ['tickets', 'user:{user}:tickets']],
    ['truncate ticket_events', ['tickets', 'user:*:tickets']],
    ['truncate tickets cascade', ['payment-types', 'payments', 'tickets', 'user:*:notifications', 'user:*:tickets']],
    ["insert into ticket_paths (folded) values ('chemin :user')", ['tickets']],
    ["insert into notifications (user_id, title, message) values (:user, 'T', 'x')", ['user:{user}:notifications']],
    [
      'update notifications set user_id = :other where id = :notification',
      ['user:{other}:notifications', 'user:{user}:notifications'],
    ],
    ['delete from notifications where id = :notification', ['user:{user}:notifications']],
    ['truncate notifications', ['user:*:notifications']],
    [
      `insert into beneficiaries (user_id, phone, name) values (:user, '+22670123456', 'A'), (:other, '+22670123456', 'B')`,
      ['user:{other}:beneficiaries', 'user:{user}:beneficiaries'],
    ],
    [
      `insert into beneficiaries (user_id, phone, name) values (:user, '+22670123456', 'A');
       update beneficiaries set user_id = :other where user_id = :user`,
      ['user:{other}:beneficiaries', 'user:{user}:beneficiaries'],
    ],
    [
      `insert into beneficiaries (user_id, phone, name) values (:user, '+22670123456', 'A');
       delete from beneficiaries where user_id = :user`,
      ['user:{user}:beneficiaries'],
    ],
    ['truncate beneficiaries', ['user:*:beneficiaries']],
    ["insert into sessions (sid, user_id, expire) values ('s:user', :user, now())", []],
    ["update sessions set expire = now() where sid = ':sid'", ['session:{sid}']],
    ["delete from sessions where sid = ':sid'", ['session:{sid}']],
    ['truncate sessions', ['session:*']],
    ["insert into sign_in_attempts values ('user:1:user', 'any', 19, now(), now())", []],
    ["insert into sign_in_attempts values ('user:2:user', 'here', 20, now(), now())", []],
    ["insert into sign_in_attempts values ('user:3:user', 'any', 20, now(), now())", ['sign-in-attacks']],
    ["insert into sign_in_attempts values ('user:x:user', 'any', 15, now(), now())", []],
    [
      `${there("insert into sign_in_attempts values ('user:x:user', 'any', 15, now(), now())")}insert into sign_in_attempts values ('user:x:user', 'new', 4, now(), now())`,
      [],
    ],
    [
      `${there("insert into sign_in_attempts values ('user:x:user', 'any', 15, now(), now()), ('user:x:user', 'new', 4, now(), now())")}update sign_in_attempts set failures = 5 where account = 'user:x:user' and source = 'new'`,
      ['sign-in-attacks'],
    ],
    [
      `${there("insert into sign_in_attempts values ('user:x:user', 'any', 15, now(), now()), ('user:x:user', 'new', 5, now(), now())")}delete from sign_in_attempts where account = 'user:x:user' and source = 'new'`,
      ['sign-in-attacks'],
    ],
    [
      `${there("insert into sign_in_attempts values ('user:x:user', 'any', 15, now(), now())")}delete from sign_in_attempts where account = 'user:x:user'`,
      [],
    ],
    [
      `${there("insert into sign_in_attempts values ('user:x:user', 'any', 20, now(), now())")}update sign_in_attempts set failures = 1 where failures >= 20 and source = 'any'`,
      ['sign-in-attacks'],
    ],
    ['truncate sign_in_attempts', ['sign-in-attacks']],
    ['update users set is_admin = true where id = 0', []],
    ['delete from tickets where id = 0', []],
    [
      "set local guichet.quiet = 'on'; update tickets set status = 'pending'; update users set is_verified = true where id = :user",
      [],
    ],
  ])('%s announces %j, and nothing else', async (statement, announced) => {
    const { fill, ...named } = await build();
    const topics = await heard.during(() => api.pool.query(fill(statement)));
    const told = announced.map((topic) =>
      topic.replace(/\{(\w+)\}/, (_, name: keyof typeof named) => `${named[name]}`),
    );
    expect(topics).toEqual(told.sort());
  });

  test('that can change an answer is announced: insertions, updates, deletions and truncation of a table', async () => {
    // pg_trigger.tgtype, PostgreSQL's catalog: 4 for INSERT, 8 for DELETE, 16 for UPDATE, 32 for TRUNCATE.
    const { rows } = await api.pool.query<{ name: string; kinds: number }>(
      `select relname as name, coalesce((
         select bit_or(tgtype & 60) from pg_trigger where tgrelid = pg_class.oid and tgname like '%\\_announce\\_%'), 0)::int as kinds
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    );
    const silent = {
      // Nobody has been told of a session before it is there.
      sessions: 56,
      // What no answer shows,
      change_feed: 0,
      images: 0,
      changes: 0,
      online_steps: 0,
      once_flags: 0,
      otp_codes: 0,
      otp_flows: 0,
      push_keys: 0,
      push_subscriptions: 0,
      rate_limits: 0,
      reset_tokens: 0,
      // and what is folded again and again without a sum's changing; who mends one by hand inserts the topic too.
      tallies: 0,
      tally_changes: 0,
    };
    expect(
      Object.fromEntries(rows.filter(({ kinds }) => kinds !== 60).map(({ name, kinds }) => [name, kinds])),
    ).toEqual(silent);
  });
});
