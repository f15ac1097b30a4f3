import type { ESTree } from 'vite';
import { isConfiguration, isOurs, isScript, isTest, isTypeScript, type Rule } from './rule.ts';
import { bare, errorsOf, importsOf, isValue, nameOf, nodesOf } from './syntax.ts';

const isProcess = (node: ESTree.Node) => nameOf(memberOf(bare(node)) ?? bare(node)) === 'process';

/** What a plain `x.member` or `x['member']` names. */
function memberOf(node: ESTree.Node): ESTree.Node | undefined {
  return node.type === 'MemberExpression' ? node.property : undefined;
}

/** What is put where by `into = from` and `const into = from`. */
function assignmentOf(node: ESTree.Node): { into: ESTree.Node; from: ESTree.Node | null } | undefined {
  if (node.type === 'VariableDeclarator') return { into: node.id, from: node.init };
  return node.type === 'AssignmentExpression' ? { into: node.left, from: node.right } : undefined;
}

/** Whether a node takes the environment from the process, or the process itself to where it could. */
function readsEnvironment(node: ESTree.Node): boolean {
  if (node.type === 'MemberExpression' && isProcess(node.object)) {
    const isComputed = node.computed && node.property.type !== 'Literal';
    return isComputed || nameOf(node.property) === 'env';
  }
  if (node.type === 'ImportSpecifier' && node.parent?.type === 'ImportDeclaration')
    return /^(?:node:)?process$/.test(node.parent.source.value) && nameOf(node.imported) === 'env';
  const { into, from } = assignmentOf(node) ?? {};
  if (!into || !from || !isProcess(from)) return false;
  if (into.type !== 'ObjectPattern') return true;
  return into.properties.some((each) => each.type === 'RestElement' || nameOf(each.key) === 'env');
}

/** Whether a node is the browser's or Node's `fetch`: called, or handed to somebody who will. */
function isFetch(node: ESTree.Node): boolean {
  if (node.type === 'Identifier') return node.name === 'fetch' && isValue(node);
  if (node.type !== 'MemberExpression' || nameOf(node.property) !== 'fetch') return false;
  return ['globalThis', 'window', 'self'].includes(nameOf(node.object));
}

/** Whether a statement only passes on what other files declare. */
function passesOn(statement: ESTree.Node): boolean {
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return true;
    case 'ExportNamedDeclaration':
      return statement.declaration === null;
    case 'ExportDefaultDeclaration':
      return statement.declaration.type === 'Identifier';
    default:
      return false;
  }
}

const testFunctions = ['test', 'it', 'describe', 'suite', 'bench'];
const notRun = ['skip', 'only', 'todo', 'fixme', 'skipIf', 'runIf', 'fail', 'fails'];

/** The names in `test.each([…]).skip`, the first one first. */
function chainOf(node: ESTree.Node): string[] {
  if (node.type === 'CallExpression') return chainOf(node.callee);
  if (node.type === 'TaggedTemplateExpression') return chainOf(node.tag);
  if (node.type === 'MemberExpression') return [...chainOf(node.object), nameOf(node.property)];
  return [nameOf(node)];
}

/** How a node keeps a test from running, or all others. */
function skips(node: ESTree.Node): string | undefined {
  if (node.type === 'MemberExpression') {
    const [first = '', ...rest] = chainOf(node);
    const isSkipped = testFunctions.includes(first) && notRun.includes(rest.at(-1) ?? '');
    return isSkipped ? [first, ...rest].join('.') : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const [first = ''] = chainOf(node);
  if (/^x(?:it|test|describe)$/.test(first)) return first;
  if (!testFunctions.includes(first)) return undefined;
  const options = node.arguments.flatMap((each) => (each.type === 'ObjectExpression' ? each.properties : []));
  const option = options.find((each) => each.type === 'Property' && notRun.includes(nameOf(each.key)));
  return option?.type === 'Property' ? `${first} with ${nameOf(option.key)}` : undefined;
}

/** Whether a literal is spread where its content could stand. */
function packs(node: ESTree.Node): boolean {
  if (node.type !== 'SpreadElement' && node.type !== 'JSXSpreadAttribute') return false;
  const { type } = bare(node.argument);
  if (node.type === 'JSXSpreadAttribute' || node.parent?.type === 'ObjectExpression')
    return type === 'ObjectExpression';
  return type === 'ArrayExpression';
}

/** Whether a node is zod's own text. */
function makesText(node: ESTree.Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const chain = chainOf(node.callee);
  return chain[0] === 'z' && chain.at(-1) === 'string';
}

export const codeRules: Rule[] = [
  {
    sentence: 'every source file parses',
    looksAt: isScript,
    breaks: errorsOf,
    broken: [{ 'server/a.ts': 'const a = ;' }, { 'web/a.tsx': 'const a = <b>;' }, { 'scripts/a.mjs': 'let a: A;' }],
    fine: [
      { 'web/a.tsx': 'const a = <b c={1}>d</b>;' },
      { 'server/a.ts': 'const a = <T>(b: T) => b as unknown satisfies unknown;' },
      { 'scripts/a.d.mts': 'export function a(): string;' },
    ],
  },
  {
    sentence: 'text in the contract is made in contract/shapes.ts, where it is well-formed and without NUL',
    looksAt: (file) => file.path.startsWith('contract/') && !isTest(file),
    except: { 'contract/shapes.ts': 'says what a text is' },
    breaks: (file) => (nodesOf(file).some(makesText) ? ['makes a bare z.string()'] : []),
    broken: [
      { 'contract/a.ts': 'const a = z.string();' },
      { 'contract/a.ts': "const a = z\n  .string('b')\n  .check(c);" },
      { 'contract/a.ts': 'const a = z.coerce.string();' },
    ],
    fine: [{ 'contract/a.ts': "const a = text(80);\n// z.string()\nconst b = 'z.string()';" }],
  },
  {
    sentence: 'process.env is read only in server/process/environment.ts, configurations and tests',
    looksAt: (file) => isOurs(file) && !isTest(file) && !isConfiguration(file),
    except: {
      'server/process/environment.ts': 'is where settings are read, once',
      'server/testing/': 'starts processes like a shell does',
    },
    breaks: (file) => (nodesOf(file).some(readsEnvironment) ? ['reads process.env'] : []),
    broken: [
      { 'server/a.ts': 'const a = process.env.A;' },
      { 'server/a.ts': 'a(globalThis.process?.env);' },
      { 'server/a.ts': "const a = process['env'];" },
      { 'server/a.ts': 'const a = process[name];' },
      { 'web/a.ts': 'const { env } = process;' },
      { 'server/a.ts': 'const { pid, ...rest } = process;' },
      { 'server/a.ts': 'const p = process;\nconst a = p.env;' },
      { 'server/a.ts': "import { env as e } from 'node:process';" },
    ],
    fine: [
      { 'server/a.ts': "// process.env\nconst a = 'process.env';\nconst { pid } = process;\nprocess.exit(env.code);" },
      { 'server/testing/a.ts': 'const a = process.env.PATH;' },
      { 'web/vite.config.ts': 'const a = process.env.PORT;' },
    ],
  },
  {
    sentence:
      'fetch is called only in web/api/client.ts, web/api/download.ts, the service worker, and what calls gateways, push services, the webhook and the bucket',
    looksAt: (file) => isOurs(file) && !isTest(file),
    except: {
      'web/api/client.ts': 'is how the browser calls the API',
      'web/worker/': 'fetches the files of the app, and tells the API of a changed push subscription alone',
      'web/api/download.ts': 'reads a file piece by piece, which no phone needs to load',
      'server/features/sms/gateways/': 'call the SMS operators',
      'server/features/push/deliver.ts': 'calls the push services',
      'server/features/watch/call-webhook.ts': 'tells of alarms whom the operator named',
      'server/features/uploads/s3-bucket.ts': 'calls the bucket that images are kept in',
      'server/testing/': 'calls a started process over the network',
    },
    breaks: (file) => (nodesOf(file).some(isFetch) ? ['calls fetch'] : []),
    broken: [
      { 'web/features/a/b.ts': "await fetch('/api');" },
      { 'web/a.ts': "globalThis.fetch('/api');" },
      { 'web/a.ts': 'const get = fetch;' },
      { 'server/a.ts': 'start({ fetch });' },
      { 'server/a.ts': 'const start = (get = fetch) => get(1);' },
    ],
    fine: [
      { 'web/a.ts': "/* fetch( */ client.prefetchQuery('fetch(');\nrefetch();\nquery.fetch();" },
      { 'web/a.ts': 'type Get = typeof fetch;\nconst a = { fetch: 1 };' },
    ],
  },
  {
    sentence: 'there are no barrel files, which only pass on other files',
    looksAt: isTypeScript,
    breaks(file) {
      const statements = nodesOf(file).filter((node) => node.parent?.type === 'Program');
      const reachesOurs = importsOf(file).some((used) => used.target !== undefined);
      const exports = statements.some(({ type }) => type.startsWith('Export'));
      return reachesOurs && exports && statements.every(passesOn) ? ["only passes on other files'"] : [];
    },
    broken: [
      { 'web/ui/index.ts': "export * from './a.ts';\nexport { b } from './b.ts';" },
      { 'server/all.ts': "import { a, type B } from './a.ts';\nexport { a };\nexport type { B };" },
      { 'server/all.ts': "import a from './a.ts';\nexport default a;" },
    ],
    fine: [
      { 'server/a.ts': "import { a } from './a.ts';\na();" },
      { 'server/a.slow.test.ts': "import './a.test.ts';" },
      { 'web/ui/index.ts': 'export const a = 1;' },
      { 'web/a.ts': "export { useSyncExternalStore } from 'react';" },
    ],
  },
  {
    sentence: 'a test is neither skipped nor run alone',
    looksAt: isTest,
    breaks: (file) =>
      nodesOf(file)
        .flatMap((node) => skips(node) ?? [])
        .map((how) => `has ${how}`),
    broken: [
      { 'server/a.test.ts': "test.skip('x', () => {});" },
      { 'e2e/a.spec.ts': "test.describe.only('x', () => {});" },
      { 'server/a.test.ts': "test.each([1, 2]).skip('%s', () => {});" },
      { 'server/a.test.ts': "test.skipIf(process.platform === 'win32')('x', () => {});" },
      { 'server/a.test.ts': "xit('x', () => {});" },
      { 'server/a.test.ts': "test('x', { only: true }, () => {});" },
    ],
    fine: [
      { 'server/a.test.ts': "test('it.only', () => {});\n// test.skip('x')\nattempt.only();" },
      { 'server/a.test.ts': "test.each([{ skip: 1 }])('%s', { timeout: 1 }, () => {});" },
    ],
  },
  {
    sentence: 'no literal is spread where its content could stand',
    looksAt: isScript,
    breaks: (file) =>
      nodesOf(file)
        .filter(packs)
        .map((node) => `spreads ${file.text.slice(node.start, node.end).split('\n')[0]}`),
    broken: [
      { 'server/a.ts': 'const a = { b, ...{ c: 1, d: 2 } };' },
      { 'e2e/a.spec.ts': "const a = [...['b', 'c'], d];" },
      { 'server/a.ts': "call(...(['b', 'c'] as const));" },
      { 'web/a.tsx': 'const a = <b {...{ c: 1, d: 2 }} />;' },
    ],
    fine: [
      { 'server/a.ts': 'const a = { ...b, ...(c && { d: 1 }), ...(e ? { f } : {}) };' },
      { 'server/a.ts': "const a = [...b, ...['c', 'd'].map(each), ...(e ? [f] : [])];" },
      { 'web/a.tsx': 'const a = <b {...c} />;' },
    ],
  },
];
