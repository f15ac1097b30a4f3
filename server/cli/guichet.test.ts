import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '#server/testing/run-command.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  postgresPid,
  printedAdministrator,
  query,
  readAdministrator,
  type ServerProcess,
  startServer,
} from '#server/testing/server-process.ts';

let folder: string;
let server: ServerProcess;
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  folder = createDataFolder();
  server = await startServer(folder);
  administrator = await readAdministrator(server);
});
afterAll(cleanUp);

const guichet = (...given: string[]) => runCommand(given, { DATA_DIR: folder });

const signIn = ({ phoneOrEmail, password }: typeof administrator, client = new HttpClient(server.port)) =>
  client.send('POST', '/api/auth/signin', { phoneOrEmail, password });

test('beside the product, admin reset gives the first administrator another password, and admin create makes another one', async () => {
  const before = new HttpClient(server.port);
  expect((await signIn(administrator, before)).status).toBe(200);
  const pid = postgresPid(folder);
  const [reset, made] = await Promise.all([
    guichet('admin', 'reset'),
    guichet('admin', 'create', '--phone', '+226 71 00 00 01', '--name', 'Fatou Diallo'),
  ]);
  expect([reset, made]).toMatchObject([
    { status: 0, stderr: '' },
    { status: 0, stderr: '' },
  ]);
  expect(reset.stdout).toMatch(
    /^Administrateur : \+226 70 00 00 00 · mot de passe : [a-z2-9]{14} \(affiché une seule fois\)\n$/,
  );
  expect((await before.send('GET', '/api/auth/me')).status).toBe(401);
  expect((await signIn(administrator)).status).toBe(401);
  for (const { stdout } of [reset, made]) {
    const printed = printedAdministrator(stdout);
    if (!printed) throw new Error(`no administrator in ${stdout}`);
    expect(await signIn(printed)).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
  }
  expect(postgresPid(folder)).toBe(pid);
  const logged = await query(folder, "select action, ip from audit_log where action like 'admin%' order by action");
  expect(logged).toEqual([
    { action: 'admin_create', ip: 'local' },
    { action: 'admin_reset', ip: 'local' },
  ]);
});

test.each([
  [['admin', 'create', '--phone', '71 00 00 01'], '--phone attend un numéro mobile international'],
  [['backup', import.meta.filename], 'existe déjà : donnez un autre nom, ou ajoutez --force.'],
  [['restore', '/nowhere'], "Le fichier /nowhere n'existe pas."],
  [['constructor'], "« constructor » n'est pas compris. Écrivez :"],
])('%j is refused in a sentence', async (given, sentence) => {
  const { status, stdout, stderr } = await guichet(...given);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(sentence);
});
