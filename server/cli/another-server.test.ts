import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { otherSecret } from '#server/database/product-keys.ts';
import { buildAdmin, buildCaller, buildPaymentAccount, buildTicket, knownPassword } from '#server/testing/builders.ts';
import { openSource } from '#server/testing/payment-book.ts';
import { addressOf, runCommand } from '#server/testing/run-command.ts';
import { cleanUp, createDataFolder, HttpClient, startServer } from '#server/testing/server-process.ts';
import { createDatabase, startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi({ worker: true });
const { client: admin, user: administrator } = await buildAdmin(api);
const owner = await buildCaller(api);
afterAll(cleanUp);

const signingSecret = 'une-cle-du-telephone';
/** What a signed phone sends now. */
function signed(text: string) {
  const body = JSON.stringify({ event: 'sms:received', payload: { sender: 'OrangeMoney', message: text } });
  const time = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', signingSecret)
    .update(body + time)
    .digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-signature': signature, 'x-timestamp': time } };
}

test('a server that is lost and rebuilt with another SESSION_SECRET finds its receipts, unread messages and phones', async () => {
  const account = await buildPaymentAccount(api.db);
  const { path: phone } = await openSource(admin, account.id, 'sms', { signingSecret });
  const send = signed('Un message que personne ne connaît');
  expect(
    (await api.app.inject({ method: 'POST', url: phone, payload: send.body, headers: send.headers })).statusCode,
  ).toBe(200);
  const ticket = await buildTicket(api.db, owner.user.id, { status: 'approved' });
  const { code } = (await owner.client.get(`/api/tickets/${ticket.id}/receipt`)).body;
  const settings = { DATA_DIR: createDataFolder(), BACKUP_PASSPHRASE: 'six mots que personne ne devine' };
  const file = `${settings.DATA_DIR}/shop.backup`;
  // As a start does, under the secret of before.
  const before = { ...settings, DATABASE_URL: addressOf(api), SESSION_SECRET: 'a'.repeat(32) };
  expect((await (await startServer(settings.DATA_DIR, before)).end('SIGTERM')).stderr).toBe('');
  expect(await runCommand(['backup', file], before)).toMatchObject({ status: 0, stderr: '' });

  const after = { ...settings, DATABASE_URL: addressOf(await createDatabase()), SESSION_SECRET: 'b'.repeat(32) };
  expect(await runCommand(['restore', file], after)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining(otherSecret),
  });
  expect((await runCommand(['doctor'], after)).stdout).toContain(`✗ SESSION_SECRET : ${otherSecret}`);
  const server = await startServer(createDataFolder(), after);
  const client = new HttpClient(server.port);
  expect(await client.send('GET', `/api/receipts/${code}`)).toMatchObject({
    status: 200,
    body: { ticketId: ticket.id },
  });
  const again = signed('Un autre message que personne ne connaît');
  const answer = await fetch(`http://127.0.0.1:${server.port}${phone}`, { method: 'POST', ...again });
  expect(answer.status).toBe(200);
  await client.send('POST', '/api/auth/signin', { phoneOrEmail: administrator.phone, password: knownPassword });
  const unread = await client.send<{ messages: object[] }>('GET', '/api/admin/payments/messages');
  expect(unread).toMatchObject({ status: 200 });
  expect(JSON.stringify(unread.body)).toContain('Un message que personne ne connaît');
  expect((await server.end('SIGTERM')).stderr).toBe(`${otherSecret}\n`);
  expect((await runCommand(['doctor'], after)).stdout).toContain('✓ SESSION_SECRET\n');
});
