import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { brokenNames, brokenTests, isDocument, type Project } from './documents.ts';
import { listPaths, readFiles } from './files.ts';

const root = path.dirname(import.meta.dirname);
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

test('README.md, CONTRIBUTING.md and docs/ name no path or npm script that does not exist', () => {
  const documents = readFiles(root).filter(isDocument);
  expect(documents.length).toBeGreaterThan(0);
  expect(documents.some((file) => file.path === 'README.md')).toBe(existsSync(`${root}/README.md`));
  expect(documents.flatMap((file) => brokenNames(file, project))).toEqual([]);
});

test('nor any test that does not exist', () => {
  const files = readFiles(root);
  const suite = files.find((file) => file.path === 'docs/visitor-suite.md');
  expect(suite?.text.match(/spec\.ts: /g)?.length).toBeGreaterThan(100);
  expect(files.filter(isDocument).flatMap((document) => brokenTests(document, files))).toEqual([]);
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
])('the rule catches %s saying %j', (document, text, named) => {
  expect(brokenNames({ path: document, text }, small)).toEqual([expect.stringContaining(named)]);
});

test('the rule leaves alone what exists, and what is no path', () => {
  const text = [
    '`server/main.ts` `main.ts` `server/` `http/route.ts` `./server/main.ts` `#server/http/route.ts` `.npmrc`',
    '`/api/tickets` `GET /admin` `text/plain` `libphonenumber-js/max` `@fastify/cookie` `data/sms.jsonl` `24/7`',
    '`postgres://u@h/db` `docs/**/*.md` `tickets_export_{date}.xlsx` `<a/b>` `Node.js` [web](https://example.org/a.md)',
    '[above](#part) `npm run check` `npm start`',
    '```\ncp gone/a.ts gone/b.ts\n```',
  ].join('\n');
  expect(brokenNames({ path: 'docs/a.md', text }, small)).toEqual([]);
});

test.each([
  ['`a.test.ts: what is there`', 0],
  ['`a.test.ts: what is…`', 0],
  ['`a.test.ts: says "so"`, `a.test.ts: each of %s is`', 0],
  ['`a.test.ts: what takes long`', 0],
  ['`a.test.ts: what is`', 1],
  ['`a.test.ts: is there`', 1],
  ['`a.test.ts: gone…`', 1],
  ['`gone.test.ts: what is there`', 1],
])('of the tests in %s it catches %d', (text, count) => {
  const source =
    "test('what is there', …); test('says \"so\"', …); test(`each of %s is`, …); test('what takes long @slow', …);";
  expect(brokenTests({ path: 'docs/a.md', text }, [{ path: 'a.test.ts', text: source }])).toHaveLength(count);
});
