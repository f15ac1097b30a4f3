import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { createDataFolder, findFreePort } from './server-process.ts';

export const pgbouncer = '/usr/sbin/pgbouncer';

export interface Pooler {
  port: number;
  stop(): Promise<void>;
}

/** Debian's pgbouncer in transaction mode before a PostgreSQL. Throws a sentence where it is not installed. */
export async function startPooler({ host, port, user, password }: pg.ClientConfig): Promise<Pooler> {
  if (!existsSync(pgbouncer))
    throw new Error(`Il manque ${pgbouncer} : apt-get install --no-install-recommends pgbouncer.`);
  const folder = createDataFolder();
  const own = await findFreePort();
  const number = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  // It refuses root.
  const account = process.getuid?.() === 0 ? { uid: number('-u'), gid: number('-g') } : undefined;
  const files = {
    'users.txt': `"${user}" "${password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${host} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${folder}/users.txt`,
      'pool_mode = transaction',
      'max_client_conn = 200',
      'default_pool_size = 12',
      // By default it lets 15 s pass before it looks whether a server is back.
      'server_login_retry = 1',
    ].join('\n'),
  };
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    if (account) chownSync(path.join(folder, name), account.uid, account.gid);
  }
  const child: ChildProcess = spawn(pgbouncer, [path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...account });
  await eventually(async () => {
    const client = new pg.Client({ host: '127.0.0.1', port: own, user, password: String(password), database: user });
    await client.connect();
    await client.end();
  });
  return {
    port: own,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}
