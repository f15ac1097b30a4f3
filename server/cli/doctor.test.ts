import { afterAll, expect, test } from 'vitest';
import { conditions } from '#server/features/alarms/conditions.ts';
import { readPage } from '#server/http/static-site.ts';
import { startFakeGateway } from '#server/testing/gateways/fake-gateway.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { runCommand } from '#server/testing/run-command.ts';
import { createDatabase } from '#server/testing/test-api.ts';

const { config } = await createDatabase(`template ${templateDatabase}`);
const isReady = { status: 200, body: { status: 'ok' } };
const serving = (page: string) =>
  startFakeGateway(({ path }) => (path === '/api/health/ready' ? isReady : { status: 200, body: page }));
const product = await serving(readPage());
const changing = await serving(`${readPage()}<script src="/cdn.js"></script>`);
const other = await startFakeGateway(() => ({ status: 200, body: '<p>Bienvenue</p>' }));
afterAll(() => Promise.all([product, changing, other].map((each) => each.close())));

const doctor = (settings: Record<string, string> = {}, ...given: string[]) => {
  const { host, port, user, password, database } = config;
  const DATABASE_URL = `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`;
  return runCommand(['doctor', ...given], { DATABASE_URL, PUBLIC_URL: product.url, ...settings });
};

test('each condition has its line, with a cross and what to do where it holds; the exit status is 1 then', async () => {
  const { status, stdout, stderr } = await doctor({ NODE_ENV: 'production', SMS_PROVIDER: 'console' });
  expect(stderr).toBe('');
  for (const { title } of conditions) expect(stdout).toMatch(new RegExp(`^[✓✗] ${title}`, 'm'));
  expect(stdout).toContain('✓ Base de données\n');
  expect(stdout).toMatch(
    /^✗ SMS : Aucun SMS ne part pour Burkina Faso.*\n {4}→ Vérifiez le compte, le crédit et les clés/m,
  );
  expect(stdout).toContain('✓ Adresse publique\n');
  expect(stdout).toMatch(/chose(s)? à corriger\.\n$/);
  expect(status).toBe(1);
});

test('an address that does not answer, or that leads elsewhere, is a fault', async () => {
  expect((await doctor({ PUBLIC_URL: 'http://127.0.0.1:1' })).stdout).toContain(
    '✗ Adresse publique : http://127.0.0.1:1 ne répond pas',
  );
  const { stdout } = await doctor({ PUBLIC_URL: other.url });
  expect(stdout).toContain("n'est pas servi par Guichet (réponse 200)");
  expect((await doctor({ PUBLIC_URL: changing.url })).stdout).toContain('est modifiée en chemin');
});

test.each([
  ['a setting that cannot be read', { PORT: 'abc' }, [], 'Le réglage PORT est illisible'],
  [
    'a database that is away',
    { DATABASE_URL: 'postgres://guichet:secret@127.0.0.1:1/guichet' },
    [],
    'ne peut pas être utilisée',
  ],
  ['a word too many', {}, ['now'], "« now » n'est pas compris"],
])('%s is told in a sentence', async (_, settings, given, words) => {
  const { status, stderr } = await doctor(settings as Record<string, string>, ...given);
  expect(status).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('secret@');
});
