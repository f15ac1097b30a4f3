import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeServers, listen, portOf } from '#server/testing/local-servers.ts';
import { runCommand } from '#server/testing/run-command.ts';
import { cleanUp, createDataFolder, query, type ServerProcess, startServer } from '#server/testing/server-process.ts';

let folder: string;
let product: ServerProcess;
let proxy: http.Server;
/** A folder of data that nothing is wrong with. */
let home: string;

beforeAll(async () => {
  folder = createDataFolder();
  // What it is told of the caller by whoever calls from this machine, it believes: there should be a proxy.
  product = await startServer(folder, { TRUST_PROXY: '127.0.0.1' });
  proxy = await listen(
    http.createServer(({ method, url }, response) => {
      const headers = { 'x-forwarded-for': '192.0.2.1', 'content-length': 0 };
      http
        .request({ host: '127.0.0.1', port: product.port, method, path: url, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        })
        .end();
    }),
  );
  home = createDataFolder();
});
afterAll(async () => {
  closeServers();
  await cleanUp();
});

const doctor = (settings: Record<string, string>, ...given: string[]) =>
  runCommand(['doctor', ...given], { DATA_DIR: folder, ...settings }, home);

test('of a product that is well everything is said, nothing is wrong, and nothing is left behind', async () => {
  const { status, stdout, stderr } = await doctor({ PUBLIC_URL: `http://127.0.0.1:${portOf(proxy)}` });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toContain('✗');
  expect(stdout.trim().split('\n').at(-1)).toBe('Tout va bien.');
  for (const title of [
    'Réglages',
    'Base de données',
    'Secrets',
    'Disque',
    'Mémoire',
    'Adresse publique',
    'SMS',
    'Catalogue',
    'Codes et prix',
    'Contact',
    'Encaissements',
    'Sauvegardes',
  ])
    expect(stdout).toContain(`✓ ${title} : `);
  expect(await query(folder, 'select id from users where is_guest')).toEqual([]);
});

test('fault 1: a setting that cannot be read; with what is wrong it says how to mend it, and ends with 1', async () => {
  const { status, stdout } = await doctor({ PORT: 'abc' });
  expect(status).toBe(1);
  expect(stdout).toContain('✗ Réglages : Le réglage PORT est illisible');
  expect(stdout).toMatch(/\n {4}→ .+\n1 chose à corriger\.\n$/);
  expect((await doctor({}, 'now')).stderr).toContain("« now » n'est pas compris");
  const open = await doctor({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' });
  expect(open.stdout).toContain('✗ Réglages : METRICS_HOST=0.0.0.0');
});

test('fault 2: a database that is away, and what does not need it is looked at all the same', async () => {
  const { status, stdout } = await doctor({ DATABASE_URL: 'postgres://guichet:secret@127.0.0.1:1/guichet' });
  expect(status).toBe(1);
  expect(stdout).toContain('✗ Base de données : La base de données de DATABASE_URL ne peut pas être utilisée');
  expect(stdout).toContain('✓ Disque : ');
  expect(stdout).not.toContain('secret@');
});

test('fault 10: a proxy that passes on what callers say of their address', async () => {
  const { status, stdout } = await doctor({ PUBLIC_URL: `http://127.0.0.1:${product.port}` });
  expect(status).toBe(1);
  expect(stdout).toContain("✗ Adresse publique : Un visiteur peut se donner l'adresse qu'il veut");
  expect(await query(folder, "select key from rate_limits where key like '%203.0.113.77'")).toEqual([]);
});

test('faults 11 and 12: TRUST_PROXY forgotten, and a certificate that nobody trusts or that soon ends', async () => {
  const certificates = path.join(home, 'certificates');
  mkdirSync(certificates);
  const [key, cert] = [path.join(certificates, 'key.pem'), path.join(certificates, 'cert.pem')];
  const words = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...words, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = await listen(
    https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      proxy.emit('request', request, response);
    }),
  );
  const settings = { PUBLIC_URL: `https://localhost:${portOf(server)}` };
  const unknown = await doctor(settings);
  expect(unknown.status).toBe(1);
  expect(unknown.stdout).toContain('✗ Adresse publique : TRUST_PROXY manque');
  expect(unknown.stdout).toContain('✗ Adresse publique : Les navigateurs ne font pas confiance au certificat');
  const soon = await doctor({ ...settings, TRUST_PROXY: '127.0.0.1', NODE_EXTRA_CA_CERTS: cert });
  expect(soon.stdout).not.toContain('TRUST_PROXY manque');
  expect(soon.stdout).toMatch(/✗ Adresse publique : Le certificat de localhost:\d+ vaut jusqu'au/);
  expect(soon.stdout).toContain('✓ Adresse publique : https://localhost:');
});
