import { describe, expect, test } from 'vitest';
import { ancestorsOf, commentsOf, errorsOf, importsOf, isValue, nodesOf } from './syntax.ts';

const inFile = (path: string, ...lines: string[]) => ({ path, text: lines.join('\n') });

test('imports are found in every form, and not in comments or texts', () => {
  const file = inFile(
    'server/features/a.ts',
    "import a from 'a';",
    "import {\n  b,\n  type B,\n} from './b.ts';",
    "import 'c';",
    "export { d } from '#server/d.ts';",
    "export * from 'e';",
    "const f = await import('f');",
    "type G = import('g').G;",
    "type H = typeof import('../h.ts');",
    "import i = require('i');",
    "declare module 'j' {}",
    'const k = import(`k`);',
    "// import x from 'x';",
    "/* import y from 'y'; */",
    "const text = \"import z from 'z'\"; import l from '@l/m/n.js';",
    'const asked = import(name);',
  );
  expect(errorsOf(file)).toEqual([]);
  expect(importsOf(file).map(({ target, package: from }) => target ?? from)).toEqual([
    'a',
    'server/features/b.ts',
    'c',
    'server/d.ts',
    'e',
    'f',
    'g',
    'server/h.ts',
    'i',
    'j',
    'k',
    '@l/m',
  ]);
});

test('an import says what it takes, and whether anything is left of it when the program runs', () => {
  const file = inFile(
    'web/a.tsx',
    "import type { A } from '1';",
    "import { type A, type B } from '2';",
    "import { type A, b as c } from '3';",
    "import d, { type A } from '4';",
    "export type { A as E } from '5';",
    "type F = import('6').F;",
    "import '7';",
  );
  expect(importsOf(file).map(({ names, onlyTypes }) => [names.join(), onlyTypes])).toEqual([
    ['A', true],
    ['A,B', true],
    ['A,b', false],
    ['A', false],
    ['A', true],
    ['', true],
    ['', false],
  ]);
});

test('a file that does not parse says so', () => {
  expect(errorsOf(inFile('server/a.ts', 'const a = ;'))).toEqual([expect.stringMatching(/./)]);
  expect(errorsOf(inFile('server/a.ts', 'const a = <b>c</b>;'))).not.toEqual([]);
  expect(errorsOf(inFile('web/a.tsx', 'const a = <b>c</b>;'))).toEqual([]);
});

test('a file is parsed once', () => {
  const file = inFile('a.ts', 'a();');
  expect(nodesOf(file)).toBe(nodesOf(file));
});

test('comments are read as such', () => {
  const file = inFile('a.ts', "a('// no'); // one", 'b(`/* no */`); /* two */', '/** three */ c(/[/]/);');
  expect(commentsOf(file).map((comment) => comment.replaceAll('*', '').trim())).toEqual(['one', 'two', 'three']);
});

test('every node but the program knows what is around it', () => {
  const [program, ...nodes] = nodesOf(inFile('a.tsx', 'const a = <b c={(d: E) => f(`$' + '{d}`)} />;'));
  expect(nodes.length).toBeGreaterThan(15);
  for (const node of nodes) expect(ancestorsOf(node).at(-1)).toBe(program);
});

describe('a name stands for a value', () => {
  const values = (text: string) =>
    nodesOf({ path: 'a.ts', text }).filter((node) => node.type === 'Identifier' && node.name === 'x' && isValue(node));

  test.each([
    'x();',
    'a(x);',
    'const a = x;',
    'const a = { x };',
    'a[x];',
    'x.a;',
    '(a = x) => a;',
    '() => x;',
    'a = x',
  ])('in %s', (text) => expect(values(text).length).toBeGreaterThan(0));

  test.each([
    'a.x();',
    'const a = { x: 1 };',
    'type A = typeof x;',
    'type A = x;',
    'interface A { x: 1; x(): 2 }',
    'class A { x = 1; x() {} }',
    "import { x } from 'a';",
    '(x) => 1;',
    'function a(x: number) {}',
  ])('and not in %s', (text) => expect(values(text)).toEqual([]));
});
