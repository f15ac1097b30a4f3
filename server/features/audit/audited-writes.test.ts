import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { backgroundForm, countRows, imageForm, serviceForm, statementForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildDialTemplate,
  buildFinalService,
  buildMatchedLine,
  buildPaymentAccount,
  buildPaymentLine,
  buildPaymentMessage,
  buildPaymentSource,
  buildPaymentType,
  buildService,
  buildTicket,
  buildUser,
  knownPassword,
  nextNumber,
} from '#server/testing/builders.ts';
import { endpoints } from '#server/testing/endpoints.ts';
import { eventually } from '#server/testing/eventually.ts';
import { readStatement } from '#server/testing/examples.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { pidOf } from '#server/testing/until-blocked.ts';

let api: TestApi;
let admin: TestClient;
/**
 * But not the change feed's own two, which it fills and prunes when it likes. Tallies count by their sums: a job folds the
 * rows every minute.
 */
let tables: string[];
const talliesBySum = `(select what, hour, sum(count) as count, sum(francs) as francs
  from (select what, hour, count, francs from tallies union all select what, hour, count, francs from tally_changes) a
  where what not like 'all %' group by 1, 2 having sum(count) <> 0 or sum(francs) <> 0)`;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
  const { rows } = await api.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' 
       and table_name not in ('changes', 'change_feed', 'tallies', 'tally_changes')`,
  );
  tables = [...rows.map(({ name }) => name), talliesBySum];
});
afterAll(() => api.close());

const image = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#0b6b3a' } })
    .png()
    .toBuffer();

/** How to make each write of an administrator: its path and body, what they need being made first. */
const writes: Record<string, () => Promise<{ path: string; body?: object; status?: number }>> = {
  async changeTicketStatus() {
    const { id } = await buildTicket(api.db, (await buildUser(api.db)).id);
    return { path: `/api/tickets/${id}/status`, body: { status: 'approved' } };
  },
  async decideTickets() {
    const { id } = await buildTicket(api.db, (await buildUser(api.db)).id);
    return { path: '/api/admin/ticket-decisions', body: { status: 'approved', tickets: [{ id }] } };
  },
  async createService() {
    return { path: '/api/services', body: serviceForm({ name: 'Eau' }, await image()), status: 201 };
  },
  async updateService() {
    const [root] = await buildFinalService(api.db);
    return { path: `/api/admin/services/${root?.id}`, body: serviceForm({ name: 'Gaz' }, await image()) };
  },
  async deleteService() {
    const path = await buildFinalService(api.db);
    return { path: `/api/admin/services/${path.at(-1)?.id}` };
  },
  async reorderServices() {
    const [root] = await buildService(api.db);
    const above = [{ id: root?.id ?? 0, level: 1 }];
    const [one, two] = [await buildService(api.db, {}, above), await buildService(api.db, {}, above)];
    const ids = [two, one].map((path) => path.at(-1)?.id);
    return { path: '/api/admin/service-order', body: { parentId: root?.id, ids } };
  },
  async importCatalogue() {
    return { path: '/api/admin/catalogue-import', body: { csv: 'name\nEau', dryRun: false } };
  },
  async createPaymentType() {
    return { path: '/api/admin/payment-types', body: { name: randomUUID() }, status: 201 };
  },
  async updatePaymentType() {
    const { id } = await buildPaymentType(api.db, randomUUID());
    return { path: `/api/admin/payment-types/${id}`, body: { isActive: false } };
  },
  async deletePaymentType() {
    return { path: `/api/admin/payment-types/${(await buildPaymentType(api.db, randomUUID())).id}` };
  },
  async createDialTemplate() {
    const { id } = await buildPaymentType(api.db, randomUUID());
    const body = { country: '+226', template: '*144*{marchand}*XX#', merchant: '1234' };
    return { path: `/api/admin/payment-types/${id}/dial-templates`, body, status: 201 };
  },
  async updateDialTemplate() {
    const body = { template: '*144*{marchand}*XX#', merchant: '1234', state: 'verified', message: null };
    return { path: await buildTemplatePath(), body };
  },
  async deleteDialTemplate() {
    return { path: await buildTemplatePath() };
  },
  async uploadPaymentTypePicture() {
    return { path: '/api/admin/upload-payment-picture', body: imageForm('picture', await image()) };
  },
  async createContentPage() {
    const body = { slug: randomUUID(), title: 'Aide', content: 'Texte' };
    return { path: '/api/admin/content-pages', body, status: 201 };
  },
  async updateContentPage() {
    return { path: `/api/admin/content-pages/${await buildPage()}`, body: { title: 'Autre' } };
  },
  async deleteContentPage() {
    return { path: `/api/admin/content-pages/${await buildPage()}` };
  },
  async savePageBackground() {
    return { path: '/api/admin/background-settings', body: { opacity: nextNumber() % 100, blur: 3 } };
  },
  async uploadPageBackground() {
    return { path: '/api/admin/upload-background', body: backgroundForm(await image()) };
  },
  async resetUserPassword() {
    return { path: `/api/admin/users/${(await buildUser(api.db)).id}/reset-password`, body: { password: 'nouveau1' } };
  },
  async deactivateUser() {
    return { path: `/api/admin/users/${(await buildUser(api.db)).id}/deactivate` };
  },
  async activateUser() {
    return { path: `/api/admin/users/${(await buildUser(api.db, { isVerified: false })).id}/activate` };
  },
  async setAdministrator() {
    return { path: `/api/admin/users/${(await buildUser(api.db)).id}/administrator`, body: { isAdmin: true } };
  },
  async confirmPassword() {
    return { path: '/api/auth/confirm-password', body: { password: knownPassword } };
  },
  async saveRejectReasons() {
    return { path: '/api/admin/reject-reasons', body: { reasons: [randomUUID()] } };
  },
  async saveContact() {
    const body = { whatsapp: null, phone: null, email: `${randomUUID()}@exemple.bf` };
    return { path: '/api/admin/contact', body };
  },
  async saveSmsSettings() {
    const perCountryAndDay = 1_000 + nextNumber();
    return { path: '/api/admin/sms/settings', body: { perCountryAndDay, onDecision: true } };
  },
  async sendTestSms() {
    return { path: '/api/admin/sms/test', body: { phone: '+22670123456' } };
  },
  async deleteUser() {
    return { path: `/api/admin/users/${(await buildUser(api.db)).id}` };
  },
  async createPaymentAccount() {
    const { id: paymentTypeId } = await buildPaymentType(api.db, randomUUID());
    const body = { paymentTypeId, country: '+226', number: '70 00 00 00', label: 'Caisse' };
    return { path: '/api/admin/payments/accounts', body, status: 201 };
  },
  async updatePaymentAccount() {
    const { id } = await buildPaymentAccount(api.db);
    return { path: `/api/admin/payments/accounts/${id}`, body: { label: 'Autre' } };
  },
  async createPaymentSource() {
    const { id: accountId } = await buildPaymentAccount(api.db);
    return { path: '/api/admin/payments/sources', body: { accountId, kind: 'wave' }, status: 201 };
  },
  async rotatePaymentSource() {
    return { path: `/api/admin/payments/sources/${(await buildPaymentSource(api.db)).id}/rotation`, body: {} };
  },
  async deletePaymentSource() {
    return { path: `/api/admin/payments/sources/${(await buildPaymentSource(api.db)).id}` };
  },
  async importStatement() {
    const { id: accountId } = await buildPaymentAccount(api.db);
    return { path: '/api/admin/payments/imports', body: statementForm({ accountId, dryRun: false }, readStatement()) };
  },
  async approvePayments() {
    const { id: lineId } = await buildPaymentLine(api.db);
    return { path: '/api/admin/payments/approvals', body: { pairs: [{ lineId, ticketId: await buildPayable() }] } };
  },
  async matchPayment() {
    const { id } = await buildPaymentLine(api.db);
    return { path: `/api/admin/payments/lines/${id}/match`, body: { ticketId: await buildPayable() } };
  },
  async unmatchPayment() {
    const { id } = await buildMatchedLine(api.db, await buildPayable());
    return { path: `/api/admin/payments/lines/${id}/unmatch` };
  },
  async ignorePayment() {
    return { path: `/api/admin/payments/lines/${(await buildPaymentLine(api.db)).id}/ignore`, body: {} };
  },
  async remindPayer() {
    return { path: '/api/admin/payments/reminders', body: { ticketId: await buildPayable() } };
  },
  async recordPayment() {
    const { id, accountId } = await buildPaymentMessage(api.db);
    const body = { accountId, gross: 1100, reference: null, payer: null, paidAt: new Date().toISOString() };
    return { path: `/api/admin/payments/messages/${id}/payment`, body, status: 201 };
  },
  async ignoreMessage() {
    return { path: `/api/admin/payments/messages/${(await buildPaymentMessage(api.db)).id}/ignore` };
  },
  async takeMessages() {
    const { id: accountId } = await buildPaymentAccount(api.db);
    return { path: '/api/admin/payments/pasted', body: { text: 'Bonjour', accountId } };
  },
};

/** A pending ticket of 1 100 FCFA. */
const buildPayable = async () => (await buildTicket(api.db, (await buildUser(api.db)).id)).id;

async function buildTemplatePath(): Promise<string> {
  const { id } = await buildPaymentType(api.db, randomUUID());
  const template = await buildDialTemplate(api.db, id);
  return `/api/admin/payment-types/${id}/dial-templates/${template.id}`;
}

async function buildPage(): Promise<number> {
  const { body } = await admin.post('/api/admin/content-pages', {
    slug: randomUUID(),
    title: 'Aide',
    content: 'Texte',
  });
  return body.id;
}

/** All of the database. */
async function readEverything(): Promise<unknown> {
  const parts = tables.map(
    (rows, index) => `select ${index} as table, count(*), sum(hashtextextended(t::text, 0)) from ${rows} t`,
  );
  const { rows } = await api.pool.query(parts.join(' union all '));
  return rows;
}

/** Its text is too long for an address. */
const readByPost = ['readMessages'];
const ofAdministrators = endpoints.filter(
  ({ access, method, operation }) => access === 'admin' && method !== 'GET' && !readByPost.includes(operation),
);

test('each write of an administrator stands above', () => {
  expect(Object.keys(writes).toSorted()).toEqual(ofAdministrators.map((each) => each.operation).toSorted());
});

describe.each(ofAdministrators.map((each) => [each.operation, each] as const))(
  '%s',
  (operation, endpoint: Endpoint) => {
    const prepare = writes[operation] as (typeof writes)[string];
    const send = ({ path, body }: Awaited<ReturnType<typeof prepare>>) => admin.send(endpoint.method, path, body);

    test('leaves nothing behind where its row in the log cannot be written', async () => {
      const call = await prepare();
      const before = await readEverything();
      await api.pool.query(`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'log is full'; end $$;
      create trigger refuse_entry before insert on audit_log execute function refuse_entry()`);
      try {
        expect((await send(call)).status).toBe(500);
      } finally {
        await api.pool.query('drop function refuse_entry cascade');
      }
      expect(await readEverything()).toEqual(before);
    });

    test('is recorded once, with who, what, on what and how it ended', async () => {
      const call = await prepare();
      const before = await countRows(api, 'audit_log');
      const { status } = await send(call);
      expect(status).toBe(call.status ?? 200);
      expect(await countRows(api, 'audit_log')).toBe(before + 1);
      const { rows } = await api.pool.query('select * from audit_log order by id desc limit 1');
      expect(rows[0]).toMatchObject({ action: `${endpoint.method} ${endpoint.path}`, status, code: null, count: 1 });
      expect(rows[0].actor_id).toBeGreaterThan(0);
      if (!/upload|background|contact|reject-reasons|import|\/sms\//.test(endpoint.path))
        expect(rows[0].target).toMatch(/^\d+$/);
    });
  },
);

test('reading pasted messages changes nothing and is not recorded', async () => {
  const before = await readEverything();
  expect(await admin.post('/api/admin/payments/read', { text: 'Bonjour' })).toMatchObject({
    status: 200,
    body: { messages: [{ kind: 'unread' }] },
  });
  expect(await readEverything()).toEqual(before);
});

const decisions = 60;

test('decisions whose senders hang up at once: as many rows in the log as changes', async () => {
  const { id: userId } = await buildUser(api.db);
  const port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const body = JSON.stringify({ status: 'approved' });
  const before = await countRows(api, 'audit_log');
  const send = async (id: number) => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `PATCH /api/tickets/${id}/status HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  };
  // Each hangs up while its decision is in the middle of its transaction, which waits for the ticket's owner.
  const holder = await api.pool.connect();
  const countWaiting = async () => {
    const { rows } = await api.pool.query(
      'select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [pidOf(holder)],
    );
    return rows[0].n as number;
  };
  const ids: number[] = [];
  for (let inTheMiddle = 0; inTheMiddle < decisions; ) {
    const ten: number[] = [];
    while (ten.length < 10) ten.push((await buildTicket(api.db, userId)).id);
    ids.push(...ten);
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [userId]);
    const sockets = await Promise.all(ten.map(send));
    let answered = false;
    for (const socket of sockets)
      socket.once('data', () => {
        answered = true;
      });
    // One of the ten before may still be at work; and who comes late on a busy machine finds one that gave up its wait.
    await eventually(async () => expect(answered || (await countWaiting()) >= 10).toBe(true));
    for (const socket of sockets) socket.destroy();
    await holder.query('commit');
    if (!answered) inTheMiddle += 10;
  }
  holder.release();
  // One statement, so one moment: at none may the two differ. The calls under way end by themselves.
  const readMoment = async () => {
    const { rows } = await api.pool.query(
      `select (select count(*) from tickets where id = any($1) and status = 'approved')::int as changes,
              (select count(*) from audit_log)::int - $2::int as rows,
              (select count(*) from pg_stat_activity where datname = current_database() and xact_start is not null)::int as at_work`,
      [ids, before],
    );
    expect(rows[0].rows).toBe(rows[0].changes);
    return rows[0] as { changes: number; at_work: number };
  };
  const { changes } = await eventually(async () => {
    const moment = await readMoment();
    expect(moment.at_work, 'this statement alone').toBe(1);
    return moment;
  });
  // On a busy machine a few give up waiting for their turn, and change nothing.
  expect(changes).toBeGreaterThan(0.8 * decisions);
});
