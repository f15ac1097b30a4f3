import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CannotStart } from '#server/process/cannot-start.ts';

/** The system account PostgreSQL runs under; `undefined` means our own. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses root, so root lends it to an unprivileged account: `postgres` if there is one, else one made here,
 * else `nobody`. Throws `CannotStart` where there is none of them.
 */
export function chooseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = findAccount('postgres') ?? createAccount('guichet') ?? findAccount('nobody');
  if (!account) throw new CannotStart('Aucun compte système sans privilège pour PostgreSQL (ni postgres, ni nobody).');
  return account;
}

/** Asks the system, as that account, since permissions of every parent folder count. */
export function canReach(account: Account | undefined, file: string): boolean {
  if (!account) return true;
  const asked = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', file], {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return asked.status === 0;
}

/** The name of an account, or its number where it has none. */
export function nameOfAccount(uid: number): string {
  return listAccounts().find((each) => each.uid === uid)?.name ?? String(uid);
}

function findAccount(name: string): Account | undefined {
  return listAccounts().find((each) => each.name === name);
}

function listAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(':');
      return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
    });
}

function createAccount(name: string): Account | undefined {
  const existing = findAccount(name);
  if (existing) return existing;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name], { stdio: 'ignore' });
  return findAccount(name);
}
