import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenNames, isDocument, type Project } from './architecture-docs.ts';
import { importsOf, listPaths, readFiles, withoutComments } from './architecture-files.ts';
import { breaksOf, rules, slices } from './architecture-rules.ts';

const root = import.meta.dirname;
const files = readFiles(root);
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  scripts?: object;
  dependencies: object;
  devDependencies: object;
};
const project: Project = {
  paths: listPaths(root),
  scripts: Object.keys(manifest.scripts ?? {}),
  packages: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
};

/** A file that breaks each rule, by the rule's sentence, and one beside it that does not. */
const samples: [rule: RegExp, path: string, broken: string, fine: string][] = [
  [/^contract\/ imports/, 'contract/a.ts', "import fs from 'node:fs';", "import * as z from 'zod/mini';"],
  [/^contract\/ imports/, 'contract/a.ts', "import { db } from '#server/db.ts';", "import { b } from './b.ts';"],
  [/^contract\/ imports/, 'contract/a.ts', "import fc from 'fast-check';", "export { b } from '#contract/b.ts';"],
  [/never import one another$/, 'server/a.ts', "import { a } from '#web/a.ts';", "import a from '#contract/a.ts';"],
  [/never import one another$/, 'web/a.tsx', "const a = import('#server/a.ts');", "import a from '#contract/a.ts';"],
  [
    /^web\/ui imports/,
    'web/ui/a.tsx',
    "import { call } from '#web/api/client.ts';",
    "import { useState } from 'react';",
  ],
  [/^web\/ui imports/, 'web/ui/a.tsx', "import { Link } from 'wouter';", "import './a.css';"],
  [
    /^a server slice imports/,
    'server/features/auth/a.ts',
    "import {\n  a,\n} from '#server/features/tickets/store.ts';",
    "import { a } from '#server/features/users/store.ts';",
  ],
  [/^a server slice imports/, 'server/features/other/a.ts', 'export const a = 1;', ''],
  [
    /routes\.ts$/,
    'server/features/audit/a.ts',
    "import { a } from '#server/features/users/routes.ts';",
    "import { a } from './routes.ts';",
  ],
  [
    /^web slices/,
    'web/features/order/a.tsx',
    "import { a } from '#web/features/tickets/a.tsx';",
    "import { a } from '#web/features/order/parts/a.tsx';",
  ],
  [/^drizzle/, 'server/app.ts', "import { sql } from 'drizzle-orm';", "import { sql } from './sql.ts';"],
  [/^drizzle/, 'server/features/a/b.ts', "import type { A } from 'drizzle-orm/pg-core';", "// from 'drizzle-orm'"],
  [/^Fastify/, 'server/features/users/store.ts', "import type { A } from 'fastify';", "import pg from 'pg';"],
  [/^Fastify/, 'server/seed.ts', "import type {} from '@fastify/multipart';", "const a = 'fastify';"],
  [/^imports say/, 'server/a/b.ts', "import { c } from '../c.ts';", "import { c } from './c.ts';"],
  [/^imports say/, 'server/a/b.ts', "import { c } from '#server/a/c.ts';", "import { c } from '#server/c.ts';"],
  [/^process\.env/, 'server/a.ts', 'const a = process.env.A;', '// process.env\nconst a = process.pid;'],
  [/^process\.env/, 'web/a.ts', 'const { env } = process;', 'const { pid } = process;'],
  [/^fetch/, 'web/features/a/b.ts', "await fetch('/api');", "/* fetch( */ client.prefetchQuery('/api');"],
  [/^fetch/, 'web/a.ts', "globalThis.fetch('/api');", "const a = 'http://x//y'; refetch();"],
  [/barrel/, 'web/ui/index.ts', "export * from './a.ts';\nexport { b } from './b.ts';", 'export const a = 1;'],
  [/barrel/, 'server/all.ts', "import { a } from './a.ts';\nexport { a };", "import { a } from './a.ts';\na();"],
  [/^a test is/, 'server/a.test.ts', ['test.', "skip('x')"].join(''), "test('x')"],
  [/^a test is/, 'e2e/a.spec.ts', ['describe.', "only('x')"].join(''), ['// it.', 'only\nattempt.only()'].join('')],
  [/is left$/, 'server/a.ts', ['// TO', 'DO later'].join(''), "const todo = 'methodo';"],
  [/is left$/, 'web/a.css', ['/* FIX', 'ME */'].join(''), 'a {}'],
  [/400 lines$/, 'server/a.ts', 'a();\n'.repeat(400), 'a();\n'.repeat(399)],
  [/^nothing is called/, 'server/utils/a.ts', '', ''],
  [/^nothing is called/, 'web/helpers.ts', '', ''],
  [/kebab-case$/, 'web/ui/Button.tsx', '', ''],
  [/kebab-case$/, 'server/my_file.ts', '', ''],
  [/\.tsx outside/, 'server/a.tsx', '', ''],
];

/** A rule on names is obeyed by another name, not by another text. */
const wellNamed = 'web/ui/date-field.test.tsx';

test('files are read', () => {
  expect(files.length).toBeGreaterThan(80);
  for (const folder of ['contract/', 'server/http/', 'server/features/', 'web/', 'architecture.test.ts'])
    expect(files.filter((file) => file.path.startsWith(folder)).length, folder).toBeGreaterThan(0);
  expect(files.filter((file) => /node_modules|migrations|package-lock/.test(file.path))).toEqual([]);
});

test('the order of the server slices names exactly the folders of server/features/', () => {
  const folders = project.paths.filter((each) => /^server\/features\/[^/]+$/.test(each)).map((each) => each.slice(16));
  expect(folders.sort()).toEqual(slices.toSorted());
});

describe.each(rules)('$sentence', (rule) => {
  const itsSamples = samples.filter(([sentence]) => sentence.test(rule.sentence));

  test('in every file of the repository', () => {
    expect(files.filter(rule.looksAt).length).toBeGreaterThan(0);
    expect(breaksOf(rule, files)).toEqual([]);
  });

  test('and the rule catches who breaks it', () => {
    expect(itsSamples.length).toBeGreaterThan(0);
    for (const [, path, broken, fine] of itsSamples) {
      expect(breaksOf(rule, [{ path, text: broken }]), `${path}: ${broken}`).toEqual([expect.stringContaining(path)]);
      const obedient = broken === fine ? wellNamed : path;
      if (fine || broken === fine) expect(breaksOf(rule, [{ path: obedient, text: fine }]), fine).toEqual([]);
    }
  });
});

describe('README.md, CONTRIBUTING.md and docs/ name no path or npm script that does not exist', () => {
  test('in every document of the repository', () => {
    const documents = files.filter(isDocument);
    expect(documents.some((file) => file.path === 'README.md')).toBe(existsSync(`${root}/README.md`));
    expect(documents.flatMap((file) => brokenNames(file, project))).toEqual([]);
  });

  const small: Project = {
    paths: ['README.md', 'server', 'server/main.ts', 'server/http', 'server/http/route.ts', 'docs/a.md', '.npmrc'],
    scripts: ['start', 'check'],
    packages: ['libphonenumber-js', '@fastify/cookie'],
  };

  test.each([
    ['README.md', 'See `server/gone.ts`.', 'server/gone.ts'],
    ['README.md', 'See `gone.ts`.', 'gone.ts'],
    ['README.md', 'See `gone/folder/`.', 'gone/folder/'],
    ['README.md', 'See `#server/gone.ts`.', '#server/gone.ts'],
    ['docs/a.md', 'See [that page](./gone.md#part).', './gone.md'],
    ['README.md', 'Run `npm run gone`.', 'npm script gone'],
    ['README.md', '```\nnpm run gone:now\n```', 'npm script gone:now'],
    ['README.md', 'Then `npm test`.', 'npm script test'],
  ])('and the rule catches %s saying %j', (path, text, named) => {
    expect(brokenNames({ path, text }, small)).toEqual([expect.stringContaining(named)]);
  });

  test('and the rule leaves alone what exists, and what is no path', () => {
    const text = [
      '`server/main.ts` `main.ts` `server/` `http/route.ts` `./server/main.ts` `#server/http/route.ts` `.npmrc`',
      '`/api/tickets` `GET /admin` `text/plain` `libphonenumber-js/max` `@fastify/cookie` `data/sms.jsonl` `24/7`',
      '`postgres://u@h/db` `docs/**/*.md` `tickets_export_{date}.xlsx` `<a/b>` `Node.js` [web](https://example.org/a.md)',
      '[above](#part) `npm run check` `npm start`',
      '```\ncp gone/a.ts gone/b.ts\n```',
    ].join('\n');
    expect(brokenNames({ path: 'docs/a.md', text }, small)).toEqual([]);
  });
});

test('imports are found in every form, and not in comments', () => {
  const text = [
    "import a from 'a';",
    "import {\n  b,\n  type B,\n} from './b.ts';",
    "import 'c';",
    "export { d } from '#server/d.ts';",
    "export * from 'e';",
    "const f = await import('f');",
    "type G = import('g').G;",
    "// import x from 'x';",
    "/* import y from 'y'; */",
    "const url = 'https://z'; import h from 'h';",
  ].join('\n');
  expect(importsOf({ path: 'a.ts', text }).sort()).toEqual(['#server/d.ts', './b.ts', 'a', 'c', 'e', 'f', 'g', 'h']);
  expect(withoutComments("a('//b'); // c\n/* d */ e(`/*f*/`)").replace(/\s+/g, ' ')).toBe("a('//b'); e(`/*f*/`)");
});
