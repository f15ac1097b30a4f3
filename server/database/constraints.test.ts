import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { countRows } from '#server/testing/bodies.ts';
import { buildFinalService, buildMatchedLine, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
/** A pool would open another one after each refusal. */
const client = new pg.Client(api.config);
await client.connect();
/** Ids that the statements below stand on. */
const ids = await build();
afterAll(() => client.end());

async function build(): Promise<Record<'user' | 'root' | 'leaf' | 'ticket' | 'other' | 'account' | 'line', number>> {
  const user = await buildUser(api.db);
  const other = await buildUser(api.db, { email: `user-${user.id}@example.org` });
  const [root, leaf] = await buildFinalService(api.db);
  const ticket = await buildTicket(api.db, user.id);
  await buildTicket(api.db, other.id);
  const { id: line, accountId: account } = await buildMatchedLine(api.db, ticket.id);
  const built = { user: user.id, other: other.id, ticket: ticket.id, account, line };
  return { ...built, root: root?.id ?? 0, leaf: leaf?.id ?? 0 };
}

const run = (sql: string) => client.query(sql.replace(/:([a-z]+)/g, (_, name: keyof typeof ids) => String(ids[name])));

const userRow = (columns: string, values: string) =>
  `insert into users (first_name, last_name, password, ${columns}) values ('A', 'B', 'x', ${values})`;
const ticketChange = (change: string) => `update tickets set ${change} where id = :ticket`;
const rangeRow = (values: string) =>
  `insert into commission_ranges (service_id, min_price, max_price, commission_value, commission_type) values ${values}`;
const lineRow = (values: string) =>
  `insert into payment_lines (account_id, paid_at, seen_in, line_key, direction, state, gross) select :account, now(), 1, ${values}`;
const messageRow = (columns: string, values: string) =>
  `insert into payment_messages (account_id, ${columns}) select :account, ${values} from generate_series(1, 2)`;
const matchRow = (values: string) =>
  `insert into payment_matches (evidence, rule, line_id, ticket_id) select '[]', ${values}`;
const guest = "'guest:00000000-0000-4000-8000-000000000000'";

/** By the constraint that refuses it. */
const refused: Record<string, Record<string, string>> = {
  tickets_total: {
    'a total that is not the sum': ticketChange("total_price = '1'"),
    'a total with a space': ticketChange("total_price = '1 100'"),
    'an amount changed alone': ticketChange('amount = 5'),
  },
  tickets_money: {
    'a negative amount': ticketChange("amount = -1, commission = 1, total_price = '0'"),
    'a negative commission': ticketChange("amount = 2, commission = -1, total_price = '1'"),
  },
  tickets_status_known: { 'an unknown status': ticketChange("status = 'paid'") },
  tickets_beneficiaries: { 'no beneficiary': ticketChange('number_of_beneficiaries = 0') },
  tickets_path: {
    'an empty path': ticketChange("service_path = '[]'"),
    'a path of six': ticketChange("service_path = '[1,2,3,4,5,6]'"),
  },
  tickets_payment_reference_form: {
    'a payment reference in small letters': ticketChange("payment_reference = 'a1', payment_declared_at = now()"),
    'a payment reference that nobody declared': ticketChange("payment_reference = 'A1'"),
  },
  tickets_key_once: {
    'a key twice': `insert into tickets (user_id, payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, idempotency_key, fingerprint)
     select :user, 'W', 1, 0, '1', '[1]', '+22670123456', 'k', 'f' from generate_series(1, 2)`,
  },
  ticket_events_status: {
    'an event of an unknown status': "insert into ticket_events (ticket_id, status) values (:ticket, 'x')",
  },
  commission_ranges_no_overlap: {
    'ranges that share an amount': rangeRow("(:leaf, 1, 10, '1', 'fixed'), (:leaf, 10, 20, '1', 'fixed')"),
    'a range in an open one': rangeRow("(:leaf, 1, null, '1', 'fixed'), (:leaf, 900, 901, '1', 'fixed')"),
    'two open ranges': rangeRow("(:leaf, 1, null, '1', 'fixed'), (:leaf, 9, null, '1', 'fixed')"),
  },
  commission_ranges_bounds: {
    'a range upside down': rangeRow("(:leaf, 10, 9, '1', 'fixed')"),
    'a negative bound': rangeRow("(:leaf, -1, 9, '1', 'fixed')"),
  },
  commission_ranges_value: {
    'a negative commission of a range': rangeRow("(:leaf, 1, 9, '-1', 'fixed')"),
    'a commission that is no number': rangeRow("(:leaf, 1, 9, '1,5', 'fixed')"),
  },
  commission_ranges_type: { 'a range of ranges': rangeRow("(:leaf, 1, 9, '1', 'range')") },
  services_level: { 'a sixth level': "insert into services (name, level, parent_id) values ('x', 6, :leaf)" },
  services_parent: {
    'a child two levels down': "insert into services (name, level, parent_id) values ('x', 3, :root)",
    'a service under itself': 'update services set parent_id = id where id = :leaf',
    'a cycle of two':
      'update services set parent_id = case id when :root then :leaf else :root end, level = 2 where id in (:root, :leaf)',
    'a level changed alone': 'update services set level = 3 where id = :leaf',
    'a parent deleted': 'delete from services where id = :root',
  },
  services_root: {
    'a root on the second level': "insert into services (name, level) values ('x', 2)",
    'a child on the first level': "insert into services (name, level, parent_id) values ('x', 1, :root)",
  },
  services_commission_value: { 'a negative commission': 'update services set commission_value = -1 where id = :leaf' },
  services_percentage: {
    'a percentage over 100':
      "update services set commission_type = 'percentage', commission_value = 101 where id = :leaf",
  },
  services_text_color: { 'a colour with more in it': "update services set text_color = '#1E293B;x' where id = :leaf" },
  services_text_size: { 'an unknown size': "update services set text_size = 'huge' where id = :leaf" },
  services_text_style: { 'an unknown style': "update services set text_style = 'blink' where id = :leaf" },
  services_commission_type: { 'an unknown commission': "update services set commission_type = 'x' where id = :leaf" },
  services_name: { 'a blank name': "update services set name = '  ' where id = :leaf" },
  users_phone_unique: {
    'a number twice': 'update users set phone = (select phone from users where id = :user) where id = :other',
  },
  users_phone_form: {
    'a foreign number': userRow('phone', "'+33612345678'"),
    'a number with spaces': userRow('phone', "'+226 70123456'"),
  },
  users_guest_rights: {
    'a guest who administers': userRow('phone, is_guest, is_admin', `${guest}, true, true`),
    'a verified guest': userRow('phone, is_guest, is_verified', `${guest}, true, true`),
  },
  users_guest_phone: {
    'a guest with a number': userRow('phone, is_guest', "'+22679999999', true"),
    'a number of a guest that is none': userRow('phone, is_guest', `${guest}, false`),
  },
  users_password: {
    'an administrator without a password': 'update users set is_admin = true, password = null where id = :user',
  },
  users_country: { 'an unknown country': "update users set country_code = '+33' where id = :user" },
  users_deactivated: {
    'a closed account that is verified': 'update users set deactivated_at = now() where id = :user',
    'a closed administrator':
      'update users set deactivated_at = now(), is_verified = false, is_admin = true where id = :user',
  },
  payment_types_name_once: { 'a payment type twice': "insert into payment_types (name) values ('Wave'), ('WAVE')" },
  payment_types_name: { 'a blank payment type': "insert into payment_types (name) values (' ')" },
  payment_accounts_once: {
    'an account twice': `insert into payment_accounts (payment_type_id, country, number, label)
     select payment_type_id, country, number, 'x' from payment_accounts where id = :account`,
  },
  payment_sources_secret: {
    'an address twice':
      "insert into payment_sources (account_id, kind, secret_hash) select :account, 'sms', 'x' from generate_series(1, 2)",
  },
  payment_sources_trouble: {
    'an unknown trouble':
      "insert into payment_sources (account_id, kind, secret_hash, trouble) select :account, 'sms', 'y', 'x'",
  },
  payment_messages_once: { 'a message twice': messageRow('content_hash, state', "'x', 'unread'") },
  payment_messages_state: { 'an unknown state of a message': messageRow('content_hash, state', "'x', 'lost'") },
  payment_lines_once: {
    'a payment twice': lineRow("line_key, 'in', 'settled', 1 from payment_lines where id = :line"),
  },
  payment_lines_gross_positive: { 'a negative payment': lineRow("'x', 'in', 'settled', -1") },
  payment_lines_direction: { 'money that goes nowhere': lineRow("'x', 'up', 'settled', 1") },
  payment_lines_state: { 'an unknown state of a payment': lineRow("'x', 'in', 'paid', 1") },
  payment_matches_rule: { 'an unknown rule': matchRow("'R9', :line, :ticket") },
  payment_matches_line: {
    'a payment of two tickets': matchRow("'R1', :line, min(id) from tickets where id <> :ticket"),
  },
  payment_matches_ticket: {
    'a ticket paid twice': `with other as (${lineRow("'x', 'in', 'settled', 1")} returning id) ${matchRow("'R1', id, :ticket from other")}`,
  },
  content_pages_slug_unique: {
    'a page twice': "insert into content_pages (slug, title, content) values ('a', 'A', 'x'), ('a', 'B', 'y')",
  },
  content_pages_slug: {
    'an address with a space': "insert into content_pages (slug, title, content) values ('a b', 'A', 'x')",
  },
  background_settings_one_active: {
    'two active backgrounds': 'insert into background_settings (opacity) values (1), (2)',
  },
  background_settings_opacity: { 'more than opaque': 'insert into background_settings (opacity) values (101)' },
  background_settings_blur: { 'too much blur': 'insert into background_settings (blur) values (21)' },
  notifications_type: {
    'a notification of no kind':
      "insert into notifications (user_id, title, message, type) values (:user, 'a', 'b', 'x')",
  },
  otp_codes_attempts: {
    'a fourth try':
      "with flow as (insert into otp_flows (phone, purpose) values ('+22670000000', 'reset') returning id) insert into otp_codes (flow_id, phone, code, attempts, expires_at) select id, 'x', 'x', 4, now() from flow",
  },
  sms_messages_wiped: {
    'a sent message that keeps its text':
      "insert into sms_messages (recipient, body, status, drop_after) values ('x', '1234', 'sent', now())",
  },
};

test.each(
  Object.entries(refused).flatMap(([constraint, all]) =>
    Object.entries(all).map(([what, sql]) => [constraint, what, sql]),
  ),
)('%s refuses %s', async (constraint, _, sql = '') => {
  await expect(run(sql)).rejects.toMatchObject({ constraint });
});

test('a percentage over 100 in a range is refused too', async () => {
  await expect(run(rangeRow("(:leaf, 1, 9, '101', 'percentage')"))).rejects.toMatchObject({ code: '23514' });
});

test('ranges that touch, or belong to different services, are taken', async () => {
  await run(
    rangeRow("(:leaf, 0, 10, '1', 'fixed'), (:leaf, 11, null, '2.5', 'percentage'), (:root, 5, 20, '1', 'fixed')"),
  );
  expect(await countRows(api, 'commission_ranges', `service_id in (${ids.leaf}, ${ids.root})`)).toBe(3);
});

test.each(["update audit_log set ip = 'x'", 'delete from audit_log', 'truncate audit_log'])(
  'the audit log is append-only: %s',
  async (sql) => {
    await run("insert into audit_log (action, ip) values ('test', '::1')");
    const before = await countRows(api, 'audit_log');
    await expect(run(sql)).rejects.toThrow('audit_log is append-only');
    expect(await countRows(api, 'audit_log')).toBe(before);
  },
);
