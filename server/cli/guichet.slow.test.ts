import os from 'node:os';
import path from 'node:path';
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

const signIn = (port: number, { phoneOrEmail, password }: typeof administrator, client = new HttpClient(port)) =>
  client.send('POST', '/api/auth/signin', { phoneOrEmail, password });

test('admin reset gives the first administrator another password, beside the product and without it', async () => {
  const before = new HttpClient(server.port);
  expect((await signIn(server.port, administrator, before)).status).toBe(200);
  const pid = postgresPid(folder);
  const wrong = { ...administrator, password: 'oublié' };
  for (let tried = 0; tried < 5; tried += 1) expect((await signIn(server.port, wrong)).status).toBe(401);
  expect((await signIn(server.port, wrong)).status).toBe(429);

  const reset = await guichet('admin', 'reset');
  expect(reset).toMatchObject({ status: 0, stderr: '' });
  expect(reset.stdout).toMatch(
    /^Administrateur : \+226 70 00 00 00 · mot de passe : [a-z2-9]{14} \(affiché une seule fois\)\n$/,
  );
  const fresh = printedAdministrator(reset.stdout);
  if (!fresh) throw new Error('no administrator printed');
  expect((await before.send('GET', '/api/auth/me')).status).toBe(401);
  expect((await signIn(server.port, administrator)).status).toBe(401);
  expect((await signIn(server.port, fresh)).status).toBe(200);
  expect(postgresPid(folder)).toBe(pid);
  const logged = await query(folder, "select action, target, ip from audit_log where action = 'admin_reset'");
  expect(logged).toEqual([{ action: 'admin_reset', target: expect.stringMatching(/^\d+$/), ip: 'local' }]);
  expect((await server.end('SIGTERM')).code).toBe(0);

  const again = printedAdministrator((await guichet('admin', 'reset', '--phone', '+226 70 00 00 00')).stdout);
  expect(postgresPid(folder)).toBeUndefined();
  server = await startServer(folder);
  expect(again?.password).not.toBe(fresh.password);
  expect((await signIn(server.port, fresh)).status).toBe(401);
  expect((await signIn(server.port, again ?? fresh)).status).toBe(200);
});

test.each([
  [['admin', 'reset', '--phone', '+22671999999'], "Aucun administrateur n'a le numéro +22671999999."],
  [['admin', 'reset', '--phone', 'abc'], '--phone attend un numéro mobile'],
  [['admin', 'reset', '--password', 'x'], "n'est pas compris"],
  [['admin', 'create'], '--phone attend un numéro mobile international'],
  [['admin', 'create', '--phone', '71 00 00 01'], '--phone attend un numéro mobile international'],
  [['admin', 'create', '--phone', '+226 70 00 00 00'], "+226 70 00 00 00 est déjà celui d'un administrateur"],
  [['admin', 'create', '--phone', '+22671000001', '--name', ' '], '--name attend un prénom et un nom'],
  [['migrate', 'now'], "« now » n'est pas compris"],
  [['backup'], 'Écrivez par exemple : npm run guichet -- backup guichet.backup'],
  [['backup', 'a', 'b'], "« a b » n'est pas compris"],
  [['backup', '/nowhere/at/all'], "son dossier n'existe pas"],
  [['backup', os.tmpdir()], "n'est pas un fichier"],
  [['backup', import.meta.filename], 'existe déjà : donnez un autre nom, ou ajoutez --force.'],
  [['backup', path.join(import.meta.filename, 'x')], "ce n'est pas un dossier, ou il est sous un fichier"],
  [['restore', '/nowhere'], "Le fichier /nowhere n'existe pas."],
  [['restore', import.meta.filename], "n'est pas une sauvegarde de Guichet"],
])('%j is refused in one sentence, and nothing changes', async (given, sentence) => {
  const passwords = () => query(folder, 'select id, password from users order by id');
  const before = await passwords();
  const { status, stdout, stderr } = await guichet(...given);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
  expect(await passwords()).toEqual(before);
});

test.each([[[]], [['admin', 'delete']], [['constructor']]])(
  '%j is answered with all that can be written',
  async (given) => {
    const { status, stdout, stderr } = await guichet(...given);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const [first, ...usages] = stderr.trim().split('\n');
    expect(first).toBe(`${given.length > 0 ? `« ${given.join(' ')} » n'est pas compris. ` : ''}Écrivez :`);
    expect(usages.length).toBeGreaterThan(5);
    for (const usage of usages) expect(usage).toMatch(/^ {2}npm run guichet -- [a-z]/);
  },
);

test('admin create makes another administrator, whose number has no account yet; migrate finds nothing to do', async () => {
  const made = await guichet('admin', 'create', '--phone', '+226 71 00 00 01', '--name', 'Fatou Diallo');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const printed = printedAdministrator(made.stdout);
  expect(printed?.phoneOrEmail).toBe('+226 71 00 00 01');
  const answer = await signIn(server.port, printed ?? administrator);
  expect(answer).toMatchObject({
    status: 200,
    body: { user: { firstName: 'Fatou', lastName: 'Diallo', isAdmin: true } },
  });
  const logged = await query(folder, "select ip from audit_log where action = 'admin_create'");
  expect(logged).toEqual([{ ip: 'local' }]);

  await query(folder, "insert into users (first_name, last_name, phone) values ('Awa', 'Sawadogo', '+22671000002')");
  const taken = await guichet('admin', 'create', '--phone', '+22671000002');
  expect(taken).toMatchObject({ status: 1, stdout: '' });
  expect(taken.stderr).toContain('a déjà un compte : nommez cette personne administratrice dans le panneau');
  expect(await query(folder, "select is_admin from users where phone = '+22671000002'")).toEqual([{ is_admin: false }]);

  const migrated = { status: 0, stdout: 'Base de données à jour (aucune migration à appliquer).\n', stderr: '' };
  expect(await guichet('migrate')).toEqual(migrated);
});
