import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { statementBytes, statementTooLarge } from '../contract/payment-feed.ts';
import { statementForm } from '../server/testing/bodies.ts';
import { eventually } from '../server/testing/eventually.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  findFreePort,
  type HttpClient,
  type ServerProcess,
  startServer,
} from '../server/testing/server-process.ts';

const [caddy, nginx] = ['/usr/bin/caddy', '/usr/sbin/nginx'];
const ops = path.resolve(import.meta.dirname, '../ops');
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

interface Front {
  /** That people come to. */
  port: number;
  /** Of the product behind it. */
  behind: number;
}

const running: ChildProcess[] = [];
function launch(program: string, args: string[], env: Record<string, string> = {}): void {
  running.push(spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } }));
}

/** The shipped Caddyfile, without TLS; answers the port of its own administration. */
async function startCaddy({ port, behind }: Front): Promise<number> {
  const [folder, admin] = [createDataFolder(), await findFreePort()];
  launch(caddy, ['run', '--config', path.join(ops, 'caddy/Caddyfile'), '--adapter', 'caddyfile'], {
    HOME: folder,
    GUICHET_SITE: `http://127.0.0.1:${port}`,
    GUICHET_PROCESSES: `127.0.0.1:${behind}`,
    CADDY_ADMIN: `127.0.0.1:${admin}`,
  });
  return admin;
}

/** The shipped site of nginx, but for its certificate, its ports and its name. */
function startNginx({ port, behind }: Front): undefined {
  const folder = createDataFolder();
  const shipped = readFileSync(path.join(ops, 'nginx/guichet.conf'), 'utf8');
  const [, redirect = ''] = /(^server \{\n\tlisten 80;[\s\S]*?^\}\n)/m.exec(shipped) ?? [];
  const site = shipped
    .replace(redirect, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('\tserver 127.0.0.1:3000;', `\tserver 127.0.0.1:${behind};`)
    .replaceAll('guichet.example', 'localhost')
    .replace(/^\t(?:listen \[::\]:443|ssl_).*\n/gm, '');
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(path.join(folder, name));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name.replace('client_', '')};`,
  );
  writeFileSync(path.join(folder, 'site.conf'), site);
  writeFileSync(
    path.join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  );
  launch(nginx, ['-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]);
}

beforeAll(() => {
  const absent = [caddy, nginx].filter((program) => !existsSync(program));
  if (absent.length > 0)
    throw new Error(`Il manque ${absent.join(', ')} : apt-get install --no-install-recommends caddy nginx-light.`);
});
afterAll(async () => {
  for (const child of running.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  await cleanUp();
});

/** A body whose sender breaks it off in the middle, by a chunk that is none, and hangs up. */
async function sendCutBody(port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  socket.write(
    `POST /api/auth/signin HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n`,
  );
  await once(socket, 'data');
  socket.destroy();
}

describe.each([
  { name: 'Caddy', start: startCaddy },
  { name: 'nginx', start: async (front: Front) => startNginx(front) },
])('behind $name as it is shipped', ({ start }) => {
  let front: Front;
  let product: ServerProcess;
  let admin: HttpClient;
  let administration: number | undefined;

  beforeAll(async () => {
    const port = await findFreePort();
    const settings = { PUBLIC_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'off' };
    product = await startServer(createDataFolder(), settings);
    front = { port, behind: product.port };
    administration = await start(front);
    await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/api/health/ready`)).status).toBe(200));
    admin = await callAsAdministrator({ ...product, port });
  });
  afterAll(() => product.end('SIGKILL'));

  const send = (bytes: number) =>
    admin.send<{ code: string; message: string }>(
      'POST',
      '/api/admin/payments/imports',
      statementForm({ accountId: 1, dryRun: true }, Buffer.alloc(bytes, 'a;b\n')),
    );

  test('the largest statement is read, a larger one is told the limit, and so is one that the proxy stops', async () => {
    expect((await send(statementBytes)).body.code).not.toMatch(/TOO_LARGE|BUSY/);
    expect(await send(statementBytes + 1)).toMatchObject({ status: 413, body: { message: statementTooLarge } });
    const stopped = await send(2 * statementBytes);
    expect(stopped).toMatchObject({ status: 413, body: { code: expect.stringMatching(/TOO_LARGE$/) } });
    expect(stopped.body.message).toContain('32 Mo');
  });

  test('the page may not be changed on its way', async () => {
    const page = await fetch(`http://127.0.0.1:${front.port}/`);
    expect(page.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(page.headers.get('server') ?? 'nginx').toBe('nginx');
  });

  test('bodies that a stranger cuts are no failure of the process: everybody else is served meanwhile', async () => {
    const stop = { now: false };
    const statuses = new Set<number>();
    const poll = async () => {
      while (!stop.now) statuses.add((await fetch(`http://127.0.0.1:${front.port}/api/services`)).status);
    };
    const polls = [1, 2, 3].map(poll);
    const failures = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => sendCutBody(front.port)));
      if (!administration) continue;
      const answer = await fetch(`http://127.0.0.1:${administration}/reverse_proxy/upstreams`);
      for (const { fails } of (await answer.json()) as { fails: number }[]) failures.add(fails);
    }
    expect([...failures].filter((count) => count > 0)).toEqual([]);
    stop.now = true;
    await Promise.all(polls);
    expect([...statuses]).toEqual([200]);
  });

  test('a process that is gone is told in French, to the web app and to people', async () => {
    await product.end('SIGKILL');
    const api = await fetch(`http://127.0.0.1:${front.port}/api/services`);
    expect({ status: api.status, body: await api.json() }).toMatchObject({ status: 503, body: { code: 'BUSY' } });
    expect(api.headers.get('retry-after')).toBe('5');
    const page = await fetch(`http://127.0.0.1:${front.port}/notifications`);
    expect(page.status).toBe(503);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('Le service est momentanément indisponible.');
  });
});
