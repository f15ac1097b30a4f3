import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listPaths, readFiles } from './files.ts';
import { slices, webRooms } from './order.ts';
import { breaksOf, filesOf, isScript } from './rule.ts';
import { rules } from './rules.ts';
import { importsOf } from './syntax.ts';

const root = path.dirname(import.meta.dirname);
const files = readFiles(root);
const paths = listPaths(root);

/** The folders inside one that hold files. */
const foldersIn = (folder: string) => {
  const inside = files.filter((file) => file.path.startsWith(folder)).map((file) => file.path.slice(folder.length));
  return [...new Set(inside.flatMap((name) => (name.includes('/') ? name.split('/').slice(0, 1) : [])))];
};

test('files are read, and their imports', () => {
  expect(files.length).toBeGreaterThan(80);
  for (const folder of ['contract/', 'server/http/', 'server/features/', 'web/', 'e2e/', 'architecture/rules.test.ts'])
    expect(files.filter((file) => file.path.startsWith(folder)).length, folder).toBeGreaterThan(0);
  expect(files.filter((file) => /node_modules|migrations|package-lock/.test(file.path))).toEqual([]);
  expect(files.filter(isScript).flatMap(importsOf).length).toBeGreaterThan(1000);
});

test('the order of the server slices names exactly the folders of server/features/', () => {
  expect(foldersIn('server/features/').sort()).toEqual(slices.toSorted());
});

test('the folders of web/ that have a place are exactly those there are', () => {
  expect(foldersIn('web/').sort()).toEqual(Object.keys(webRooms).sort());
});

describe.each(rules)('$sentence', (rule) => {
  test('in every file of the repository', () => {
    expect(files.filter(rule.looksAt).length).toBeGreaterThan(0);
    expect(breaksOf(rule, files)).toEqual([]);
  });

  test('and the rule catches who breaks it, and nobody else', () => {
    expect(rule.broken.length).toBeGreaterThan(0);
    expect(rule.fine.length).toBeGreaterThan(0);
    for (const sample of rule.broken) {
      const [culprit = ''] = Object.keys(sample);
      const found = breaksOf(rule, filesOf(sample));
      expect(found, JSON.stringify(sample)).toContainEqual(expect.stringContaining(`${culprit} `));
    }
    for (const sample of rule.fine) expect(breaksOf(rule, filesOf(sample)), JSON.stringify(sample)).toEqual([]);
  });

  test('and its exceptions name files there are', () => {
    const gone = Object.keys(rule.except ?? {}).filter((place) => !place.endsWith('/') && !paths.includes(place));
    expect(gone).toEqual([]);
  });
});
