import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  version: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  bin?: Record<string, string>;
  /** It comes inside of the hashed package that it stands below. */
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(path.join(root, name), 'utf8')) as unknown;
const manifest = read('package.json') as {
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  overrides?: object;
};
const { packages } = read('package-lock.json') as { packages: Record<string, Entry> };
const installed = Object.entries(packages).filter(([name]) => name !== '');
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('what runs in production is locked with hashes, and every install script was looked at', () => {
  const production = installed.filter(([, entry]) => !entry.dev);
  expect(production.length).toBeGreaterThan(100);
  expect(production.filter(([, entry]) => !entry.integrity?.startsWith('sha512-')).map(([place]) => place)).toEqual([]);
  // Some registries have no package of other platforms to read a hash from: none of them is ever installed there.
  const unlocked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(
    unlocked.filter(([, { dev, optional, os, cpu }]) => !dev || !optional || !(os ?? cpu)).map(([place]) => place),
  ).toEqual([]);
  const scripts = installed.filter(([, entry]) => entry.hasInstallScript).map(([place]) => nameOf(place));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((name) => !(name in manifest.allowScripts))).toEqual([]);
});
