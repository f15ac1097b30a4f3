import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, createDataFolder } from '#server/testing/server-process.ts';
import { holdLock } from './instance-lock.ts';

afterAll(cleanUp);

const inUse = 'Une autre instance de Guichet utilise déjà le dossier';
const module = path.join(import.meta.dirname, 'instance-lock.ts');

/** A process that has the lock, and was killed. */
async function dieHolding(home: string): Promise<void> {
  const work = `const { holdLock } = await import(${JSON.stringify(module)});
    await holdLock(${JSON.stringify(home)}); process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', work], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** One whose sockets' paths are longer than the system takes. */
function longFolder(): string {
  const folder = path.join(createDataFolder(), 'd'.repeat(120));
  mkdirSync(folder);
  return folder;
}

test.each([
  ['short', createDataFolder],
  ['long', longFolder],
])('one process has a folder with a %s path, and another one when that is dead', async (_, create) => {
  const home = create();
  const held = await holdLock(home);
  expect(statSync(path.join(home, 'lock')).mode & 0o777).toBe(0o666);
  await expect(holdLock(home)).rejects.toThrow(inUse);
  expect(readdirSync(home)).toEqual(['lock']);
  held.release();
  expect(readdirSync(home)).toEqual([]);
  await dieHolding(home);
  expect(readdirSync(home)).toEqual(['lock']);
  const attempts = await Promise.allSettled([holdLock(home), holdLock(home), holdLock(home)]);
  const [winner, ...others] = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(others).toEqual([]);
  await expect(holdLock(home)).rejects.toThrow(inUse);
  winner?.release();
  expect(readdirSync(home)).toEqual([]);
});

test('a folder in which nothing can be made is refused in one sentence', async () => {
  const file = path.join(createDataFolder(), 'file');
  writeFileSync(file, '');
  await expect(holdLock(file)).rejects.toThrow(/^Le dossier .* ne peut pas être réservé \(\w+\) : /);
});
