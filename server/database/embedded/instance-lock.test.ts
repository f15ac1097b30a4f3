import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, createDataFolder } from '#server/testing/server-process.ts';
import { holdLock } from './instance-lock.ts';

afterAll(cleanUp);

const inUse = 'Une autre instance de Guichet utilise déjà le dossier';
const module = path.join(import.meta.dirname, 'instance-lock.ts');

/** A program that takes the lock, and keeps it as long as its standard input is open. */
const holding = (home: string) => `const { holdLock } = await import(${JSON.stringify(module)});
  globalThis.lock = holdLock(${JSON.stringify(home)}); process.stdin.resume();`;

test('one process has a folder, and another one when that is dead', async () => {
  const home = createDataFolder();
  const held = holdLock(home);
  expect(() => holdLock(home)).toThrow(inUse);
  held.release();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${holding(home)} console.log('held');`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => holdLock(home)).toThrow(inUse);
  child.kill('SIGKILL');
  await once(child, 'exit');
  holdLock(home).release();
  expect(readdirSync(home)).toEqual(['guichet.lock']);
});

test('a folder in which nothing can be made is refused in one sentence', () => {
  const file = path.join(createDataFolder(), 'file');
  writeFileSync(file, '');
  expect(() => holdLock(file)).toThrow(/^Le dossier .* ne peut pas être réservé \(.+\) : .*\.$/);
});
