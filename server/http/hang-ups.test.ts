import { once } from 'node:events';
import net from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/process/log.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';

const lines: { level: number }[] = [];
let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startTestApi({ log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }) });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as net.AddressInfo).port;
});
afterAll(() => api.close());

/** Begins a call whose body is still to come. */
async function begin(client: TestClient, path: string, type: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: x',
      `cookie: guichet_session=${client.cookies.get('guichet_session')}`,
      `content-type: ${type}`,
      'content-length: 5000',
      'expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await once(socket, 'data');
  return socket;
}

let client: TestClient;
beforeEach(async () => {
  client = (await buildAdmin(api)).client;
  lines.length = 0;
});

/** What went wrong, as the log has it once the call is over. */
const readTrouble = async () => {
  const connections = promisify(api.app.server.getConnections.bind(api.app.server));
  await eventually(async () => expect(await connections()).toBe(0));
  await eventually(() => expect(api.pool.idleCount).toBe(api.pool.totalCount));
  return lines.filter(({ level }) => level > 30);
};

const form = 'multipart/form-data; boundary=x';
test.each([
  ['JSON', '/api/admin/payment-types', 'application/json', '{"name":'],
  ['a form', '/api/services', form, '--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n{'],
  ['a picture', '/api/services', form, '--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nx'],
])('a caller who hangs up while their body arrives, %s, is no trouble of ours', async (_, path, type, begun) => {
  const socket = await begin(client, path, type);
  socket.write(begun, () => socket.destroy());
  expect(await readTrouble()).toEqual([]);
});

test.each([
  ['JSON', '/api/admin/payment-types', 'application/json'],
  ['a form', '/api/services', form],
])('nor is one who hangs up before their body is looked at, %s, and nobody waits for it', async (_, path, type) => {
  const holder = await api.pool.connect();
  await holder.query('begin');
  await holder.query('lock table sessions');
  const socket = await begin(client, path, type);
  await untilBlocked(api.pool, holder);
  socket.destroy();
  const connections = promisify(api.app.server.getConnections.bind(api.app.server));
  await eventually(async () => expect(await connections()).toBe(0));
  await holder.query('commit');
  holder.release();
  expect(await readTrouble()).toEqual([]);
});
