import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { addresses, adminAddresses } from '#web/addresses.ts';
import { findBreaks } from './check.ts';
import { importRules } from './imports.ts';

const root = path.dirname(import.meta.dirname);

/** A file, a part of what is said of it, or '-' where nothing is, and its text. */
type Fault = [file: string, said: string, text: string];

const written = readFileSync(path.join(import.meta.dirname, 'faults.txt'), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
const faults = written.map((line): Fault => {
  const [file = '', said = '', ...text] = line.split(' | ');
  return [file, said.replace(/ \|$/, ''), text.join(' | ').replaceAll('\\n', '\n')];
});
faults.push(['server/long.ts', 'noExcessiveLinesPerFile', 'a();\n'.repeat(400)]);
for (const [index, address] of Object.values({ ...addresses, ...adminAddresses }).entries())
  for (const text of [`<A to="${address}" />`, `navigate('${address}')`, `open(\`$\{origin}${address}?a\`)`])
    faults.push([
      `web/address-${index}-${text.slice(0, 2)}.tsx`.replace('<', ''),
      'web/addresses.ts alone',
      `a(${text});`,
    ]);

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-rules-'));
for (const file of ['biome.json', 'package.json', '.gitignore', 'architecture/biome'])
  cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
for (const [file, , text] of faults.filter(([, , text]) => text)) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), `${text}\n`, { flag: 'a' });
}
const lint = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
const { stdout } = await promisify(execFile)(path.join(root, 'node_modules/.bin/biome'), lint, {
  cwd: folder,
  maxBuffer: 2 ** 26,
}).catch((error: { stdout: string }) => error);
const { diagnostics } = JSON.parse(stdout) as {
  diagnostics: { category: string; message: string; location: { path: string } }[];
};
const linted = diagnostics.map(({ category, message, location }) => `${location.path} ${category} ${message}`);
/** What the tools say, as '<file> <what>'. */
const said: string[] = [...linted, ...(await findBreaks(folder))];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(faults.filter(([, what]) => what !== '-'))('of %s is said: %s', (file, what) => {
  const ofFile = said.filter((each) => each.startsWith(`${file} `));
  expect(ofFile).toContainEqual(expect.stringContaining(what));
});

test('nothing is said of what only resembles a fault', () => {
  const fine = faults.filter(([, what]) => what === '-').map(([file]) => file);
  const usual = / lint\/(?:correctness|complexity|a11y|suspicious\/no(?!Focused|Skipped)|style\/use(?!Filename))/;
  expect(said.filter((each) => fine.includes(each.split(' ')[0] ?? '') && !usual.test(each))).toEqual([]);
});

test('each rule on imports has a fault', () => {
  const names = importRules.ruleSet?.forbidden?.map(({ name = '' }) => name.replace(/: .*/, '')) ?? [];
  const proven = (name: string) => faults.some(([, what]) => name.startsWith(what.replace(/: .*/, '')));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !proven(name))).toEqual([]);
});

test('each rule that biome.json names beyond its recommended ones has a fault', () => {
  const named = [
    ...readFileSync(path.join(root, 'biome.json'), 'utf8').matchAll(
      /"(no(?:Barrel|ReExport|Exported|Excessive|Useless|Process|Restricted|Js)\w+|use\w+Convention)"/g,
    ),
  ];
  expect(named.flatMap(([, rule = '']) => (faults.some(([, what]) => what === rule) ? [] : rule))).toEqual([]);
});
