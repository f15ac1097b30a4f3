import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { requireFolder } from './folders.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'guichet-folders-')));
  writeFileSync(path.join(root, 'file'), 'kept');
  mkdirSync(path.join(root, 'there'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a folder is made with those above it, and nothing is left of the try to write there', () => {
  for (const name of ['there', 'new/below']) {
    const folder = path.join(root, name);
    expect(requireFolder('BACKUP_DIR', folder)).toBe(folder);
    expect(readdirSync(folder)).toEqual([]);
  }
  const relative = path.relative(process.cwd(), path.join(root, 'there'));
  expect(readEnvironment({ BACKUP_DIR: relative }).BACKUP_DIR).toBe(path.join(root, 'there'));
});

const faults: [fault: string, folder: () => string, reason: string][] = [
  ['a file', () => path.join(root, 'file'), "ce n'est pas un dossier"],
  ['below a file', () => path.join(root, 'file', 'below'), 'il est sous un fichier'],
  ['where the system makes none', () => '/proc/guichet/b', 'ne peut pas être créé'],
  ['where nothing can be written', () => '/proc', 'ne peut pas être créé ou écrit'],
  ['of a name that is too long', () => path.join(root, 'x'.repeat(300)), 'ENAMETOOLONG'],
];

test.each(faults)('%s is refused in one sentence that names it', (_fault, folder, reason) => {
  const refusal = () => requireFolder('BACKUP_DIR', folder());
  expect(refusal).toThrow(`Le réglage BACKUP_DIR nomme un dossier (« ${folder()} »)`);
  expect(refusal).toThrow(reason);
  expect(refusal).toThrow(/^\p{Lu}[^\n]*\.$/u);
});
